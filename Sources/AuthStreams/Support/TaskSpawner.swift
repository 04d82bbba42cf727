/// Starts the tasks that the library owns: every one that is no child of its caller's.
///
/// A child task inherits where its parent runs, an unstructured one does not. So that a test can hold everything on one
/// executor, each is started here: in a test it goes where the test's starter puts it, everywhere else it is a plain
/// `Task`. The starter is task-local and unstructured tasks inherit those, so what they start in turn follows.
package enum TaskSpawner {
    package typealias Body = @Sendable () async -> Void

    /// How a task is started instead.
    ///
    /// Named, because an optimized build finds no type at run time for a task-local value that is such a closure itself.
    private struct Starter: Sendable {
        let start: @Sendable (@escaping Body) -> Task<Void, Never>
    }

    /// For the calling task and those it starts.
    @TaskLocal private static var starter: Starter?

    /// Starts a task of its own, with the caller's task-locals. The caller cancels it.
    ///
    /// - Parameter priority: The task's priority; the caller's unless given. A task that others will wait for needs one, because a
    ///   waiter does not raise it.
    package static func start(priority: TaskPriority? = nil, _ body: @escaping Body) -> Task<Void, Never> {
        starter?.start(body) ?? Task(priority: priority) { await body() }
    }

    /// Has the tasks that the operation starts, and those that they start in turn, started in another way.
    package static func withStarter<Result>(
        _ start: @escaping @Sendable (@escaping Body) -> Task<Void, Never>, _ operation: () throws -> Result
    ) rethrows -> Result {
        try $starter.withValue(Starter(start: start), operation: operation)
    }
}
