package import Foundation

extension SessionStateMachine {
    /// The access token that is handed out until its end, and the refresh that callers join afterwards; `nil` while there is
    /// none, or it is withheld.
    package var currentToken: (token: Secret, end: Duration?, refresh: RefreshOperation?)? {
        guard let active, let session = active.session, !storage.withholdsToken, !gate.isKnownClosed else { return nil }
        // Where there is a gate, callers look at it once more after a refresh.
        guard gate.exists else { return (session.accessToken, active.lifetime.end, active.refresh.operation) }
        return (session.accessToken, [active.lifetime.end, gate.closesAt].compactMap { $0 }.min(), nil)
    }

    /// When something is done without a caller; `nil` for never.
    package var due: Duration? { [refreshDue, storage.retryAt].compactMap { $0 }.min() }

    package var refreshDue: Duration? {
        guard refreshPolicy == .aheadOfExpiry, let active, !storage.withholdsToken,
            active.kept.refreshToken?.present != nil
        else { return nil }
        guard active.refresh.operation == nil else { return nil }
        guard let outage = active.refresh.outage else { return active.lifetime.due }
        return outage.isStalled ? nil : active.lifetime.due(after: outage.backoff)
    }

    /// What a caller demands that forces a refresh: a token other than the present one. One that another process gets meanwhile
    /// is new, too.
    package var demandOfNewToken: TokenDemand { .replacing(session?.accessToken) }

    /// A caller demands a token.
    ///
    /// - Parameter user: Whose it has to be; anyone's who is signed in if `nil`.
    package mutating func tokenRequested(
        _ demand: TokenDemand, of user: AuthUser.ID? = nil, at now: Duration
    ) -> TokenDecision {
        if let decision = tokenDecision(demand, of: user, at: now) { return decision }
        guard active != nil else { return .waitUntilKnown }
        let refresh = RefreshOperation(replaced: session?.accessToken, startedAt: now)
        updateActive { $0.refresh.operation = refresh }
        return .start(refresh)
    }

    /// Begins the refresh that is due without a caller; `nil` if none is.
    mutating func dueRefreshBegan(at now: Duration) -> RefreshOperation? {
        guard let refreshDue, refreshDue <= now, case .start(let refresh) = tokenRequested(demandOfNewToken, at: now)
        else { return nil }
        return refresh
    }

    /// What a caller that demands a token does; `nil` when it begins a refresh.
    package func tokenDecision(
        _ demand: TokenDemand, of user: AuthUser.ID? = nil, at now: Duration
    ) -> TokenDecision? {
        guard let active else {
            return if case .signedOut = state { .fail(.notSignedIn) } else { .waitUntilKnown }
        }
        if let user, active.user?.id != user { return .fail(.superseded) }
        if storage.withholdsToken { return .persistFirst }
        if let token = active.session?.accessToken, !active.lifetime.isOver(at: now) {
            switch demand {
            case .valid: return .token(token)
            case .replacing(let before?) where before != token: return .token(token)
            default: break
            }
            // A session without a refresh token lasts as long as its access token. Asking the repository would end it.
            if active.kept.refreshToken?.present == nil { return .fail(.onlyToken) }
        }
        if let running = active.refresh.operation { return .join(running) }
        if let held = active.refresh.outage?.backoff.heldUntil, now < held { return .fail(.held(for: held - now)) }
        return nil
    }

    /// What a refresh is to send; `nil` when its session is over.
    package func request(for refresh: RefreshOperation) -> RefreshRequest? {
        active?.refresh.operation === refresh ? request(of: refresh) : nil
    }

    /// A request with the present session; `nil` when there is none.
    ///
    /// - Parameter refresh: `nil` for a change of the account.
    package func request(of refresh: RefreshOperation? = nil) -> RefreshRequest? {
        active.map { RefreshRequest(kept: $0.kept, refresh: refresh, isRepeat: $0.kept.isSent) }
    }

    /// The access token, if another process replaced the one of a refresh meanwhile.
    package func replacement(of refresh: RefreshOperation, at now: Duration) -> Secret? {
        guard let active, active.refresh.operation === refresh, !storage.withholdsToken,
            let token = active.session?.accessToken, token != refresh.replaced, !active.lifetime.isOver(at: now)
        else { return nil }
        return token
    }

    /// A refresh token is about to be sent.
    ///
    /// - Returns: Whether it may be: not when its session is over.
    package mutating func requestBegan(_ request: RefreshRequest) -> Bool {
        guard holds(request.stage) else { return false }
        if !request.isAdoption {
            emit(AuthEvent(request.isRepeat ? .refreshResent : .refreshStarted, provider: request.kept.provider))
        }
        return true
    }

    /// Whether the present session has the refresh token of that stage.
    package func holds(_ stage: KeptSession.Stage) -> Bool { kept?.stage.hasRefreshToken(of: stage) ?? false }

    /// Whether the present session has the refresh token of a request, and no other process got another one for the same.
    func holdsRefreshToken(of request: RefreshRequest) -> Bool {
        holds(request.stage) && kept?.refreshToken == request.kept.refreshToken
    }

    // MARK: The mark

    /// What is to be done before a refresh token is sent whose answer can be lost.
    package enum Mark: Equatable, Sendable {
        /// The record is to say that the token is sent.
        case write(SessionRecord)
        /// The store does not hold the token, so it is enough to remember it.
        case inMemory
        /// Another session, refresh token or mark is present.
        case outdated
        /// The record is damaged or older than the session, or the session of another SDK could not be stored, and the record
        /// could not be written now.
        case impossible(AuthError)
    }

    /// A refresh token is about to be sent.
    ///
    /// - Parameters:
    ///   - isRepeat: Whether the request counts as repeated.
    ///   - found: The record, which was read right before and observed.
    package mutating func markBegan(
        _ stage: KeptSession.Stage, isRepeat: Bool, over found: RecordSnapshot
    ) -> Mark {
        guard holds(stage) else { return .outdated }
        if let session = found.ownSession, session.stage.hasRefreshToken(of: stage) {
            return mark(session, with: found.history, for: stage, isRepeat: isRepeat)
        }
        if found.isDamaged, let problem = found.problem { return .impossible(problem.error) }
        return markInMemory(stage, beside: found.stage)
    }

    /// Marks the token in the record.
    ///
    /// - Parameter session: The session of the record, which has the token.
    private mutating func mark(
        _ session: KeptSession, with history: SessionRecord.History, for stage: KeptSession.Stage, isRepeat: Bool
    ) -> Mark {
        // The access token here is not stored, so the record's mark may be that of the request which it answers.
        guard session.stage.tokens >= stage.tokens else {
            return storage.failure(after: 0).map { .impossible($0) } ?? .outdated
        }
        // Another process has sent it since, so a request of this one counts as repeated.
        guard !session.isSent || isRepeat else {
            setSent(true)
            return .outdated
        }
        var marked = session
        marked.isSent = true
        return .write(SessionRecord(marked, history))
    }

    /// Remembers that the token is sent, if the store cannot hold it.
    ///
    /// - Parameter found: The stage of the record's session, which has another token.
    private mutating func markInMemory(_ stage: KeptSession.Stage, beside found: KeptSession.Stage?) -> Mark {
        // Another process replaced the token, or the session is not stored yet. A write that failed since may have stored it.
        guard let pending = storage.pending, pending.next?.id == stage.id, !storage.mayHold(stage),
            found.map({ $0.id != stage.id || $0.revision < stage.revision }) ?? true
        else { return .outdated }
        // That SDK has its token, too, so another process may find it there and send it.
        if case .adoptable = pending.next?.content { return .impossible(.notStored) }
        setSent(true)
        return .inMemory
    }

    /// A record was written that differs from the one that was read in a mark or a note alone.
    ///
    /// - Parameter data: The bytes of the record.
    package mutating func markWritten(
        _ record: SessionRecord, as version: RecordVersion, _ data: Data = Data(), over found: RecordSnapshot,
        at now: Timestamp
    ) {
        // What another process wrote is the present session's from here on, and no later reading says so.
        if !isUnread { _ = observed(found, at: now) }
        storage.written(RecordSnapshot(record, as: StoredRecord(data: data, version: version)), over: found)
        if let session = record.session, holds(session.stage) { setSent(session.isSent) }
    }

    /// The mark of a token that was not sent, or whose answer was read.
    ///
    /// - Parameter version: The version of the record with the mark; `nil` where the store did not hold the token.
    /// - Returns: The record without the mark, and the one to write it over; `nil` if none is written: the mark is another
    ///   process's by now, or was in memory, or the session is over here.
    package mutating func unmarkBegan(
        _ stage: KeptSession.Stage, at version: RecordVersion?
    ) -> (SessionRecord, RecordSnapshot)? {
        guard holds(stage) else { return nil }
        guard let version else {
            // If the token was stored since, it was with its mark, which stays.
            if storage.pending?.next?.id == stage.id { setSent(false) }
            return nil
        }
        guard let known = storage.known, known.version == version, var session = known.session,
            session.stage.hasRefreshToken(of: stage)
        else { return nil }
        session.isSent = false
        return (SessionRecord(session, known.history), known)
    }
}

extension AuthError {
    fileprivate static var notStored: Self {
        AuthError(
            .storage,
            "The session of another SDK could not be stored yet, so its token was not sent. Try again.")
    }

    fileprivate static var onlyToken: Self {
        AuthError(
            .sessionExpired,
            "The session has no refresh token, so there is no newer access token. It stays signed in until that is over."
        )
    }

    fileprivate static func held(for rest: Duration) -> Self {
        AuthError(
            .rateLimited, "The server's `Retry-After` has not passed, so nothing was sent. Try later.", retryAfter: rest
        )
    }
}
