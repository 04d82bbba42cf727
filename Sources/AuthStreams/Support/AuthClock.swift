public import Foundation

/// Time, as the library is handed it: a clock that also knows the date.
///
/// It conforms to `Clock`, so it can be passed to `retry(_:clock:)`, `timeout(_:clock:)` and other functions that take one.
///
/// Tests hand in one that they move themselves. What the session does asks for the time nowhere else; the locks and watches
/// of a ``FileSessionStore`` go by the system's, and what takes a clock of its own says so.
public struct AuthClock: Clock, Sendable {
    private let readDate: @Sendable () -> Date
    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Makes a clock.
    ///
    /// - Parameters:
    ///   - clock: Measures and waits. It should not stop while the device sleeps.
    ///   - now: The date now.
    public init<C: Clock>(_ clock: C, now: @escaping @Sendable () -> Date) where C.Duration == Duration {
        readDate = now
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(for: $0) }
    }

    private init(
        date: @escaping @Sendable () -> Date, elapsed: @escaping @Sendable () -> Duration,
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        readDate = date
        self.elapsed = elapsed
        self.wait = wait
    }

    /// The system's clock.
    public static let system = AuthClock(
        date: { Date() }, elapsed: MonotonicClock.sinceNow(), wait: { try await ContinuousClock().sleep(for: $0) })

    /// The date now.
    public var date: Date { readDate() }

    /// The moment now.
    public var now: Instant { Instant(uptime: elapsed()) }

    /// Time since this clock was made. Only differences mean something.
    public var uptime: Duration { elapsed() }

    /// The smallest step that can be measured.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until a moment, at most for 68 years.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await sleep(for: now.duration(to: deadline))
    }

    /// Waits, at most for 68 years.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(for duration: Duration) async throws {
        // The system's clock traps at a moment that it cannot represent, and a server may ask to wait for as long as it likes.
        try await wait(min(duration, .seconds(Int32.max)))
    }

    /// A moment of a clock. Moments of different clocks cannot be compared.
    public struct Instant: InstantProtocol {
        let uptime: Duration

        /// The moment that much later.
        public func advanced(by duration: Duration) -> Self { Self(uptime: uptime + duration) }
        /// How much later the other moment is.
        public func duration(to other: Self) -> Duration { other.uptime - uptime }
        /// Whether one moment is before the other.
        public static func < (one: Self, other: Self) -> Bool { one.uptime < other.uptime }
    }
}
