/// The tasks that outlive the callers that started them, until they have ended.
final class OutstandingTasks: Sendable {
    private struct State {
        var count = 0
        /// Resolved when the last one ends.
        var end: Promise<Void>?
    }
    private let state = Lock(State())

    /// Starts a task. The caller may cancel it, or leave it alone.
    @discardableResult
    @inline(never)  // Not repeated in each of its callers.
    func start(priority: TaskPriority? = nil, _ body: @escaping TaskSpawner.Body) -> Task<Void, Never> {
        state.withLock { $0.count += 1 }
        return TaskSpawner.start(priority: priority) {
            await body()
            self.taskEnded()
        }
    }

    /// Whether none is left.
    var isEmpty: Bool { state.withLock { $0.count == 0 } }

    /// Waits until none is left, also of those that are started meanwhile.
    func waitUntilNone() async {
        while let end = remaining() { guard await end.value() != nil else { return } }
    }

    /// Resolved when the last task ends; `nil` when none is left.
    private func remaining() -> Promise<Void>? {
        state.withLock { state in
            guard state.count > 0 else { return nil }
            let end = state.end ?? Promise()
            state.end = end
            return end
        }
    }

    private func taskEnded() {
        let end: Promise<Void>? = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? state.end.take() : nil
        }
        end?.resolve(())
    }
}
