/// A value that arrives once and that anyone may wait for.
///
/// Who waits is woken by the value or by the cancellation of its own task, whichever is first; a waiter is resumed
/// exactly once. A value that came before anyone waited is kept.
package final class OneShot<Value: Sendable>: Sendable {
    /// Where one waits. Unchecked: touched under the lock of the state alone.
    private final class Seat: @unchecked Sendable {
        var waiter: CheckedContinuation<Value?, Never>?
    }

    private struct State {
        var value: Value?
        /// In the order in which they came; empty where somebody left.
        var seats: [Seat] = []
        var emptySeats = 0

        mutating func leave(_ seat: Seat) -> CheckedContinuation<Value?, Never>? {
            guard let waiter = seat.waiter.take() else { return nil }
            emptySeats += 1
            // Now and then, so that leaving costs the same however many wait.
            if emptySeats > 16, emptySeats * 2 > seats.count {
                seats.removeAll { $0.waiter == nil }
                emptySeats = 0
            }
            return waiter
        }
    }
    private let state = Lock(State())

    package init() {}

    /// Keeps the value and wakes who waits, first come first served.
    ///
    /// - Returns: `false` when there was a value already; then this one is dropped.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let waiters: [CheckedContinuation<Value?, Never>]? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.seats = [] }
            return state.seats.compactMap { $0.waiter.take() }
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume(returning: value) }
        return true
    }

    /// The value, if it is here already.
    package var current: Value? { state.withLock { $0.value } }

    /// Waits for the value.
    ///
    /// - Returns: `nil` when the waiting task was cancelled before the value came.
    package func value() async -> Value? {
        let seat = Seat()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let present: Value?? = state.withLock { state in
                    if let value = state.value { return .some(value) }
                    // The flag is raised before cancellation handlers run, so a handler that found nobody is seen here.
                    if Task.isCancelled { return .some(nil) }
                    seat.waiter = waiter
                    state.seats.append(seat)
                    return nil
                }
                if let present { waiter.resume(returning: present) }
            }
        } onCancel: {
            state.withLock { $0.leave(seat) }?.resume(returning: nil)
        }
    }
}
