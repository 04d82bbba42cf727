/// One schedule, played with its timeline.
struct Replay {
    let seed: UInt64
    let schedule: Int
    /// What is wrong with the world itself; `nil` for a world that keeps its own promises.
    var flaw: WorldFlaw?

    /// - Returns: Whether every promise was kept.
    func run() -> Bool {
        var drawn = Schedule(seed: Chance.seed(seed, schedule: schedule))
        drawn.flaw = flaw
        do throws(Unsupported) {
            let finding = try tell(drawn)
            guard let finding else { return true }
            let shorter = try drawn.shortened(until: finding.promise)
            if shorter.steps.count < drawn.steps.count {
                Console.say("\nIt breaks with \(shorter.steps.count) of its \(drawn.steps.count) steps, too:\n")
                _ = try tell(shorter)
            }
            return false
        } catch {
            Console.complain(error.explanation)
            return false
        }
    }

    private func tell(_ schedule: Schedule) throws(Unsupported) -> Finding? {
        let timeline = Timeline(isKept: true)
        let finding = try Simulation.play(schedule, timeline: timeline)
        Console.say("\(schedule.plan)\n")
        Console.say(timeline.lines.joined(separator: "\n"))
        return finding
    }
}
