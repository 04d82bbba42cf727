/// Starts the tasks that the library owns: every one that is no child of its caller's.
///
/// A child task inherits where its parent runs, an unstructured one does not. So that a test can hold everything on one
/// executor, each is started here: in a test it goes where the test's starter puts it, everywhere else it is a plain
/// `Task`. The starter is task-local and unstructured tasks inherit those, so what they start in turn follows.
package enum OwnTask {
    package typealias Body = @Sendable () async -> Void

    /// How a task is started instead, for the calling task and those it starts.
    @TaskLocal package static var starter: (@Sendable (@escaping Body) -> Task<Void, Never>)?

    /// Starts a task of its own, with the caller's priority and task-locals. The caller cancels it.
    package static func start(_ body: @escaping Body) -> Task<Void, Never> {
        starter?(body) ?? Task { await body() }
    }
}
