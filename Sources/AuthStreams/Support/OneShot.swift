/// A value that arrives once and that anyone may wait for.
///
/// Who waits is woken by the value or by the cancellation of its own task, whichever is first; a waiter is resumed
/// exactly once. A value that came before anyone waited is kept.
package final class OneShot<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [UInt64: CheckedContinuation<Value?, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }
    private let state = Lock(State())

    package init() {}

    /// Keeps the value and wakes who waits, first come first served.
    ///
    /// - Returns: `false` when there was a value already; then this one is dropped.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let waiters: [UInt64: CheckedContinuation<Value?, Never>]? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiters = [:] }
            return state.waiters
        }
        guard let waiters else { return false }
        // In the order in which they came: two runs of one test do not differ, and a task group finds quickly who ended.
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.resume(returning: value) }
        return true
    }

    /// The value, if it is here already.
    package var current: Value? { state.withLock { $0.value } }

    /// Waits for the value.
    ///
    /// - Returns: `nil` when the waiting task was cancelled before the value came.
    package func value() async -> Value? {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let present: Value?? = state.withLock { state in
                    if let value = state.value { return .some(value) }
                    // The flag is raised before cancellation handlers run, so a handler that found nobody is seen here.
                    if Task.isCancelled { return .some(nil) }
                    state.waiters[id] = waiter
                    return nil
                }
                if let present { waiter.resume(returning: present) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }
}
