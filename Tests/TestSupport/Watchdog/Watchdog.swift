package import AuthStreamsTesting
package import Foundation

/// Aborts the test process when no test has ended for too long, and names the tests that have not and what they wait for.
///
/// Swift Testing's time limits cancel a test. They do not end one that ignores cancellation, and they do not act while every
/// thread of the cooperative pool is blocked. The watchdog has its own thread, and watches every test of the process.
package struct Watchdog: Sendable {
    /// The environment variable with a limit other than 120, in seconds.
    package static let limitVariable = "AUTHSTREAMS_TEST_HANG_LIMIT"

    /// The time without progress that is a hang, in the seconds of a ``ProgressClock``: of all tests for the watchdog, of one
    /// fact for ``wait(for:limit:sourceLocation:until:)``.
    package static let limit = ProcessInfo.processInfo.environment[limitVariable].flatMap(Int.init) ?? 120

    private let limit: Int
    private var running = RunningTests()
    private var clock: ProgressClock
    /// The time of the clock at which the last test ended, or at which none was running.
    private var lastEnd = Duration.zero

    /// - Parameters:
    ///   - limit: The time without an end of any test that is a hang, in seconds of the clock.
    ///   - clock: A clock that has begun.
    package init(limit: Int = Self.limit, clock: ProgressClock = ProgressClock()) {
        (self.limit, self.clock) = (limit, clock)
    }

    /// Reads new lines of the event stream. Called about once a second.
    ///
    /// - Parameters:
    ///   - lines: The lines since the last call.
    ///   - admitted: The tests for which other tests wait. They are marked.
    ///   - waits: The waits that have not ended.
    ///   - now: The present.
    ///   - processorTime: The processor time that the process has used until now.
    /// - Returns: What to print before the process is aborted, or `nil` while the tests do not hang.
    package mutating func read(
        _ lines: [Data], admitted: Set<String>, waits: [PendingWait], now: SuspendingClock.Instant = .now,
        processorTime: Duration = ProcessorTime.ofProcess
    ) -> String? {
        clock.advance(to: now, processorTime: processorTime)
        let someEnded = lines.reduce(false) { running.record($1, at: now) || $0 }
        if someEnded || running.starts.isEmpty { lastEnd = clock.elapsed }
        return clock.elapsed - lastEnd < .seconds(limit) ? nil : report(admitted, waits, now)
    }

    private func report(_ admitted: Set<String>, _ waits: [PendingWait], _ now: SuspendingClock.Instant) -> String {
        let tests = running.starts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        let facts = Dictionary(grouping: waits) { $0.test.flatMap { running.starts[$0] == nil ? nil : $0 } }
        let lines = tests.flatMap { test, start in
            let mark = admitted.contains(test) ? ", others wait for it" : ""
            return ["\(test), after \((now - start).components.seconds) s\(mark)"]
                + (facts[test] ?? []).map { "  waits for \($0.fact), at \($0.place)" }
        }
        let others = (facts[nil] ?? []).map { "\($0.waiter) waits for \($0.fact), at \($0.place)" }
        return "✘ No test has ended for \(limit) s, so the process is aborted. These have not ended:\n"
            + (lines + others).map { "✘ \($0)\n" }.joined()
    }
}
