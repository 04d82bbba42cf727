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
