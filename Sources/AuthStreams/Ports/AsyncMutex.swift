/// A mutex that suspends tasks instead of blocking threads, in order of arrival.
///
/// An actor would not do: it runs another call at every `await`. The mutex is not reentrant: a task that holds it and
/// takes it again waits for itself.
package final class AsyncMutex: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        /// In order of arrival, including waiters that were cancelled.
        var order = FIFO<UInt64>()
        private var lastWaiter: UInt64 = 0

        mutating func nextID() -> UInt64 {
            lastWaiter += 1
            return lastWaiter
        }
    }
    private let state = Lock(State())

    /// Whether a task holds it.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// The number of waiting tasks.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Runs a section exclusively.
    ///
    /// The wait ignores cancellation, because a section such as clearing a store must not be skipped.
    func run<Value, Failure: Error>(_ section: () async throws(Failure) -> Value) async throws(Failure) -> Value {
        _ = await withCheckedContinuation { enter($0, state.withLock { $0.nextID() }) }
        defer { resumeNext() }
        return try await section()
    }

    /// Waits until the mutex is free and takes it.
    ///
    /// - Returns: The lock; `nil` if the task is cancelled first. A cancelled task gets no lock even if the mutex is
    ///   free.
    package func take() async -> SessionStoreLock? {
        let id = state.withLock { $0.nextID() }
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // The flag is set before cancellation handlers run, so a handler that found no waiter is seen in
                // `enter`.
                enter(waiter, id, unless: { Task.isCancelled })
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: false)
        }
        return isTaken ? SessionStoreLock { self.resumeNext() } : nil
    }

    /// Takes the mutex if it is free.
    package func takeIfFree() -> SessionStoreLock? {
        let isFree = state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
        return isFree ? SessionStoreLock { self.resumeNext() } : nil
    }

    @inline(never)  // Not repeated in each of its callers.
    private func enter(
        _ waiter: CheckedContinuation<Bool, Never>, _ id: UInt64, unless isCancelled: () -> Bool = { false }
    ) {
        let answer: Bool? = state.withLock { state in
            if isCancelled() { return false }
            guard state.isTaken else {
                state.isTaken = true
                return true
            }
            state.waiters[id] = waiter
            state.order.append(id)
            return nil
        }
        if let answer { waiter.resume(returning: answer) }
    }

    private func resumeNext() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            while let id = state.order.popFirst() {
                if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
            }
            state.isTaken = false
            return nil
        }
        next?.resume(returning: true)
    }
}

/// Mutexes by name, each made when it is first requested.
package final class AsyncMutexes: Sendable {
    private let mutexes = Lock([SessionStoreKey: AsyncMutex]())

    package init() {}

    package subscript(name: SessionStoreKey) -> AsyncMutex {
        mutexes.withLock { mutexes in
            let mutex = mutexes[name] ?? AsyncMutex()
            mutexes[name] = mutex
            return mutex
        }
    }
}
