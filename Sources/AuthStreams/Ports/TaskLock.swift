/// A lock that tasks wait for: handed on in the order of asking, past those whose task was cancelled meanwhile.
///
/// No thread waits. Whoever holds it and asks again waits for itself.
final class TaskLock: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        /// In the order of asking; who gave up is still in it.
        var order = FIFO<UInt64>()
        var lastWaiter: UInt64 = 0
    }
    private let state = Lock(State())

    /// How many wait now.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits until the lock is free and takes it.
    ///
    /// - Returns: The lock; `nil` when the task is cancelled first. A cancelled task does not even get one that is free.
    func take() async -> SessionStoreLock? {
        guard await enter() else { return nil }
        return SessionStoreLock { self.handOn() }
    }

    /// Takes the lock if nobody has it.
    func takeIfFree() -> SessionStoreLock? {
        let isFree = state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
        return isFree ? SessionStoreLock { self.handOn() } : nil
    }

    private func enter() async -> Bool {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let answer: Bool? = state.withLock { state in
                    // The flag is raised before cancellation handlers run, so a handler that found nobody is seen here.
                    if Task.isCancelled { return false }
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
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: false)
        }
    }

    private func handOn() {
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

/// Locks by name, each made when it is first asked for.
final class TaskLocks: Sendable {
    private let locks = Lock([SessionStoreKey: TaskLock]())

    subscript(name: SessionStoreKey) -> TaskLock {
        locks.withLock { locks in
            let lock = locks[name] ?? TaskLock()
            locks[name] = lock
            return lock
        }
    }
}
