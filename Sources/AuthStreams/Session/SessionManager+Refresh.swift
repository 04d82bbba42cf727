/// The next step of a refresh.
enum RefreshStep: Sendable {
    /// Another process was first.
    case alreadyReplaced(Secret)
    case send(RefreshRequest)
}

extension SessionManager {
    /// Prepares the request of a refresh: reads what other processes wrote, and marks the record before a token is sent whose
    /// answer can be lost.
    ///
    /// - Throws: `superseded` when the session is over; `storage` or `storageLocked` when the store cannot be read or marked.
    func prepare(_ refresh: RefreshOperation, _ rule: RefreshTokenRule) async throws(AuthError) -> RefreshStep {
        while true {
            try await synchronize()
            let now = clock.uptime
            if let token = look({ $0.replacement(of: refresh, at: now) }) { return .alreadyReplaced(token) }
            guard var request = look({ $0.request(for: refresh) }) else { throw .superseded }
            // Also where the record is marked: if it cannot be written, the answer could not be either.
            if try await mark(.sent, for: &request, rule) { return .send(request) }
        }
    }

    /// The request of a refresh failed. A terminal rejection ends the session and clears the store, before callers learn of it.
    func requestFailed(_ request: RefreshRequest, with error: AuthError, _ rule: RefreshTokenRule) async {
        if let reason = error.classification.sessionEnd(afterRepeat: request.isRepeat) {
            // It says nothing about what another process has stored meanwhile.
            try? await synchronize()
            // If the store fails, the write is retried automatically.
            if refreshRejected(request, reason, because: error) { try? await persistPending() }
        } else if !request.isRepeat, !error.classification.isOutcomeUnknown {
            var request = request
            // If that fails, the write is retried automatically.
            _ = try? await mark(.clear, for: &request, rule)
        }
    }

    /// - Returns: `false` when another session, refresh token or record is present by now.
    private func mark(
        _ journal: RefreshJournal, for request: inout RefreshRequest, _ rule: RefreshTokenRule
    ) async throws(AuthError) -> Bool {
        // Without a refresh token nothing is sent.
        guard rule == .singleUse, let token = request.session.refreshToken?.present else { return true }
        if request.isStored {
            let written = try await writeMark(journal, of: token, in: request.generation, over: request.record)
            if let written { request.record = written }
            return written != nil
        }
        // No other process or launch can find this token, so it is enough to remember it.
        markInMemory(journal, in: request.generation)
        return true
    }

    /// Writes in the record whether its refresh token was sent.
    ///
    /// - Parameters:
    ///   - token: `nil` for that of a migration.
    ///   - version: That of the record by which this was decided; `nil` if none was read. A later one may have the mark of
    ///     another process, which got the lock after this one had lost it, and may have sent the same token.
    /// - Returns: The version of the record that says so; `nil` when another session, refresh token or record is present by now.
    /// - Throws: `storage` or `storageLocked` when it could not be written.
    func writeMark(
        _ journal: RefreshJournal, of token: Secret? = nil, in generation: UInt64, over version: RecordVersion?
    ) async throws(AuthError) -> RecordVersion? {
        try await writing { () async throws(AuthError) -> RecordVersion? in
            let before = look { $0.journal }
            let outcome = await write(following: true) { _ in
                guard look({ $0.storage.observed?.stored.version }) == version else { return nil }
                return mark(journal, of: token, in: generation).map { .record($0) }
            }
            switch outcome {
            case .unwanted: return nil
            case .done: written(in: generation)
            case .failed(let error):
                markFailed(journal, before: before, in: generation, error)
                throw error
            }
            return look { $0.storage.observed?.stored.version }
        }
    }

    /// Runs a section that sends the refresh token or replaces it: one at a time, in all processes.
    ///
    /// - Parameter section: Gets the lock of all processes; `nil` where none is needed. It checks that the lock is still held
    ///   right before it sends something.
    func withRefreshLock<Value: Sendable>(
        _ rule: RefreshTokenRule, _ section: (SessionStoreLock?) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        try await refreshMutex.run { () async throws(AuthError) in
            let lock = try await takeRefreshLock(rule)
            let outcome: Result<Value, AuthError>
            do throws(AuthError) { outcome = .success(try await section(lock)) } catch { outcome = .failure(error) }
            await releaseRefreshLock(lock, rule)
            return try outcome.get()
        }
    }

    private func takeRefreshLock(_ rule: RefreshTokenRule) async throws(AuthError) -> SessionStoreLock? {
        var lock = takeRetainedLock()
        if lock == nil {
            let budget = TimeBudget.current ?? TimeBudget()
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
        if let lock, rule == .reusable || !retain(lock) { lock.release() }
    }
}

extension SessionStoreLock? {
    /// Sends a refresh token, if the lock that keeps other processes from sending it is held; `nil` where none is needed.
    ///
    /// - Throws: `storage` when the lock is lost. Then nothing is sent; and a refusal that is read afterwards says nothing about
    ///   the session, because another process may have used the token.
    func whileHeld<Value>(_ send: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        try self?.requireHeld()
        do throws(AuthError) { return try await send() } catch {
            if error.classification.sessionEnd != nil { try self?.requireHeld() }
            throw error
        }
    }
}

extension SessionStoreLock {
    /// - Throws: `storage` when the lock is lost: another process may use the refresh token now.
    func requireHeld() throws(AuthError) {
        guard isHeld else {
            throw AuthError(
                .storage,
                "The lock that keeps other processes from using the refresh token was lost, so the session is not refreshed now. Try again."
            )
        }
    }
}
