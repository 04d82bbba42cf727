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
                emit(AuthEvent(.storageFailed, failure: error))
                throw error
            }
            return .send(request)
        }
        throw .recordIsBusy(.session)
    }

    /// The request of a refresh failed. A terminal rejection ends the session and clears the store, before callers learn of it.
    ///
    /// - Parameter lock: The lock under which the token was sent; `nil` where none is needed.
    /// - Returns: What callers learn.
    func requestFailed(
        _ request: RefreshRequest, with error: AuthError, _ rule: RefreshTokenRule, _ lock: SessionStoreLock?
    ) async -> AuthError {
        if let reason = error.classification.sessionEnd(afterRepeat: request.isRepeat) {
            if await synchronizeAfterRefusal(of: request.stage, request.markVersion, reason, rule, lock) {
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
        of stage: KeptSession.Stage, _ markVersion: RecordVersion?, _ reason: SignOutReason, _ rule: RefreshTokenRule,
        _ lock: SessionStoreLock?
    ) async -> Bool {
        let isRead = (try? await synchronize(toReplaceTokens: false)) != nil
        // While the lock is held, no other process uses the token.
        guard rule == .singleUse, let lock, !lock.isHeld else { return false }
        return read { $0.mayBeUsedElsewhere(stage, markedAt: markVersion, refused: reason, isRead: isRead) }
    }
}
