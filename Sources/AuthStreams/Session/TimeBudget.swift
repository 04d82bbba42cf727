/// How long one operation waits for other processes in all, however many locks it takes one after the other.
///
/// Only waiting counts: an operation that asks the person in between may take as long as they do.
final class TimeBudget: Sendable {
    private let spent = Lock(Duration.zero)

    /// 30 s for one operation. A process that was stopped, as with Ctrl-Z, keeps its lock for longer.
    static let limit = Duration.seconds(30)

    /// Takes a lock of the store, waiting for the rest of the budget at most.
    func lock(
        _ name: SessionStoreKey, of store: any SessionStore, by clock: AuthClock
    ) async throws(AuthError) -> SessionStoreLock {
        let begin = clock.uptime
        defer {
            let waited = clock.uptime - begin
            spent.withLock { $0 += waited }
        }
        return try await store.lock(name, waitingAtMost: max(.zero, Self.limit - spent.withLock { $0 }))
    }
}
