/// The next step of a refresh.
enum RefreshStep: Sendable {
    /// Another process was first.
    case alreadyReplaced(Secret)
    case send(RefreshRequest)
}

extension SessionManager {
    /// Decides what a caller that demands a token does.
    ///
    /// Not inlined: only callers without a valid token come here, and the transition is large.
    @inline(never)
    func decide(_ demand: TokenDemand) -> TokenDecision {
        let now = clock.uptime
        // Most of many concurrent callers find a decision, and change nothing.
        return read { $0.tokenDecision(demand, at: now) }
            ?? transition { machine, _ in machine.tokenRequested(demand, at: now) }
    }

    /// Prepares the request of a refresh: reads what other processes wrote, and marks the record before a token is sent whose
    /// answer can be lost.
    ///
    /// - Throws: `superseded` when the session is over; `storage` or `storageLocked` when the store cannot be read or marked.
    func prepare(_ refresh: RefreshOperation, _ rule: RefreshTokenRule) async throws(AuthError) -> RefreshStep {
        while true {
            try await synchronize()
            let now = clock.uptime
            if let token = read({ $0.replacement(of: refresh, at: now) }) { return .alreadyReplaced(token) }
            guard let request = read({ $0.request(for: refresh) }) else { throw .superseded }
            // Also where the record is marked: if it cannot be written, the answer could not be either.
            if try await mark(.sent, for: request, rule) { return .send(request) }
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
            // It says nothing about what another process has stored meanwhile.
            try? await synchronize()
            let (token, foreignRecords) = (request.session.refreshToken, request.foreignRecords)
            // While the lock is held, no other process uses the token.
            if rule == .singleUse, let lock, !lock.isHeld,
                read({ $0.mayBeUsedElsewhere(token, since: foreignRecords, refused: reason) })
            {
                return .usedElsewhere
            }
            if reason == .deleted { await LastSignIns(manager: self).forget(request.session.user.id) }
            // If the store fails, the write is retried automatically.
            if transition({ $0.refreshRejected(request, reason, because: error, at: $1.uptime) }) {
                try? await persistPending()
            }
        } else if !request.isRepeat, !error.classification.isOutcomeUnknown {
            // If that fails, the write is retried automatically.
            _ = try? await mark(.clear, for: request, rule)
        }
        return error
    }

    /// - Returns: `false` when another session, refresh token or record is present by now.
    private func mark(
        _ journal: RefreshJournal, for request: RefreshRequest, _ rule: RefreshTokenRule
    ) async throws(AuthError) -> Bool {
        // Without a refresh token nothing is sent.
        guard rule == .singleUse, let token = request.session.refreshToken?.present else { return true }
        if request.isStored {
            return try await writeMark(journal, of: token, in: request.generation, after: request.foreignRecords)
        }
        // No other process or launch can find this token, so it is enough to remember it.
        transition { machine, _ in machine.markInMemory(journal, in: request.generation) }
        return true
    }

    /// Writes in the record whether its refresh token was sent.
    ///
    /// - Parameters:
    ///   - token: `nil` for that of a migration.
    ///   - foreignRecords: How many records of other processes had been read when this was decided.
    /// - Returns: `false` when another session, refresh token or record is present by now.
    /// - Throws: `storage` or `storageLocked` when it could not be written.
    func writeMark(
        _ journal: RefreshJournal, of token: Secret? = nil, in generation: UInt64, after foreignRecords: UInt64
    ) async throws(AuthError) -> Bool {
        try await writing { () async throws(AuthError) -> Bool in
            let before = read { $0.journal }
            let writing = await replaceRecord(following: true) {
                $0.mark(journal, of: token, in: generation, after: foreignRecords, at: $1.date)
                    .map { (NextRecord.record($0), ()) }
            }
            switch writing {
            case .unwanted:
                transition { machine, _ in machine.markUnwritten(before: before, in: generation) }
                return false
            case .done: transition { machine, _ in machine.written(in: generation) }
            case .failed(let error, _):
                transition { $0.markFailed(journal, before: before, in: generation, error, at: $1.uptime) }
                throw error
            }
            return true
        }
    }

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
            The server refused the refresh token, which another process may have used after this one had lost the lock. The \
            user stays signed in. Try again.
            """)
    }
}
