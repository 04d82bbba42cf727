/// Starts the unstructured tasks of the library.
///
/// A child task inherits its parent's executor preference; an unstructured task does not. All unstructured tasks are
/// started here, so that a test can run them on one executor: inside `withStarter` the test's starter runs them,
/// elsewhere each is a plain `Task`. The starter is task-local, so tasks that they start in turn inherit it.
package enum TaskSpawner {
    package typealias Body = @Sendable () async -> Void

    /// How a task is started instead of by `Task`.
    ///
    /// A named type, because an optimized build cannot find the run-time type of a task-local value that is such a
    /// closure.
    private struct Starter: Sendable {
        let start: @Sendable (@escaping Body) -> Task<Void, Never>
    }

    /// The starter of the calling task and of the tasks it starts.
    @TaskLocal private static var starter: Starter?

    /// Starts an unstructured task with the caller's task-local values. The caller cancels it.
    ///
    /// - Parameter priority: The task's priority; the caller's unless given. Give one to a task that others wait for,
    ///   because a waiter does not raise its priority.
    @inline(never)  // Not repeated in each of its callers.
    package static func start(priority: TaskPriority? = nil, _ body: @escaping Body) -> Task<Void, Never> {
        starter?.start(body) ?? Task(priority: priority) { await body() }
    }

    /// Runs an operation whose unstructured tasks, and those that they start in turn, are started by a custom starter.
    package static func withStarter<Result>(
        _ start: @escaping @Sendable (@escaping Body) -> Task<Void, Never>, _ operation: () throws -> Result
    ) rethrows -> Result {
        try $starter.withValue(Starter(start: start), operation: operation)
    }
}
