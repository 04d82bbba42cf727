extension SessionManager {
    /// Runs a section that sends the refresh token or replaces it: one at a time, in all processes.
    ///
    /// - Parameters:
    ///   - budget: How long it waits for other processes.
    ///   - section: Gets the lock of all processes; `nil` where none is needed. It checks that the lock is still held right before
    ///     it sends something.
    func withRefreshLock<Value: Sendable>(
        _ rule: RefreshTokenRule, within budget: TimeBudget = TimeBudget(),
        _ section: (SessionStoreLock?) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        try await refreshMutex.run { () async throws(AuthError) in
            let lock = try await takeRefreshLock(rule, within: budget)
            let outcome: Result<Value, AuthError>
            do throws(AuthError) { outcome = .success(try await section(lock)) } catch { outcome = .failure(error) }
            await releaseRefreshLock(lock, rule)
            return try outcome.get()
        }
    }

    private func takeRefreshLock(
        _ rule: RefreshTokenRule, within budget: TimeBudget
    ) async throws(AuthError) -> SessionStoreLock? {
        var lock = transition { machine, _ in machine.storage.takeLock() }
        if lock == nil {
            do throws(AuthError) { lock = try await budget.lock(.refreshLock, of: store, by: clock) } catch {
                // Two processes may use a token that stays valid, so that is no reason not to refresh.
                guard rule == .reusable, error.code != .cancelled else { throw error }
            }
        }
        try? await persistPending()
        return lock
    }

    private func releaseRefreshLock(_ lock: SessionStoreLock?, _ rule: RefreshTokenRule) async {
        // The next holder reads the store, and must not find a token there whose answer was read here.
        await persistQueued()
        if let lock, rule == .reusable || !transition({ machine, _ in machine.storage.retain(lock) }) { lock.release() }
    }
}

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

extension SessionStoreLock {
    /// - Throws: `storage` when the lock is lost: another process may use the refresh token now.
    func requireHeld() throws(AuthError) {
        guard isHeld else {
            throw AuthError(
                .storage,
                "The lock that keeps other processes from using the refresh token was lost, so nothing was sent. Try again."
            )
        }
    }
}

extension AuthError {
    /// A refusal that says nothing about the session.
    static var usedElsewhere: Self {
        AuthError(
            .storage,
            """
            The server refused the refresh token, which another process may have used or replaced meanwhile. The user stays \
            signed in. Try again.
            """)
    }
}
