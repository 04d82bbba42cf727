import AuthStreams
import Foundation

/// Explores a world, and prints what was seen.
struct Explore {
    /// How many states are looked at.
    let limit: Int
    let isWhole: Bool

    /// - Returns: Whether every invariant held.
    func run() -> Bool {
        let text = ProcessInfo.processInfo.environment["B"] ?? "1,1,1,0,1,1,1,0,0,0"
        let n = text.split(separator: ",").map { UInt8($0) ?? 0 }
        let budget = SharedWorld.Budget(
            storeFailures: n[0], lostAnswers: n[1], deaths: n[2], lockTimeouts: n[3], signIns: n[4], signOuts: n[5],
            refreshes: n[6], revocations: n[7], clockChanges: n[8], hours: n[9])
        let all: [Beginning] = [.empty, .stored, .legacy(isUserKnown: true), .legacy(isUserKnown: false)]
        let which = ProcessInfo.processInfo.environment["R"] ?? "0123"
        let result = Explorer(limit: limit).explore(which.map { all[Int(String($0))!] }, budget)
        Console.say(
            "\(result.states) states, \(result.transitions) transitions, depth \(result.depth), whole \(result.isWhole), "
                + "\(result.processes) processes, \(result.worlds) worlds, \(result.rested) rested, \(result.tried) tried, \(result.seconds) s"
        )
        if let failure = result.failure {
            Console.say("BROKEN: \(failure.broken)\n" + failure.way.joined(separator: "\n"))
        }
        return result.failure == nil
    }
}
