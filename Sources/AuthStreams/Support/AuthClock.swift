public import Foundation

/// A clock that also knows the date.
///
/// It conforms to `Clock`, so it can be passed to `retry(_:clock:)`, `timeout(_:clock:)` and other functions that take one.
///
/// Tests pass a clock that they advance themselves. The session reads the time from this clock only. The locks and
/// watches of a ``FileSessionStore`` use the system's clock.
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

    /// The current instant.
    public var now: Instant { Instant(uptime: elapsed()) }

    /// The time since this clock was made. Only differences are meaningful.
    public var uptime: Duration { elapsed() }

    /// The smallest interval that can be measured.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until an instant, at most for 68 years.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await sleep(for: now.duration(to: deadline))
    }

    /// Waits for a duration, at most for 68 years.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(for duration: Duration) async throws {
        // The system's clock traps on an instant that it cannot represent, and a server may ask for a wait of any
        // length.
        try await wait(min(duration, .seconds(Int32.max)))
    }

    /// An instant of a clock. Instants of different clocks cannot be compared.
    public struct Instant: InstantProtocol {
        let uptime: Duration

        /// Returns the instant that is later by the duration.
        public func advanced(by duration: Duration) -> Self { Self(uptime: uptime + duration) }
        /// Returns the duration from this instant to another.
        public func duration(to other: Self) -> Duration { other.uptime - uptime }
        /// Returns whether the first instant is before the second.
        public static func < (one: Self, other: Self) -> Bool { one.uptime < other.uptime }
    }
}

extension AuthClock {
    /// Returns the date at which a lifetime that begins now ends; `nil` if the lifetime is not known.
    package func expiry(after lifetime: Duration?) -> Date? {
        lifetime.map { date.addingTimeInterval($0 / .seconds(1)) }
    }

    /// Waits for a duration or until the interruption has a value.
    @inline(never)  // Not repeated in each of its callers.
    package func sleep(for duration: Duration, unless interruption: Promise<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await sleep(for: duration) }
            group.addTask { _ = await interruption.value() }
            await group.next()
            group.cancelAll()
        }
    }

    var moment: Timestamp { Timestamp(date: date, uptime: uptime) }
}

/// One moment by both clocks: the date, which may be wrong or be changed, and the uptime, which only increases.
package struct Timestamp: Hashable, Sendable {
    package let date: Date
    package let uptime: Duration

    package init(date: Date, uptime: Duration) {
        self.date = date
        self.uptime = uptime
    }
}
