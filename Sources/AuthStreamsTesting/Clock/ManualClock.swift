import AuthStreams

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// async let outcome = kakao.authenticate().timeout(.seconds(30), clock: clock).value
/// await clock.waitForSleepers(count: 1)   // the limit is being waited for
/// clock.advance(by: .seconds(30))         // and now it has passed
/// ```
///
/// | question | answer |
/// | --- | --- |
/// | where does time start? | at zero, and it moves only by ``advance(by:)`` and ``advanceToNextSleeper()`` |
/// | who wakes? | everyone whose deadline has been reached, the earliest first, and first come first among equals |
/// | who wakes and sleeps again? | counts from the time as it is then: the end of the step, not the old deadline |
/// | a deadline that has passed? | the sleep returns at once |
/// | cancelled while asleep? | the sleep ends with `CancellationError`, and the sleeper no longer counts |
///
/// Every member may be used from any thread.
public final class ManualClock: Clock, Sendable {
    /// A moment on a manual clock, told by how long after the clock's beginning it is.
    public struct Instant: InstantProtocol {
        /// Time since the clock's beginning.
        public var offset: Duration

        /// Makes a moment.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// The moment that much later.
        public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }

        /// How long it is from this moment to the other.
        public func duration(to other: Self) -> Duration { other.offset - offset }

        /// Whether one moment comes before another.
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private let state = Lock(ManualClockState())

    /// Makes a clock at its beginning.
    public init() {}

    /// The moment the clock was last moved to.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: no step is too small.
    public var minimumResolution: Duration { .zero }

    /// How many are asleep now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock and wakes everyone whose deadline it reaches.
    ///
    /// - Parameter duration: How far. A clock does not go back: what is negative moves it nowhere.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.move(to: state.now.advanced(by: Swift.max(duration, .zero)))
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Moves the clock to the earliest deadline and wakes everyone who waits for it.
    ///
    /// - Returns: How far the clock moved, or `nil` when nobody was asleep.
    @discardableResult
    public func advanceToNextSleeper() -> Duration? {
        let step: (woken: [ManualClockState.Sleeper], distance: Duration)? = state.withLock { state in
            guard let deadline = state.sleepers.first?.deadline else { return nil }
            let distance = state.now.duration(to: deadline)
            return (state.move(to: deadline), distance)
        }
        guard let step else { return nil }
        for sleeper in step.woken { sleeper.resume() }
        return step.distance
    }

    /// Sleeps until the clock has been moved to the deadline.
    ///
    /// - Parameter tolerance: Not used: a manual clock is exact.
    /// - Throws: `CancellationError` when the task is cancelled first, also when it was before the call.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let action = state.withLock { state in
                    // The flag is raised before cancellation handlers run, so a handler that found nobody is seen here.
                    state.sleep(id: id, until: deadline, isCancelled: Task.isCancelled, continuation: continuation)
                }
                action.perform(continuation)
            }
        } onCancel: {
            state.withLock { $0.removeSleeper(id: id) }?.resume(throwing: CancellationError())
        }
    }

    /// Waits until at least so many are asleep at once.
    ///
    /// Returns at once when they are, and early when the waiting task is cancelled.
    public func waitForSleepers(count: Int) async {
        let id = state.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || state.sleepers.count >= count { return true }
                    state.watchers.append(.init(id: id, count: count, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.removeWatcher(id: id) }?.resume()
        }
    }
}
