import Foundation

/// The options of the command line.
enum Arguments: Equatable {
    case run(seed: UInt64, schedules: Int, threads: Int, counts: Bool)
    case replay(seed: UInt64, schedule: Int)
    case fleet(devices: Int, seed: UInt64)
    case explore(world: Exploration.World, states: Int)
    case help
    /// The problem of the command line.
    case wrong(String)

    static let synopsis =
        "usage: faults [--schedules N] [--seed S] [--threads T] [--all] | faults --seed S --schedule K"
        + " | faults fleet [--devices N] [--seed S] | faults explore [--world W] [--states N]"

    static let usage = """
        \(synopsis)

        Plays schedules of faults against the library, in simulated time. Build it with optimization:
        swift run -c release faults --schedules 100000 --seed 1

          --schedules N   how many; 20000 unless given
          --seed S        what they are drawn from; a fresh one unless given, which is printed
          --threads T     how many are played at once, each on one thread; one for each core unless given
          --all           plays all of them, prints each that breaks a promise, and how many a break takes
          --schedule K    plays this one alone and prints its timeline: what happened, in order
          --help          this text

        fleet plays a fleet of devices against a server that is down, that answers 429 and that restarts, and judges what
        they send without a caller. At most 4 million devices; one million unless given, and seed 1:
        swift run -c release faults fleet --devices 1000000

        explore walks every order of a world's steps over two processes that share a store, breadth-first, with the library's
        own state machine, and checks invariants in each state. A world says how often each fault and each decision may happen.
        A walk that ends before it has seen every state says so:
        swift run -c release faults explore --world small

          --world W       one of: \(worlds); small unless given
          --states N      ends after as many states; 100 million unless given

        It ends with 0 when every promise was kept, with 1 when one broke, with 2 for bad arguments; with --all it ends with 0
        when every schedule was played.
        """

    private enum Command: String {
        case schedules, fleet, explore

        var options: Set<String> {
            switch self {
            case .schedules: ["--schedules", "--schedule", "--threads", "--seed", "--all"]
            case .fleet: ["--devices", "--seed"]
            case .explore: ["--world", "--states"]
            }
        }
    }

    init(_ arguments: some Sequence<String>) {
        var numbers: [String: UInt64] = [:]
        var options: Set<String> = []
        var world = Exploration.World.small
        var command = Command.schedules
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "fleet", "explore":
                guard command == .schedules else {
                    self = .wrong("One command at a time is run.")
                    return
                }
                command = Command(rawValue: argument) ?? command
            case "--all": options.insert(argument)
            case "--world":
                guard let name = rest.next().flatMap(Exploration.World.init) else {
                    self = .wrong("--world needs one of: \(Self.worlds).")
                    return
                }
                world = name
                options.insert(argument)
            case "--seed", "--schedules", "--schedule", "--threads", "--devices", "--states":
                // Counts are no larger than any count can be.
                guard let number = rest.next().flatMap(UInt64.init), argument == "--seed" || number < 1 << 40 else {
                    self = .wrong("\(argument) needs a number.")
                    return
                }
                numbers[argument] = number
                options.insert(argument)
            default:
                self = .wrong("There is no argument \(argument).")
                return
            }
        }
        if let other = options.subtracting(command.options).min() {
            self = .wrong("\(other) does not belong to \(command.rawValue).")
            return
        }
        switch command {
        case .schedules: self.init(numbers, counts: options.contains("--all"))
        case .fleet: self.init(fleet: numbers)
        case .explore:
            let states = numbers["--states"] ?? 100_000_000
            self = states == 0 ? .wrong("--states needs at least 1.") : .explore(world: world, states: Int(states))
        }
    }

    private static let worlds = Exploration.World.allCases.map(\.rawValue).joined(separator: ", ")

    private init(fleet numbers: [String: UInt64]) {
        let devices = numbers["--devices"] ?? 1_000_000
        guard (1000...4_000_000).contains(devices) else {
            self = .wrong("--devices needs 1000 to 4000000.")
            return
        }
        self = .fleet(devices: Int(devices), seed: numbers["--seed"] ?? 1)
    }

    private init(_ numbers: [String: UInt64], counts: Bool) {
        let cores = UInt64(ProcessInfo.processInfo.activeProcessorCount)
        let (schedules, threads) = (numbers["--schedules"] ?? 20_000, numbers["--threads"] ?? cores)
        if let schedule = numbers["--schedule"] {
            guard let seed = numbers["--seed"] else {
                self = .wrong("--schedule needs the --seed that it is of.")
                return
            }
            self = .replay(seed: seed, schedule: Int(schedule))
        } else if schedules == 0 || !(1...256).contains(threads) {
            self = .wrong("--schedules needs at least 1, --threads 1 to 256.")
        } else {
            let seed = numbers["--seed"] ?? UInt64.random(in: 0...UInt64(UInt32.max))
            self = .run(seed: seed, schedules: Int(schedules), threads: Int(threads), counts: counts)
        }
    }
}
