import Foundation

/// Looks for faults of the library: plays schedules of faults against it, plays a fleet of devices, or explores a small world.
@main
struct Faults {
    static func main() {
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
        case .explore(let world, let states):
            exit(Exploration(world: world, limit: states).run() ? 0 : 1)
        case .run(let seed, let schedules, let threads, let counts):
            exit(Run(seed: seed, schedules: schedules, threads: threads, counts: counts).run() ? 0 : 1)
        }
    }
}
