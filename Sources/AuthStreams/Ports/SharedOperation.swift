/// One operation for all callers that request it while it is under way: one of them runs it, and each gets its outcome.
///
/// A caller whose task is cancelled ends with `cancelled`. If it was running the operation, the next caller starts it
/// again.
package final class SharedOperation<Value: Sendable>: Sendable {
    private let turn = AsyncMutex()
    private let outcome = Lock<Result<Value, AuthError>?>(nil)

    init() {}

    /// Whether there is an outcome, so that a later caller has to begin another operation.
    var isOver: Bool { outcome.withLock { $0 != nil } }

    /// Whether a caller carries it out: not when the only one was cancelled.
    var isUnderWay: Bool { turn.isTaken && !isOver }

    /// How many callers wait for the one that carries it out.
    var waiting: Int { turn.waiting }

    /// Returns the outcome, after carrying the operation out where no other caller does or did.
    func result(_ body: () async -> Result<Value, AuthError>) async -> Result<Value, AuthError> {
        guard let turn = await turn.take() else { return .failure(.cancelled) }
        defer { turn.release() }
        if let outcome = outcome.withLock({ $0 }) { return outcome }
        let result = await body()
        if case .failure(let error) = result, error.code == .cancelled, Task.isCancelled { return result }
        outcome.withLock { $0 = result }
        return result
    }
}

extension SharedOperation: Hashable {
    package static func == (first: SharedOperation, second: SharedOperation) -> Bool { first === second }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
