/// A value that is set once and that any number of tasks may wait for.
///
/// A waiter is resumed exactly once: by the value or by the cancellation of its own task, whichever is first. A value
/// that is set before a task waits is kept.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var hasCome = false
        /// In order of arrival; empty once the value is set.
        var waiting = WaitingList()
    }
    private let state = Lock(State())
    /// Unsafe: written once under the lock, before `hasCome` is set, and read only after `hasCome` was seen.
    ///
    /// Stored outside the lock's value, so that waiters that are resumed together do not contend for the lock again.
    private nonisolated(unsafe) var arrived: Value?

    package init() {}

    /// Stores the value and resumes the waiters in order of arrival.
    ///
    /// - Returns: `false` if there was a value already; the new one is dropped.
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

    /// The value, if it is set.
    package var current: Value? { state.withLock { $0.hasCome } ? arrived : nil }

    /// Waits for the value.
    ///
    /// - Returns: `nil` if the waiting task is cancelled before the value is set.
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

    /// - Returns: Whether the value is set; `nil` if the waiter has to wait.
    private func begin(_ waiter: Waiter) -> Bool? {
        state.withLock { state in
            if state.hasCome { return true }
            // The flag is set before cancellation handlers run, so a handler that found no waiter is seen here.
            if Task.isCancelled { return false }
            state.waiting.append(waiter)
            return nil
        }
    }
}

extension Promise: CustomReflectable {
    /// A mirror without children: the value may be a secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
