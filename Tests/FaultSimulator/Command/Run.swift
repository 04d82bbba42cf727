import AuthStreams
import Foundation

/// Many schedules, each whole on one of several threads.
struct Run {
    /// A schedule that broke a promise.
    struct Failure {
        let schedule: Int
        let finding: Finding
    }

    private struct Progress {
        var next = 0
        var played = 0
        var failures: [Failure] = []
        var encounters = Encounters()
        var isUnsupported = false
    }

    let seed: UInt64
    let schedules: Int
    let threads: Int
    /// Whether it plays all schedules and counts those that break a promise, instead of ending at the first.
    let counts: Bool
    /// What is wrong with the worlds themselves; `nil` for worlds that keep their own promises.
    let flaw: WorldFlaw?
    private let say: @Sendable (String) -> Void
    private let progress = Lock(Progress())

    init(
        seed: UInt64, schedules: Int, threads: Int, counts: Bool, flaw: WorldFlaw? = nil,
        saying say: @escaping @Sendable (String) -> Void = Console.say
    ) {
        self.seed = seed
        self.schedules = schedules
        self.threads = threads
        self.counts = counts
        self.flaw = flaw
        self.say = say
    }

    /// - Returns: Whether every promise was kept; of a run that counts, whether it played every schedule.
    func run() -> Bool {
        say("faults --schedules \(schedules) --seed \(seed)\(counts ? " --all" : "")")
        let clock = ContinuousClock()
        let start = clock.now
        let workers = (1..<threads).map { _ in
            let worker = Worker(work)
            worker.start()
            return worker
        }
        work()
        for worker in workers { worker.join() }
        return report(after: start.duration(to: clock.now) / .seconds(1))
    }

    /// Plays one schedule after the other until there are none, or one broke a promise.
    private func work() {
        while let schedule = take() {
            do throws(Unsupported) {
                var drawn = Schedule(seed: Chance.seed(seed, schedule: schedule))
                drawn.flaw = flaw
                var encounters = Encounters()
                let finding = try Simulation.play(drawn) { encounters = $0 }
                progress.withLock { [encounters] progress in
                    progress.encounters.add(encounters)
                    progress.played += 1
                    if let finding { progress.failures.append(Failure(schedule: schedule, finding: finding)) }
                }
                // At once, since a long run may be ended before its own end.
                if counts, let finding { say("\(schedule)  \(finding)") }
            } catch {
                progress.withLock { $0.isUnsupported = true }
            }
        }
    }

    private func take() -> Int? {
        progress.withLock { progress in
            guard progress.next < schedules, counts || progress.failures.isEmpty, !progress.isUnsupported else {
                return nil
            }
            defer { progress.next += 1 }
            return progress.next
        }
    }

    /// So many schedules meet everything that they are to meet.
    private static let enough = 10_000

    private func report(after seconds: Double) -> Bool {
        let (played, failures, encounters, isUnsupported) = progress.withLock {
            ($0.played, $0.failures, $0.encounters, $0.isUnsupported)
        }
        guard !isUnsupported else {
            Console.complain(Unsupported().explanation)
            return false
        }
        let pace = Int(Double(played) / max(seconds, 0.001))
        let time = "\(String(format: "%.1f", seconds)) s on \(threads) threads, \(pace) in a second"
        if counts {
            say("\(played) schedules took \(time).")
            say("\(encounters)")
            let rate = failures.isEmpty ? "" : ": one in \(played / failures.count)"
            say("\(failures.count) of \(played) schedules broke a promise\(rate)")
            return true
        }
        guard let first = failures.min(by: { $0.schedule < $1.schedule }) else {
            say("\(played) schedules kept every promise: \(time).")
            say("\(encounters)")
            // Of a promise that nothing put to the test, a run says nothing.
            guard played >= Self.enough, let missing = encounters.missing.first else { return true }
            say("No schedule met: \(missing.rawValue).")
            return false
        }
        say("Schedule \(first.schedule) broke a promise, after \(played) schedules: \(time).\n")
        _ = Replay(seed: seed, schedule: first.schedule, flaw: flaw).run()
        say("\nAgain: faults --seed \(seed) --schedule \(first.schedule)")
        return false
    }
}
