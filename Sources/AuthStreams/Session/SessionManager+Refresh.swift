/// The next step of a refresh.
enum RefreshStep: Sendable {
    /// Another process was first.
    case alreadyReplaced(Secret)
    case send(RefreshRequest)
}

extension SessionManager {
    /// Decides what a caller does that demands a token of that user, or of anyone.
    ///
    /// Not inlined: only callers without a valid token come here, and the transition is large.
    @inline(never)
    func decide(_ demand: TokenDemand, of user: AuthUser.ID? = nil) -> TokenDecision {
        let now = clock.uptime
        // Most of many concurrent callers find a decision, and change nothing.
        return read { $0.tokenDecision(demand, of: user, at: now) }
            ?? transition { machine, _ in machine.tokenRequested(demand, of: user, at: now) }
    }

    /// Prepares the request of a refresh: reads what other processes wrote, and marks the record before a token is sent whose
    /// answer can be lost.
    ///
    /// - Throws: `superseded` when the session is over; `storage` or `storageLocked` when the store cannot be read or marked.
    func prepare(_ refresh: RefreshOperation, _ rule: RefreshTokenRule) async throws(AuthError) -> RefreshStep {
        for _ in 0..<StoredRecord.attempts {
            let found = try await synchronizeToReplaceTokens()
            let now = clock.uptime
            if let token = read({ $0.replacement(of: refresh, at: now) }) { return .alreadyReplaced(token) }
            guard var request = read({ $0.request(for: refresh) }), let found else { throw .superseded }
            // Without a refresh token nothing is sent.
            guard rule == .singleUse, request.kept.refreshToken?.present != nil else { return .send(request) }
            // Also where the record is marked: if it cannot be written, the answer could not be either.
            do throws(AuthError) {
                guard let mark = try await mark(request.stage, isRepeat: request.isRepeat, over: found) else {
                    continue
                }
                request.markVersion = mark.version
            } catch {
                emit(AuthEvent(.storageFailed, failure: .of(error)))
                throw error
            }
            return .send(request)
        }
        throw .recordIsBusy(.session)
    }

    /// Stores the answer to a request, and makes it the present session.
    ///
    /// A rotated refresh token is written here before the access token that came with it is handed out. While it cannot be
    /// written, ``StorageStateMachine/withholdsToken`` keeps the access token back.
    ///
    /// - Parameters:
    ///   - request: The session that the request began with. Where another process stored newer tokens of the same user since,
    ///     those stay.
    /// - Returns: The present session.
    /// - Throws: `superseded` when the session is over, here or by another process; nothing of the answer is kept then.
    ///   `storage` or `storageLocked` when a new refresh token could not be stored: it is kept in memory, and its access token
    ///   is handed out once it is stored.
    func commit(_ answer: AuthSession, to request: RefreshRequest) async throws(AuthError) -> AuthSession {
        try await writing { () async throws(AuthError) in
            guard transition({ $0.answerArrived(answer, to: request, at: $1) }) else {
                transition { machine, _ in machine.answerIgnored(answer, to: request.stage) }
                throw .superseded
            }
            var failure: AuthError?
            do throws(AuthError) { try await writePending() } catch { failure = error }
            return try transition { $0.answerSettled(answer, to: request, failure, at: $1) }.get()
        }
    }

    /// The request of a refresh failed. A terminal rejection ends the session and clears the store, before callers learn of it.
    ///
    /// - Parameter lock: The lock under which the token was sent; `nil` where none is needed.
    /// - Returns: What callers learn.
    func requestFailed(
        _ request: RefreshRequest, with error: AuthError, _ rule: RefreshTokenRule, _ lock: SessionStoreLock?
    ) async -> AuthError {
        if let reason = error.classification.sessionEnd(afterRepeat: request.isRepeat) {
            if await synchronizeAfterRefusal(of: request, reason, rule, lock) {
                return .usedElsewhere
            }
            return await refused(request, reason, because: error)
        } else if rule == .singleUse, !request.isRepeat, !error.classification.isOutcomeUnknown {
            await unmark(request.stage, at: request.markVersion)
        }
        return error
    }

    /// The server refused the refresh token of a request: its session is over.
    ///
    /// - Returns: What callers learn.
    func refused(_ request: RefreshRequest, _ reason: SignOutReason, because error: AuthError) async -> AuthError {
        if reason == .deleted, let user = request.kept.userID { await LastSignIns(manager: self).forget(user) }
        // If the store fails, the write is retried automatically.
        if transition({ $0.refreshRejected(request, reason, because: error, at: $1.uptime) }) {
            try? await persistPending()
        }
        // Another process has stored newer tokens, or signed this user in again.
        let isPresent = read {
            $0.kept?.id == request.stage.id || $0.user.map { $0.id == request.kept.userID } ?? false
        }
        return isPresent ? .usedElsewhere : error
    }

    /// Reads what another process has stored, about which a refusal says nothing.
    ///
    /// - Returns: Whether the server may have refused the token because another process had used it.
    @inline(never)
    func synchronizeAfterRefusal(
        of request: RefreshRequest, _ reason: SignOutReason, _ rule: RefreshTokenRule, _ lock: SessionStoreLock?
    ) async -> Bool {
        let isRead = (try? await synchronize(toReplaceTokens: false)) != nil
        // While the lock is held, no other process uses the token.
        guard rule == .singleUse, let lock, !lock.isHeld else { return false }
        return read { $0.mayBeUsedElsewhere(request, refused: reason, isRead: isRead) }
    }
}

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

    @inline(never)
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
    package func requireHeld() throws(AuthError) {
        guard isHeld else {
            throw AuthError(
                .storage,
                "The lock that keeps other processes from using the refresh token was lost before the token was used. Try again."
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
