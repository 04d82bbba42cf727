package import Foundation

/// Aborts the test process when no test has ended for too long, and names the tests that have not.
///
/// Swift Testing's time limits cancel a test. They do not end one that ignores cancellation, and they do not act while every
/// thread of the cooperative pool is blocked. The watchdog has its own thread, and watches every test of the process.
package struct Watchdog: Sendable {
    /// The time without an end of any test that is a hang, in seconds. Time in which the process is stopped does not count.
    package let limit: Int

    private var running = RunningTests()
    private var silence = Duration.zero
    private var lastRead: SuspendingClock.Instant

    package init(limit: Int, at now: SuspendingClock.Instant) {
        self.limit = limit
        lastRead = now
    }

    /// Reads new lines of the event stream. Called about once a second.
    ///
    /// - Parameters:
    ///   - lines: The lines since the last call.
    ///   - admitted: The tests for which other tests wait. They are marked.
    ///   - now: The present. At most one second is counted since the last call.
    /// - Returns: What to print before the process is aborted, or `nil` while the tests do not hang.
    package mutating func read(_ lines: [Data], admitted: Set<String>, now: SuspendingClock.Instant) -> String? {
        let someEnded = lines.reduce(false) { running.record($1, at: now) || $0 }
        silence = someEnded || running.starts.isEmpty ? .zero : silence + min(now - lastRead, .seconds(1))
        lastRead = now
        return silence < .seconds(limit) ? nil : report(admitted, now)
    }

    private func report(_ admitted: Set<String>, _ now: SuspendingClock.Instant) -> String {
        let tests = running.starts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return "✘ No test has ended for \(limit) s, so the process is aborted. These have not ended:\n"
            + tests.map { test, start in
                let mark = admitted.contains(test) ? ", others wait for it" : ""
                return "✘ \(test), after \((now - start).components.seconds) s\(mark)\n"
            }.joined()
    }
}
