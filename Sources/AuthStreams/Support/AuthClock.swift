public import Foundation

/// Time, as the library is handed it: the date now, and a way to wait.
///
/// Tests hand in one that they move themselves. What the session does asks for the time nowhere else; the locks and watches
/// of a ``FileSessionStore`` go by the system's, and what takes a clock of its own says so.
public struct AuthClock: Sendable {
    private let date: @Sendable () -> Date
    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Makes a clock.
    ///
    /// - Parameters:
    ///   - clock: Measures and waits. It should not stop while the device sleeps.
    ///   - now: The date now.
    public init<C: Clock>(_ clock: C, now: @escaping @Sendable () -> Date) where C.Duration == Duration {
        date = now
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(for: $0) }
    }

    private init(
        date: @escaping @Sendable () -> Date, elapsed: @escaping @Sendable () -> Duration,
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.date = date
        self.elapsed = elapsed
        self.wait = wait
    }

    /// The system's clock.
    public static let system = AuthClock(
        date: { Date() }, elapsed: Uptime.sinceNow(), wait: { try await ContinuousClock().sleep(for: $0) })

    /// The date now.
    public var now: Date { date() }

    /// Time since this clock was made. Only differences mean something.
    public var uptime: Duration { elapsed() }

    /// Waits, at most for 68 years.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(for duration: Duration) async throws {
        // The system's clock traps at a moment that it cannot represent, and a server may ask to wait for as long as it likes.
        try await wait(min(duration, .seconds(Int32.max)))
    }
}
