import AuthStreams
import Foundation

/// Explores a world, and prints what was seen.
struct Explore {
    /// How many states are looked at.
    let limit: Int
    let isWhole: Bool

    /// - Returns: Whether every invariant held.
    func run() -> Bool {
        var world = SharedWorld(disk: 0, families: [], budget: SharedWorld.Budget())
        world.budget = SharedWorld.Budget(
            storeFailures: 1, lostAnswers: 1, deaths: 1, lockTimeouts: 0, signIns: 1, signOuts: 1, refreshes: 2,
            revocations: 0, clockChanges: 0, hours: 0)
        if let text = ProcessInfo.processInfo.environment["B"] {
            let n = text.split(separator: ",").map { UInt8($0) ?? 0 }
            world.budget = SharedWorld.Budget(
                storeFailures: n[0], lostAnswers: n[1], deaths: n[2], lockTimeouts: n[3], signIns: n[4],
                signOuts: n[5], refreshes: n[6], revocations: n[7], clockChanges: n[8], hours: n[9])
        }
        let result = Explorer(limit: limit).explore(world)
        Console.say(
            "\(result.states) states, \(result.transitions) transitions, depth \(result.depth), whole \(result.isWhole), "
                + "\(result.processes) processes, \(result.worlds) worlds, \(result.rested) rested, \(result.seconds) s")
        if let failure = result.failure {
            Console.say("BROKEN: \(failure.broken)\n" + failure.way.joined(separator: "\n"))
        }
        return result.failure == nil
    }
}
