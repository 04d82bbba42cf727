/// What remains to be done for an end once the lock is released.
///
/// Generic so that state machines can be tested without a task: `Worker` is one, `Reader` is a continuation.
struct TerminationActions<Output: Sendable, Reader: Sendable, Worker: Sendable>: Sendable {
    /// The tasks to cancel.
    var workers: [Worker] = []
    /// The readers that waited, and what they get.
    var answers: [(reader: Reader, answer: DemandBuffer<Output, Reader>.Answer)] = []
    /// What nobody will read. It lives until here because letting go of an element may run anything.
    var dropped: [Output] = []
    /// What nobody will be told, for the same reason.
    var untold: (any Error)?
}

/// One call of `next()` that waits.
///
/// Unsafe, that is unchecked: a state machine gives each reader back exactly once, taking it out of its queue as it does.
typealias OperatorReader<Output: Sendable> = UnsafeContinuation<Result<Output?, any Error>, Never>

extension TerminationActions where Reader == OperatorReader<Output>, Worker == Task<Void, Never> {
    func perform() {
        for worker in workers { worker.cancel() }
        for (reader, answer) in answers { reader.resume(returning: answer) }
    }
}
