package import Foundation

extension SessionStateMachine {
    /// The access token that is handed out until its end, and the refresh that callers join afterwards; `nil` while there is
    /// none, or it is withheld.
    package var currentToken: (token: Secret, end: Duration?, refresh: RefreshOperation?)? {
        guard let active, !storage.withholdsToken else { return nil }
        return (active.session.accessToken, active.lifetime.end, active.refresh.operation)
    }

    /// When something is done without a caller; `nil` for never.
    package var due: Duration? { [refreshDue, storage.retryAt].compactMap { $0 }.min() }

    package var refreshDue: Duration? {
        guard refreshPolicy == .aheadOfExpiry, let active, !storage.withholdsToken,
            active.session.refreshToken?.present != nil
        else { return nil }
        return switch active.refresh {
        case .idle: active.lifetime.due
        case .waiting(let outage): active.lifetime.due(after: outage.backoff)
        case .running: nil
        }
    }

    /// A caller demands a token.
    package mutating func tokenRequested(_ demand: TokenDemand, at now: Duration) -> TokenDecision {
        if let decision = tokenDecision(demand, at: now) { return decision }
        guard let session else { return .waitUntilKnown }
        let refresh = RefreshOperation(replaced: session.accessToken, startedAt: now)
        updateActive { $0.refresh = .running(refresh, after: $0.refresh.outage) }
        return .start(refresh)
    }

    /// What a caller that demands a token does; `nil` when it begins a refresh.
    package func tokenDecision(_ demand: TokenDemand, at now: Duration) -> TokenDecision? {
        guard let active else {
            switch state {
            // On demand, a caller begins the adoption.
            case .migrating(let migration) where migration.legacy.user != nil && refreshPolicy == .aheadOfExpiry:
                return .fail(migration.failure?.error(at: now) ?? .adopting)
            case .signedOut: return .fail(.notSignedIn)
            default: return .waitUntilKnown
            }
        }
        if storage.withholdsToken { return .persistFirst }
        let (token, isValid) = (active.session.accessToken, !active.lifetime.isOver(at: now))
        switch demand {
        case .valid where isValid: return .token(token)
        case .replacing(let refused) where isValid && refused != token: return .token(token)
        default: break
        }
        // A session without a refresh token lasts as long as its access token. Asking the repository would end it.
        if isValid, active.session.refreshToken?.present == nil { return .fail(.onlyToken) }
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
    func request(of refresh: RefreshOperation? = nil) -> RefreshRequest? {
        active.map {
            RefreshRequest(
                session: $0.session, generation: generation, refresh: refresh, isRepeat: $0.journal == .sent,
                isStored: storage.mayHold($0.session.refreshToken), foreignRecords: storage.foreignRecords)
        }
    }

    /// The access token, if another process replaced the one of a refresh meanwhile.
    package func replacement(of refresh: RefreshOperation, at now: Duration) -> Secret? {
        guard let active, active.refresh.operation === refresh, !storage.withholdsToken,
            active.session.accessToken != refresh.replaced, !active.lifetime.isOver(at: now)
        else { return nil }
        return active.session.accessToken
    }

    /// A refresh token is about to be sent.
    ///
    /// - Returns: Whether it may be: not when its session is over.
    package mutating func requestBegan(_ request: RefreshRequest) -> Bool {
        guard request.generation == generation else { return false }
        emit(AuthEvent(request.isRepeat ? .refreshResent : .refreshStarted, provider: request.session.provider))
        return true
    }

    /// The journal of that refresh token is to say that it was sent, or was not.
    ///
    /// - Parameters:
    ///   - token: `nil` for that of a migration.
    ///   - foreignRecords: How many records of other processes had been read when this was decided. A later one may have the
    ///     mark of a process that got the lock after this one had lost it.
    /// - Returns: The record to write; `nil` when another session, refresh token or record is present.
    package mutating func mark(
        _ journal: RefreshJournal, of token: Secret?, in generation: UInt64, after foreignRecords: UInt64, at now: Date
    ) -> SessionRecord? {
        guard generation == self.generation, foreignRecords == storage.foreignRecords,
            token == nil || active?.session.refreshToken == token
        else { return nil }
        setJournal(journal)
        return record(at: now)
    }

    /// The journal could not be written.
    ///
    /// - Parameter before: What it said before.
    package mutating func markFailed(
        _ journal: RefreshJournal, before: RefreshJournal, in generation: UInt64, _ error: AuthError, at now: Duration
    ) {
        guard generation == self.generation else { return emit(AuthEvent(.storageFailed, failure: error)) }
        // Nothing is sent then. The record may say something else, so it is written again.
        if journal == .sent { setJournal(before) }
        writeFailed(error, at: now)
    }

    /// The journal was not written, because another process wrote in between. Its record says whether the token was sent.
    ///
    /// - Parameter before: What the journal said before, for a record that cannot be read.
    package mutating func markUnwritten(before: RefreshJournal, in generation: UInt64) {
        guard generation == self.generation else { return }
        guard let theirs = storage.observed?.record else { return setJournal(before) }
        guard theirs.kept?.refreshToken == active?.session.refreshToken else { return }
        setJournal(RefreshJournal(isSent: theirs.isUnanswered))
    }

    /// The journal changed in memory alone, where no other process or launch can find the token.
    package mutating func markInMemory(_ journal: RefreshJournal, in generation: UInt64) {
        if generation == self.generation { setJournal(journal) }
    }

    /// What replaces the present session, by the answer to a request.
    package struct Replacement: Hashable, Sendable {
        package let session: Session
        package let record: SessionRecord
        /// Whether another process or launch may find the refresh token that is replaced.
        let isPredecessorStored: Bool
    }

    /// What an answer makes of the present session; `nil` when its generation is over.
    package func replacement(by answer: Session, to request: RefreshRequest, at now: Date) -> Replacement? {
        guard generation == request.generation, let active else { return nil }
        let last = active.session
        let next = answer.replacing(request.session, in: last)
        // The answer concerns the token that was sent, and not one that another process stored since.
        let isAnswered = request.refresh != nil && last.refreshToken == request.session.refreshToken
        let isSent = active.journal == .sent && !isAnswered && last.refreshToken == next.refreshToken
        let record = SessionRecord(
            .established(next), isUnanswered: isSent, signedInAt: active.signedInAt,
            // When the tokens were first stored, which is what their lifetime counts from.
            savedAt: next.accessToken == last.accessToken ? active.savedAt ?? now : now)
        return Replacement(session: next, record: record, isPredecessorStored: storage.mayHold(last.refreshToken))
    }

    /// What became of an answer that replaces the session.
    package enum Commit: Sendable {
        case present
        /// The tokens are withheld until they are stored.
        case withheld
        /// The session is over.
        case superseded
    }

    /// The replacement was written, or could not be. Ends the refresh that it answers, unless the tokens are withheld.
    package mutating func replaced(
        by replacement: Replacement, to request: RefreshRequest, _ failure: AuthError?, at now: Timestamp
    ) -> Commit {
        guard request.generation == generation, let active else { return .superseded }
        let next = replacement.session
        let isRotated = active.session.refreshToken != next.refreshToken
        let isWithheld =
            failure != nil && replacement.isPredecessorStored && (isRotated || storage.withholdsToken)
        updateActive { active in
            active.journal = RefreshJournal(isSent: replacement.record.isUnanswered)
            active.savedAt = replacement.record.savedAt
            // How long the token before is valid is known by the uptime, also after the date was set.
            if active.session.accessToken != next.accessToken || active.session.expiresAt != next.expiresAt {
                active.lifetime = TokenLifetime(of: next, at: now)
            } else if request.refresh != nil {
                active.lifetime = active.lifetime.postponed(at: now.uptime)
            }
            active.session = next
            active.isConfirmed = true
            active.endOutage()
        }
        learnClockSkew(from: next, at: now)
        if !isWithheld { storage.tokenReleased() }
        written(failure, at: now.uptime)
        if isWithheld { storage.tokenReplaced(request.session.refreshToken) }
        guard !isWithheld else { return .withheld }
        if let refresh = request.refresh {
            emit(AuthEvent(.refreshSucceeded, provider: next.provider, elapsed: now.uptime - refresh.startedAt))
            add(.finish(refresh, .success(next.accessToken)))
            updateActive { $0.refresh = .idle }
        }
        return .present
    }

    /// The answer to a request came too late.
    package mutating func answerIgnored(_ answer: Session, consuming token: Secret?) {
        storage.tokenConsumed(token)
        emit(AuthEvent(.answerIgnored, provider: answer.provider))
    }

    /// Whether the server may have refused a refresh token because another process had used it: one that got the lock after this
    /// process had lost it, and marked the token as sent. Then the refusal says nothing about the session.
    package func mayBeUsedElsewhere(
        _ token: Secret?, since foreignRecords: UInt64, refused reason: SignOutReason
    ) -> Bool {
        // That an account is disabled or deleted has nothing to do with the token.
        guard [.expired, .revoked, .refreshInterrupted].contains(reason) else { return false }
        let present = active?.session.refreshToken ?? migration?.legacy.refreshToken
        return foreignRecords != storage.foreignRecords && token == present
    }

    /// A terminal rejection of a refresh: the session is over. It says nothing about newer tokens of another process. A sign-in
    /// under way continues.
    ///
    /// - Returns: Whether it ended the session. Then the caller persists that, and finishes the refresh.
    package mutating func refreshRejected(
        _ request: RefreshRequest, _ reason: SignOutReason, because error: AuthError, at now: Duration
    ) -> Bool {
        defer { storage.tokenConsumed(request.session.refreshToken) }
        guard request.generation == generation, let active, active.session.hasTokens(of: request.session) else {
            return false
        }
        updateActive { $0.refresh = .idle }
        emit(
            AuthEvent(
                .refreshRefused, provider: active.session.provider, failure: error,
                elapsed: request.refresh.map { now - $0.startedAt }))
        end(reason, because: error)
        storage.enqueue(.terminalRejection)
        return true
    }

    /// A refresh ended. Ignored where the answer that was stored, or the end of the session, has ended it.
    package mutating func refreshEnded(
        _ refresh: RefreshOperation, _ result: Result<Secret, AuthError>, at now: Timestamp
    ) {
        guard let active, active.refresh.operation === refresh else { return }
        // Another process or a change may have been first, although this one failed.
        let replacement = replacement(of: refresh, at: now.uptime)
        var outage = active.refresh.outage
        var delay: Duration?
        if case .failure(let error) = result {
            if replacement == nil {
                var backoff = outage?.backoff ?? RetryPolicy()
                delay = backoff.failed(error, spreadBy: active.session.refreshToken, at: now.uptime)
                outage = .init(backoff: backoff, since: outage?.since ?? now.date)
            }
            emit(
                AuthEvent(
                    .refreshFailed, provider: active.session.provider, failure: error,
                    elapsed: now.uptime - refresh.startedAt, delay: delay))
        }
        updateActive { $0.refresh = outage.map { .waiting($0) } ?? .idle }
        add(.finish(refresh, replacement.map { .success($0) } ?? result))
    }
}

extension Session {
    /// What the answer to a request makes of the session that is present by now. Where another process replaced the tokens
    /// since, they stay.
    fileprivate func replacing(_ before: Session, in present: Session) -> Session {
        let isUntouched = present.accessToken == before.accessToken && present.refreshToken == before.refreshToken
        guard !isUntouched else { return self }
        var next = present
        next.user = user
        return next
    }

    /// Whether both have the same refresh token, or where there is none, the same access token.
    fileprivate func hasTokens(of other: Session) -> Bool {
        refreshToken == other.refreshToken && (refreshToken != nil || accessToken == other.accessToken)
    }
}

extension AuthError {
    fileprivate static var onlyToken: Self {
        AuthError(
            .sessionExpired,
            "The session has no refresh token, so there is no newer access token. It stays signed in until that is over."
        )
    }

    fileprivate static func held(for rest: Duration) -> Self {
        AuthError(.rateLimited, "The server asked to be left alone, so nothing was sent. Try later.", retryAfter: rest)
    }
}
