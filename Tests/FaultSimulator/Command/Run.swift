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
        var isUnsupported = false
    }

    let seed: UInt64
    let schedules: Int
    let threads: Int
    /// Whether it continues after a promise broke.
    let goesOn: Bool
    private let progress = Lock(Progress())

    init(seed: UInt64, schedules: Int, threads: Int, goesOn: Bool) {
        self.seed = seed
        self.schedules = schedules
        self.threads = threads
        self.goesOn = goesOn
    }

    /// - Returns: Whether every promise was kept.
    func run() -> Bool {
        Console.say("faults --schedules \(schedules) --seed \(seed)")
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
                let finding = try Simulation.play(Schedule(seed: Chance.seed(seed, schedule: schedule)))
                progress.withLock { progress in
                    progress.played += 1
                    if let finding { progress.failures.append(Failure(schedule: schedule, finding: finding)) }
                }
            } catch {
                progress.withLock { $0.isUnsupported = true }
            }
        }
    }

    private func take() -> Int? {
        progress.withLock { progress in
            guard progress.next < schedules, goesOn || progress.failures.isEmpty, !progress.isUnsupported else {
                return nil
            }
            defer { progress.next += 1 }
            return progress.next
        }
    }

    private func report(after seconds: Double) -> Bool {
        let (played, failures, isUnsupported) = progress.withLock { ($0.played, $0.failures, $0.isUnsupported) }
        guard !isUnsupported else {
            Console.complain(Unsupported().explanation)
            return false
        }
        let pace = Int(Double(played) / max(seconds, 0.001))
        let time = String(format: "%.1f", seconds)
        guard let first = failures.min(by: { $0.schedule < $1.schedule }) else {
            Console.say("\(played) schedules kept every promise: \(time) s on \(threads) threads, \(pace) in a second.")
            return true
        }
        if goesOn {
            for failure in failures.sorted(by: { $0.schedule < $1.schedule }) {
                Console.say("\(failure.schedule)  \(failure.finding)")
            }
            Console.say("\(failures.count) of \(played) schedules broke a promise, in \(time) s.")
            return false
        }
        Console.say("Schedule \(first.schedule) broke a promise, after \(played) schedules in \(time) s.\n")
        _ = Replay(seed: seed, schedule: first.schedule).run()
        Console.say("\nAgain: faults --seed \(seed) --schedule \(first.schedule)")
        return false
    }
}
