import AuthStreams
import TestSupport
import Testing

/// The one element of a stream, after checking by hand that there is exactly one.
func outcome<Success>(of stream: AuthStream<Success>) async -> Result<Success, AuthError>? {
    var iterator = stream.makeAsyncIterator()
    let element = await iterator.next()
    return await iterator.next() == nil ? element : nil
}

/// Runs the work in a task that is cancelled before it begins.
func inCancelledTask<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task {
        await waitForCancellation()
        return await work()
    }
    task.cancel()
    return await task.value
}

extension Result {
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
