/// The work that an end leaves for the time after the lock is released.
///
/// Generic so that state machines can be tested without a task: `Worker` is one, `Reader` is a continuation.
struct TerminationActions<Output: Sendable, Reader: Sendable, Worker: Sendable>: Sendable {
    /// The tasks to cancel.
    var workers: [Worker] = []
    /// The readers that waited, and what they get.
    var answers: [(reader: Reader, answer: DemandBuffer<Output, Reader>.Answer)] = []
    /// The elements that are not read. They are kept until here because releasing an element may run any code.
    var dropped: [Output] = []
    /// The error that no reader gets, for the same reason.
    var untold: (any Error)?
}

/// One call of `next()` that waits.
///
/// Unsafe, that is unchecked: a state machine returns each reader exactly once and removes it from its queue.
typealias OperatorReader<Output: Sendable> = UnsafeContinuation<Result<Output?, any Error>, Never>

extension TerminationActions where Reader == OperatorReader<Output>, Worker == Task<Void, Never> {
    func perform() {
        for worker in workers { worker.cancel() }
        for (reader, answer) in answers { reader.resume(returning: answer) }
    }
}
