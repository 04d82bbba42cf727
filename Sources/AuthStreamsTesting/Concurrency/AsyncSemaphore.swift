import AuthStreams

/// Admits a bounded number of tasks at a time, in order of arrival.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var queue: [Promise<Void>] = []
    }
    private let state: Lock<State>

    init(count: Int) {
        state = Lock(State(free: count))
    }

    /// Waits to be admitted.
    ///
    /// - Throws: `CancellationError` if the task was cancelled first. It must not signal then.
    func wait() async throws {
        let admission = Promise<Void>()
        state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                admission.resolve(())
            } else {
                state.queue.append(admission)
            }
        }
        guard await admission.value() == nil else { return }
        let wasQueued = state.withLock { state in
            let count = state.queue.count
            state.queue.removeAll { $0 === admission }
            return state.queue.count < count
        }
        // A task that is no longer in the queue was admitted at the moment of its cancellation.
        if !wasQueued { signal() }
        throw CancellationError()
    }

    /// Ends one admission of ``wait()``, and admits the task that has waited longest.
    func signal() {
        let next: Promise<Void>? = state.withLock { state in
            guard state.queue.isEmpty else { return state.queue.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resolve(())
    }
}
