/// The use case 'refresh': provides access tokens, and refreshes the session when its access token is no longer valid.
///
/// ```
/// accessToken() ──▶ valid? ──▶ the token: one lock, one look at the clock
///                     │ no
///                     ▼
///     the refresh under way, or a new one: refresh lock ─▶ synchronize ─▶ mark 'sent' (single use) ─▶ ask the server
///                     ─▶ store the answer ─▶ all callers
/// ```
///
/// Any number of callers share one request, which outlives the caller that started it. Only a terminal rejection by the server
/// ends the session. The state machine decides; this type sequences the steps that take time.
public struct RefreshSession: Sendable {
    let repository: any AuthRepository
    @usableFromInline let manager: SessionManager
    /// How long all requests of one operation wait for other processes; each request has a budget of its own if `nil`.
    private let budget: TimeBudget?

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager) {
        self.init(repository: repository, manager: manager, budget: nil)
    }

    private init(repository: any AuthRepository, manager: SessionManager, budget: TimeBudget?) {
        self.repository = repository
        self.manager = manager
        self.budget = budget
    }

    /// Returns the use case for one operation, whose requests share one budget.
    func sharingBudget() -> Self {
        budget == nil ? Self(repository: repository, manager: manager, budget: TimeBudget()) : self
    }

    /// Runs a section that sends the refresh token or replaces it.
    func withRefreshLock<Value: Sendable>(
        _ section: (SessionStoreLock?) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        try await manager.withRefreshLock(repository.refreshTokenRule, within: budget ?? TimeBudget(), section)
    }

    /// Returns a valid access token, refreshing the session first if necessary.
    ///
    /// - Parameter forceRefresh: Whether to request a new token although the present one is valid.
    /// - Throws: ``AuthError``; `notSignedIn` when no user is signed in; `sessionExpired`, `userDisabled` or `userNotFound`
    ///   after a terminal rejection, which signs out; `sessionExpired`, without signing out, for a forced refresh without a
    ///   refresh token; `superseded` when the user signed out or changed meanwhile; `rateLimited` until the server's
    ///   `Retry-After` has passed, with the rest in `retryAfter`; `storage` or `storageLocked` while new tokens cannot be
    ///   stored; `storage` also for a refused refresh token that another process may have used; why a session of another SDK
    ///   could not be adopted yet; `timedOut` also while a process that was stopped has the refresh lock; `cancelled`; or why
    ///   the request failed; the session stays.
    @inlinable
    public func accessToken(forceRefresh: Bool = false) async throws(AuthError) -> Secret {
        // Inlined, so that a valid token is returned without a call that may suspend, which reserves its frame first.
        switch forceRefresh ? .none : manager.currentToken {
        case .token(let token): return token
        case .refresh(let refresh): return try await refresh.token()
        case .none: return try await token(isNew: forceRefresh)
        }
    }

    @usableFromInline
    func token(isNew: Bool) async throws(AuthError) -> Secret {
        try await token(isNew ? manager.read { $0.demandOfNewToken } : .valid)
    }

    /// Returns a valid access token other than that one, which a server refused.
    package func accessToken(replacing refused: Secret) async throws(AuthError) -> Secret {
        try await token(.replacing(refused))
    }

    /// Returns the session, with a valid access token.
    ///
    /// - Parameters:
    ///   - user: Whose session it has to be; unless given, that of the user who is signed in at the call. A caller that repeats
    ///     a request names the user of the first one, or the next user would send it.
    ///   - refused: An access token of theirs that a server refused, so that it has to be another.
    /// - Throws: As ``accessToken(forceRefresh:)``; `superseded` when another user is signed in by now.
    package func session(
        of user: AuthUser.ID? = nil, replacing refused: Secret? = nil
    ) async throws(AuthError) -> AuthSession {
        // Before, it is not known whose session is meant.
        if user == nil { try await manager.waitUntilRead() }
        let (present, id) = manager.read { ($0.user?.id, $0.kept?.id) }
        return try await session(of: user ?? present, id, replacing: refused)
    }

    /// - Parameter id: The session at the call. Where its user was not known, another session is another user's.
    @inline(never)  // Not repeated in each of its callers.
    private func session(
        of user: AuthUser.ID?, _ id: SessionID?, replacing refused: Secret? = nil
    ) async throws(AuthError) -> AuthSession {
        while true {
            let token = try await token(refused.map(TokenDemand.replacing) ?? .valid)
            guard let active = manager.read({ $0.active }), let session = active.session,
                user.map({ $0 == session.user.id }) ?? (id == nil || id == active.stage.id)
            else { throw .superseded }
            // The next may be there already, and not be stored yet.
            if session.accessToken == token { return session }
        }
    }

    private func token(_ demand: TokenDemand) async throws(AuthError) -> Secret {
        var user: AuthUser.ID?
        while true {
            // The next user's token is for the next user's callers.
            user = user ?? manager.user?.id
            try await manager.passGate()
            // A cancelled caller starts no request.
            let now = manager.clock.uptime
            guard !Task.isCancelled || manager.read({ $0.tokenDecision(demand, at: now) != nil }) else {
                throw .cancelled
            }
            let refresh: RefreshOperation
            switch manager.decide(demand, of: user) {
            case .token(let token): return token
            case .fail(let error): throw error
            case .waitUntilKnown:
                try await manager.waitUntilRead()
                continue
            case .persistFirst:
                try await manager.persistPending()
                continue
            case .join(let running): refresh = running
            case .start(let new):
                start(new)
                refresh = new
            }
            let token = try await refresh.token()
            // It closed meanwhile, or an adoption has told whose session it is.
            if manager.isGateClosed { continue }
            // A refresh that found newer tokens may return the token that was refused since.
            if demand != .replacing(token) || refresh.replaced == token { return token }
        }
    }

    /// Not a child task: other callers wait for it, and its answer must be stored also when this caller is cancelled. They may have
    /// a higher priority.
    @inline(never)  // Not repeated in each of its callers.
    private func start(_ refresh: RefreshOperation) {
        manager.outstanding.start(priority: .high) { await run(refresh) }
    }

    private func run(_ refresh: RefreshOperation) async {
        let result = await AuthStream { () async throws(AuthError) in try await perform(refresh) }
            .interrupted {
                // Without a value the wait itself was cancelled, because the refresh is over.
                await refresh.supersession.value().map { .superseded }
            }
            .body()
        manager.transition { $0.refreshEnded(refresh, result, at: $1) }
        // A terminal rejection ended the refresh together with its session.
        refresh.outcome.resolve(result)
        if refresh.replaced == nil { await manager.discardAdopted() }
    }

    private func perform(_ refresh: RefreshOperation) async throws(AuthError) -> Secret {
        let rule = repository.refreshTokenRule
        return try await withRefreshLock { lock throws(AuthError) in
            // Reads what other processes wrote. Where an answer can be lost, marks the record before anything is sent.
            let request: RefreshRequest
            switch try await manager.prepare(refresh, rule) {
            case .alreadyReplaced(let token): return token
            case .send(let prepared): request = prepared
            }
            guard manager.transition({ machine, _ in machine.requestBegan(request) }) else { throw .superseded }
            let answer: AuthSession
            do throws(AuthError) {
                try lock?.requireHeld()
                answer = try await repository.renew(request.kept, of: manager, holding: lock)
                guard request.isAdoption || request.kept.userID == answer.user.id else { throw .anotherUsersAnswer }
            } catch {
                throw await manager.requestFailed(request, with: error, rule, lock)
            }
            guard request.kept.userID ?? answer.user.id == answer.user.id else {
                await repository.revoke(answer, of: manager)
                throw await manager.refused(request, .expired, because: .anotherUsersToken)
            }
            do throws(AuthError) {
                return try await manager.commit(answer, to: request).accessToken
            } catch {
                if error.code == .superseded { await repository.revokeUnused(answer, of: manager) }
                throw error
            }
        }
    }

    /// Waits until the session can be used: reads the store, passes the gate, and adopts an adoptable session.
    ///
    /// - Returns: `nil` when no user is signed in.
    /// - Throws: `storage` when the store could not be read; why the gate refused, or the session could not be adopted; `cancelled`.
    func currentSession() async throws(AuthError) -> AuthSession? {
        try await manager.waitUntilRead()
        if Task.isCancelled { throw .cancelled }
        try await manager.passGate()
        guard let active = manager.read({ $0.active }) else { return nil }
        if let session = active.session { return session }
        return try await session(of: active.user?.id, active.stage.id)
    }

    /// Waits until it is known who is signed in: reads the store, and adopts an adoptable session. The gate is not asked.
    func waitUntilKnown() async throws(AuthError) {
        try await manager.waitUntilRead()
        if let active = manager.read({ $0.active }), active.session == nil { try await adopt(active.stage.id) }
    }

    /// Waits for the refresh that adopts a session: the one under way, or a new one; for none if it is adopted or over.
    @inline(never)  // Not repeated in each of its callers.
    func adopt(_ id: SessionID) async throws(AuthError) {
        if Task.isCancelled { throw .cancelled }
        switch manager.transition({ $0.isAdopting(id) ? $0.tokenRequested(.valid, at: $1.uptime) : nil }) {
        case .start(let refresh):
            start(refresh)
            _ = try await refresh.token()
        case .join(let refresh): _ = try await refresh.token()
        case .fail(let error): throw error
        case .token, .persistFirst, .waitUntilKnown, nil: break
        }
    }

    /// Waits for the refresh that is due, or under way; for none otherwise.
    ///
    /// - Parameter id: The session that is refreshed; the one that is present unless given.
    func refreshIfDue(of id: SessionID? = nil) async throws(AuthError) {
        let isMeant: @Sendable (borrowing SessionStateMachine) -> Bool = { id == nil || $0.kept?.id == id }
        if let refresh = manager.transition({ isMeant($0) ? $0.dueRefreshBegan(at: $1.uptime) : nil }) {
            start(refresh)
            _ = try await refresh.token()
        } else {
            _ = try await manager.read { isMeant($0) ? $0.active?.refresh.operation : nil }?.token()
        }
    }

    /// Refreshes ahead of expiry, and retries refreshes and writes that failed, until the task is cancelled.
    func runSchedule() async {
        while !Task.isCancelled {
            let schedule = manager.schedule
            guard let due = schedule.due else {
                _ = await schedule.change.value()
                continue
            }
            let rest = due - manager.clock.uptime
            if rest > .zero {
                await manager.clock.sleep(for: rest, unless: schedule.change)
                continue
            }
            // The result is in the next schedule, and reported as an event.
            if manager.isWriteDue {
                try? await manager.persistPending()
            } else {
                try? await refreshIfDue()
            }
            // A step that did not change the schedule is not repeated at once.
            if manager.schedule.change === schedule.change {
                await manager.clock.sleep(for: .seconds(30), unless: schedule.change)
            }
        }
    }
}
