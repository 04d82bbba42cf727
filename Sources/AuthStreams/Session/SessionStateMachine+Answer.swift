import Foundation

/// The answers to refreshes and to changes of the account, and how a refresh ends.
extension SessionStateMachine {
    /// The answer to a request was read. It is shown once it is stored, or the store has failed.
    ///
    /// - Returns: Whether it is to be stored: not when the session is over, or another process replaced its tokens.
    package mutating func answerArrived(_ answer: AuthSession, to request: RefreshRequest, at now: Timestamp) -> Bool {
        guard let active, active.user.map({ $0.id == answer.user.id }) ?? true,
            storage.pending.map({ $0.next?.id == active.stage.id }) ?? true
        else { return false }
        let isCurrent = holdsRefreshToken(of: request)
        var next = active.kept
        let isChange = request.refresh == nil
        let isTaken =
            isChange
            ? next.change(by: answer, to: request, isCurrent: isCurrent, at: now.date)
            : next.refresh(by: answer, to: request, isCurrent: isCurrent, at: now.date)
        guard isTaken else { return false }
        replacePresent(by: next)
        if isChange {
            storage.pending?.isUserUnread = true
        } else {
            storage.pending?.answeredMark = request.markVersion
        }
        return true
    }

    /// New tokens or a changed user of the present session. A decision that brought the session stays one.
    mutating func replacePresent(by next: KeptSession) {
        var pending = storage.pending ?? PendingWrite(.tokens, ending: [])
        pending.next = next
        pending.progress = .queued(after: pending.backoff)
        storage.pending = pending
    }

    /// An answer is stored, or the store has failed.
    mutating func answered(_ kept: KeptSession, _ session: AuthSession, isStored: Bool, at now: Timestamp) {
        let before = self.kept
        // The tokens before may be found in the store, and sent again.
        let isFound = !isStored && (before.map { storage.mayHold($0.stage) } ?? false)
        let isWithheld = isFound && (before?.refreshToken != session.refreshToken || storage.withholdsToken)
        if active?.stage.id != kept.id {
            enter(
                .signedIn(ActiveSession(kept: kept, lifetime: TokenLifetime(of: session, at: now), isConfirmed: true)))
        }
        updateActive { $0.take(kept, session, at: now) }
        guard before?.stage != kept.stage else { return }
        if before?.session?.issuedAt != session.issuedAt { learnClockSkew(from: session, at: now) }
        if isWithheld { return storage.tokenReplaced() }
        storage.tokenReleased()
        // Also where the refresh token stays: what another process got for it meanwhile would be as new as this, and stay.
        if isFound, let before, before.stage.tokens < kept.stage.tokens { storage.tokenConsumed(before.stage) }
    }

    /// The answer to a request was handled. Ends the refresh that it answers, unless the tokens are withheld.
    ///
    /// - Parameter failure: Why it could not be stored.
    /// - Returns: The present session. `superseded` when the session is over.
    package mutating func answerSettled(
        _ answer: AuthSession, to request: RefreshRequest, _ failure: AuthError?, at now: Timestamp
    ) -> Result<AuthSession, AuthError> {
        guard let active, let present = active.session, present.user.id == answer.user.id,
            request.refresh == nil || active.stage.id == request.stage.id
        else {
            answerIgnored(answer, to: request.stage)
            return .failure(.superseded)
        }
        // The user is known from here on, also where the tokens are withheld.
        if request.refresh != nil, request.isAdoption || !storage.withholdsToken {
            emit(request.event(.refreshSucceeded, adopting: .adoptionSucceeded, at: now.uptime))
        }
        if storage.withholdsToken { return .failure(failure ?? .superseded) }
        if let refresh = request.refresh {
            add(.finish(refresh, .success(present.accessToken)))
            updateActive { $0.refresh = RefreshState() }
        }
        return .success(present)
    }

    /// The answer to a request came too late.
    package mutating func answerIgnored(_ answer: AuthSession, to stage: KeptSession.Stage) {
        storage.tokenConsumed(stage)
        emit(AuthEvent(.answerIgnored, provider: answer.provider))
    }

    /// Whether the server may have refused a refresh token because another process had used it: one that got the lock after this
    /// process had lost it, and marked the token as sent. Then the refusal says nothing about the session.
    ///
    /// - Parameter isRead: Whether the record was read since. Otherwise it is not known whether another process marked it.
    package func mayBeUsedElsewhere(
        _ request: RefreshRequest, refused reason: SignOutReason, isRead: Bool
    ) -> Bool {
        // That an account is disabled or deleted has nothing to do with the token.
        guard [.expired, .revoked, .refreshInterrupted].contains(reason), let version = request.markVersion
        else { return false }
        return holdsRefreshToken(of: request) && (!isRead || version != storage.known?.version)
    }

    /// A refresh ended. Ignored where the answer that was stored, or the end of the session, has ended it.
    package mutating func refreshEnded(
        _ refresh: RefreshOperation, _ result: Result<Secret, AuthError>, at now: Timestamp
    ) {
        guard let active, active.refresh.operation === refresh else { return }
        // Another process or a change may have been first, although this one failed.
        let replacement = replacement(of: refresh, at: now.uptime)
        var outage = active.refresh.outage
        if case .failure(let error) = result {
            var delay: Duration?
            if replacement == nil {
                (outage, delay) = active.outage(after: error, on: refreshPolicy, at: now)
            }
            emit(
                AuthEvent(
                    active.session == nil ? .adoptionDelayed : .refreshFailed, provider: active.kept.provider,
                    failure: .of(error), elapsed: now.uptime - refresh.startedAt,
                    details: delay.map { .retry(in: $0) }))
        }
        updateActive { $0.refresh = RefreshState(outage: outage) }
        add(.finish(refresh, replacement.map { .success($0) } ?? result))
    }
}

extension KeptSession {
    /// Which of its tokens an answer replaces.
    private enum Replacement {
        case refreshToken, accessToken, none
    }

    private func replacement(by answer: AuthSession) -> Replacement {
        let isNew = session?.accessToken != answer.accessToken
        // Without a refresh token, the access token is the only one.
        if refreshToken != answer.refreshToken || answer.refreshToken == nil && isNew { return .refreshToken }
        return isNew ? .accessToken : .none
    }

    /// Takes the answer to a refresh, also where another process got an access token beside the refresh token that was sent.
    ///
    /// - Parameter isCurrent: Whether the refresh token is that of the request.
    /// - Returns: Whether it was taken.
    fileprivate mutating func refresh(
        by answer: AuthSession, to request: RefreshRequest, isCurrent: Bool, at date: Date
    ) -> Bool {
        guard isCurrent else { return false }
        let (before, replacement) = (user, replacement(by: answer))
        var answer = answer
        // What another process changed since the request began may be missing in the answer.
        if let before, stage.edition != request.stage.edition { answer.user = before }
        // The same access token counts as renewed: its lifetime begins again.
        take(answer, replacing: replacement == .none ? .accessToken : replacement, at: date)
        isSent = false
        // It may bring a changed user, too. An adoption brings the first one.
        if !request.isAdoption, user != before { stage.edition += 1 }
        return true
    }

    /// Takes the answer to a change of the account.
    ///
    /// - Parameter isCurrent: Whether the refresh token is that of the request.
    /// - Returns: Whether it was taken: not before an adoption.
    fileprivate mutating func change(
        by answer: AuthSession, to request: RefreshRequest, isCurrent: Bool, at date: Date
    ) -> Bool {
        let replacement = replacement(by: answer)
        // The access token of a change alone does not take the place of one that another process got since.
        if isCurrent, replacement == .refreshToken || stage.renewal == request.stage.renewal {
            take(answer, replacing: replacement, at: date)
        } else {
            // The tokens by which another process replaced those of the request stay.
            guard case .established(var session) = content else { return false }
            session.user = answer.user
            content = .established(session)
        }
        stage.edition += 1
        return true
    }

    private mutating func take(_ answer: AuthSession, replacing replacement: Replacement, at date: Date) {
        switch replacement {
        case .refreshToken:
            (stage.revision, stage.renewal) = (stage.revision + 1, 0)
            isSent = false
        case .accessToken: stage.renewal += 1
        case .none: break
        }
        // When the tokens were first stored, which is what their lifetime counts from.
        if session?.accessToken != answer.accessToken { savedAt = date }
        content = .established(answer)
    }
}

extension ActiveSession {
    /// Takes what an answer has made of the session.
    fileprivate mutating func take(_ kept: KeptSession, _ answer: AuthSession, at now: Timestamp) {
        // How long the token before is valid is known by the uptime, also after the date was set.
        if session?.accessToken != answer.accessToken || session?.expiresAt != answer.expiresAt {
            lifetime = TokenLifetime(of: answer, at: now)
        } else if stage.tokens != kept.stage.tokens {
            lifetime = lifetime.postponed(at: now.uptime)
        }
        // A session that has just been entered is confirmed, and has no outage.
        let isNew = stage != kept.stage
        self.kept = kept
        guard isNew else { return }
        isConfirmed = true
        endOutage()
    }

    /// The outage that a failed refresh begins or prolongs, and the time until it is retried.
    fileprivate func outage(
        after error: AuthError, on policy: RefreshPolicy, at now: Timestamp
    ) -> (RefreshState.Outage, Duration?) {
        var backoff =
            refresh.outage?.backoff ?? Backoff(of: session == nil ? .adoption(isUserKnown: user != nil) : .refresh)
        let delay = backoff.failed(error, spreadBy: kept.refreshToken, at: now.uptime)
        // Where it is not retried, a launch screen would show without end. Once shown as signed out, it is not shown as restoring again.
        let isShownAsOver = policy == .onDemand || refresh.outage?.isStalled ?? false
        let isStalled = delay == nil || user == nil && isShownAsOver
        return (
            RefreshState.Outage(backoff: backoff, since: refresh.outage?.since ?? now.date, isStalled: isStalled), delay
        )
    }
}
