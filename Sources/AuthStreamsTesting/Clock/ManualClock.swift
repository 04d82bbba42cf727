public import AuthStreams
public import Foundation

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
/// | which sleepers wake? | all whose deadline has been reached, the earliest first, in order of arrival among equals |
/// | what if a sleeper sleeps again? | it counts from the clock's time: the end of the step, not the old deadline |
/// | a deadline that has passed? | the sleep returns at once |
/// | cancelled while asleep? | the sleep ends with `CancellationError`, and the sleeper no longer counts |
///
/// Every member may be used from any thread.
public final class ManualClock: Clock, Sendable {
    /// An instant of a manual clock, as an offset from the clock's start.
    public struct Instant: InstantProtocol {
        /// Time since the clock's start.
        package var offset: Duration

        /// Makes an instant.
        package init(offset: Duration) {
            self.offset = offset
        }

        /// Returns the instant that is later by the duration.
        public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }

        /// Returns the duration from this instant to another.
        public func duration(to other: Self) -> Duration { other.offset - offset }

        /// Returns whether the first instant is before the second.
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private let state = Lock(ManualClockState())

    /// Makes a clock at zero.
    public init() {}

    /// The instant to which the clock was last moved.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: no step is too small.
    public var minimumResolution: Duration { .zero }

    /// The number of sleepers.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock and wakes all sleepers whose deadline it reaches.
    ///
    /// - Parameter duration: The distance. A negative one does not move the clock.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.move(to: state.now.advanced(by: Swift.max(duration, .zero)))
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Moves the clock to the earliest deadline and wakes all sleepers of that deadline.
    ///
    /// - Returns: How far the clock moved, or `nil` if there was no sleeper.
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
    /// - Parameters:
    ///   - deadline: The instant.
    ///   - tolerance: Not used: a manual clock is exact.
    /// - Throws: `CancellationError` if the task is cancelled first, even before the call.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let action = state.withLock { state in
                    // The flag is set before cancellation handlers run, so a handler that found no sleeper is seen
                    // here.
                    state.sleep(id: id, until: deadline, isCancelled: Task.isCancelled, continuation: continuation)
                }
                action.perform(continuation)
            }
        } onCancel: {
            state.withLock { $0.removeSleeper(id: id) }?.resume(throwing: CancellationError())
        }
    }

    /// Waits until there are at least that many sleepers.
    ///
    /// Returns at once if there are, and early if the waiting task is cancelled.
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

extension ManualClock {
    /// Returns a clock for the library whose date moves with this one.
    ///
    /// - Parameter date: The date at this clock's start, not at the call: two clocks made with the same date always
    ///   agree.
    public func authClock(startingAt date: Date) -> AuthClock {
        AuthClock(self) { date.addingTimeInterval(self.now.offset / .seconds(1)) }
    }
}

/// The state machine of a ``ManualClock``: its sleepers and the tasks that wait for them, without lock and without
/// effect.
struct ManualClockState {
    struct Sleeper {
        let id: UInt64
        let deadline: ManualClock.Instant
        let continuation: CheckedContinuation<Void, any Error>

        func resume() { continuation.resume() }
    }

    struct Watcher {
        let id: UInt64
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    /// What to do with a task that wants to sleep.
    enum SleepAction {
        case sleeping(wake: [Watcher])
        case deadlinePassed
        case cancelled

        func perform(_ continuation: CheckedContinuation<Void, any Error>) {
            switch self {
            case .sleeping(let watchers): for watcher in watchers { watcher.continuation.resume() }
            case .deadlinePassed: continuation.resume()
            case .cancelled: continuation.resume(throwing: CancellationError())
            }
        }
    }

    private(set) var now = ManualClock.Instant(offset: .zero)
    /// By deadline, and in the order of arrival among equal ones.
    private(set) var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    private var lastID: UInt64 = 0

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func sleep(
        id: UInt64, until deadline: ManualClock.Instant, isCancelled: Bool,
        continuation: CheckedContinuation<Void, any Error>
    ) -> SleepAction {
        if isCancelled { return .cancelled }
        guard deadline > now else { return .deadlinePassed }
        let place = sleepers.firstIndex { $0.deadline > deadline } ?? sleepers.endIndex
        sleepers.insert(Sleeper(id: id, deadline: deadline, continuation: continuation), at: place)
        let satisfied = watchers.filter { $0.count <= sleepers.count }
        watchers.removeAll { $0.count <= sleepers.count }
        return .sleeping(wake: satisfied)
    }

    /// Returns the sleepers to wake, in order.
    mutating func move(to instant: ManualClock.Instant) -> [Sleeper] {
        now = Swift.max(now, instant)
        let due = sleepers.prefix { $0.deadline <= now }
        sleepers.removeFirst(due.count)
        return Array(due)
    }

    mutating func removeSleeper(id: UInt64) -> CheckedContinuation<Void, any Error>? {
        guard let place = sleepers.firstIndex(where: { $0.id == id }) else { return nil }
        return sleepers.remove(at: place).continuation
    }

    mutating func removeWatcher(id: UInt64) -> CheckedContinuation<Void, Never>? {
        guard let place = watchers.firstIndex(where: { $0.id == id }) else { return nil }
        return watchers.remove(at: place).continuation
    }
}
