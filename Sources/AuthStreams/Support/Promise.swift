/// A value that arrives once and that anyone may wait for.
///
/// Who waits is woken by the value or by the cancellation of its own task, whichever is first; a waiter is resumed
/// exactly once. A value that came before anyone waited is kept.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var hasCome = false
        /// In the order in which they came; nobody once the value is here.
        var waiting = WaitingList()
    }
    private let state = Lock(State())
    /// Unsafe: written under the lock, once and before `hasCome` is raised, and read by nobody who has not seen that since.
    ///
    /// Not in the lock's own value, or each of a crowd that is woken at once would wait for the lock again.
    private nonisolated(unsafe) var arrived: Value?

    package init() {}

    /// Keeps the value and wakes who waits, first come first served.
    ///
    /// - Returns: `false` when there was a value already; then this one is dropped.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let waiters: Waiters? = state.withLock { state in
            guard !state.hasCome else { return nil }
            arrived = value
            state.hasCome = true
            return state.waiting.takeAll()
        }
        waiters?.resume(returning: true)
        return waiters != nil
    }

    /// The value, if it is here already.
    package var current: Value? { state.withLock { $0.hasCome } ? arrived : nil }

    /// Waits for the value.
    ///
    /// - Returns: `nil` when the waiting task was cancelled before the value came.
    package func value() async -> Value? { await wait(with: Waiter()) ? arrived : nil }

    private func wait(with waiter: Waiter) async -> Bool {
        defer { waiter.wasResumed() }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                waiter.park(continuation)
                if let hasCome = begin(waiter) { waiter.resume(returning: hasCome) }
            }
        } onCancel: {
            if state.withLock({ $0.waiting.remove(waiter) }) { waiter.resume(returning: false) }
        }
    }

    /// - Returns: Whether the value is here already; `nil` when the waiter is to wait for it.
    private func begin(_ waiter: Waiter) -> Bool? {
        state.withLock { state in
            if state.hasCome { return true }
            // The flag is raised before cancellation handlers run, so a handler that found nobody is seen here.
            if Task.isCancelled { return false }
            state.waiting.append(waiter)
            return nil
        }
    }
}

extension Promise: CustomReflectable {
    /// A mirror without children: what arrives may be a secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
