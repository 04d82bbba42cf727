import Foundation

/// Plays schedules of faults against the library, and says which promise breaks.
@main
struct Faults {
    static func main() {
        if CommandLine.arguments.dropFirst().first == "explore" {
            exit(
                Explore(
                    limit: CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2])! : 1_000_000, isWhole: false
                ).run() ? 0 : 1)
        }
        switch Arguments(CommandLine.arguments.dropFirst()) {
        case .help:
            Console.say(Arguments.usage)
        case .wrong(let reason):
            Console.complain("\(reason)\n\(Arguments.synopsis)\nSee faults --help.")
            exit(2)
        case .replay(let seed, let schedule):
            exit(Replay(seed: seed, schedule: schedule).run() ? 0 : 1)
        case .fleet(let devices, let seed):
            exit(FleetReport(devices: devices, seed: seed).run() ? 0 : 1)
        case .run(let seed, let schedules, let threads, let goesOn):
            exit(Run(seed: seed, schedules: schedules, threads: threads, goesOn: goesOn).run() ? 0 : 1)
        }
    }
}
