extension SessionManager {
    /// Makes a stream that runs a change of the account that is signed in. The state stays `signedIn` meanwhile.
    ///
    /// When the person signs out or another user takes their place, the chain is cancelled through its own child task, and the
    /// stream ends with `superseded`, or with what the server said about the session. A chain that succeeds all the same
    /// is reported.
    ///
    /// - Parameters:
    ///   - kind: What it is, for the events.
    ///   - plan: What can be refused before anything is shown, and with whom it will be done.
    ///   - chain: The change itself.
    func change<Plan: Sendable, Value: Sendable>(
        _ kind: AuthEvent.Change, plan: @escaping @Sendable (Session) async throws -> (Plan, ProviderID?),
        _ chain: @escaping @Sendable (AccountChange, Plan) async throws -> Value
    ) -> AuthStream<Value> {
        AuthStream { () async throws(AuthError) in
            guard let session = try await self.known() else { throw .notSignedIn }
            let (plan, provider) = try await authErrors { try await plan(session) }
            guard let change = self.begin(kind, with: provider, of: session.user.id) else { throw .superseded }
            let outcome = await AuthStream { try await LockBudget.shared { try await chain(change, plan) } }
                .interrupted { await change.interruption.value() }
                .body()
            return try self.end(change, with: outcome).get()
        }
    }

    /// Whether nobody knows yet who is signed in.
    var isRestoring: Bool {
        if case .restoring = state { true } else { look { $0.isUnread } }
    }

    /// Returns the session, once it is known who is signed in: not before storage was read, nor while the server is asked for
    /// the first time about a session of another SDK.
    ///
    /// - Throws: `storage` when storage could not be read; `network` when the server could not be asked whose session it is
    ///   that another SDK left, which is retried automatically; `cancelled`.
    func known() async throws(AuthError) -> Session? {
        if look({ $0.isUnread }) { _ = try await restore(isTriedAgain: true) }
        while let decision = apply({ rules, _ in rules.awaitDecision() }) {
            guard await decision.value() != nil else { throw .cancelled }
        }
        if Task.isCancelled { throw .cancelled }
        return try apply { rules, _ -> Result<Session?, AuthError> in
            let isUnknown = rules.machine.isAdoptionDelayed && rules.machine.session == nil
            return isUnknown ? .failure(.adopting) : .success(rules.machine.session)
        }.get()
    }

    private func begin(
        _ kind: AuthEvent.Change, with provider: ProviderID?, of userID: AuthUser.ID
    ) -> AccountChange? {
        let now = clock.uptime
        return apply { rules, effects in
            guard rules.machine.session?.user.id == userID else { return nil }
            let change = AccountChange(
                id: rules.machine.nextAttempt(), kind: kind, provider: provider, of: userID, startedAt: now)
            rules.changes.began(change)
            effects.events.append(change.event(.changeStarted, at: now))
            return change
        }
    }

    /// Notes how far a change has come. One that asks the person takes the place of whatever asked them before.
    func reach(_ step: AuthState.SignInStep, in change: AccountChange) {
        let now = clock.uptime
        apply { rules, effects in
            guard rules.changes.reached(step, by: change) else { return }
            if step == .presenting, let attempt = rules.attempt, attempt.id < change.id {
                rules.machine.attemptEnded(id: attempt.id)
                effects.superseded = attempt
                rules.attempt = nil
            }
            effects.events.append(change.event(.changeStep, at: now, step: step))
        }
    }

    /// Reports an error that did not end the change.
    func warn(of error: AuthError, in change: AccountChange) {
        publish(change.event(.providerWarning, at: clock.uptime, step: error.step, failure: error))
    }

    private func end<Value: Sendable>(
        _ change: AccountChange, with outcome: Result<Value, AuthError>
    ) -> Result<Value, AuthError> {
        let now = clock.uptime
        return apply { rules, effects in
            let step = rules.changes.ended(change)
            switch outcome {
            case .success: effects.events.append(change.event(.changeSucceeded, at: now))
            case .failure(let error):
                effects.events.append(change.event(.changeFailed, at: now, step: error.step ?? step, failure: error))
            }
            return outcome.mapError { $0.located(provider: change.provider, step: step) }
        }
    }
}

extension SessionManager.Rules {
    /// Takes out the changes that are not wanted any more, each with why.
    mutating func takeUnwantedChanges() -> [(change: AccountChange, error: AuthError)] {
        let (over, displaced) = changes.takeUnwanted(of: machine.session?.user.id, besides: attempt?.id)
        return over.map { ($0, .sessionOver(machine.endReason)) } + displaced.map { ($0, .superseded) }
    }
}

extension AuthError {
    /// Why a change of a session that is over ends: by the person's own doing, or by what the server said.
    fileprivate static func sessionOver(_ reason: SignOutReason?) -> Self {
        switch reason {
        case .deleted: AuthError(.userNotFound, "The account was deleted while it was being changed.")
        case .disabled: AuthError(.userDisabled, "The account was disabled while it was being changed.")
        case .expired, .revoked, .revokedAtProvider, .refreshInterrupted:
            AuthError(.sessionExpired, "The session ended while the account was being changed. Sign in again.")
        case .user, .elsewhere, nil: .superseded
        }
    }
}

extension AuthError {
    static var notSignedIn: Self {
        AuthError(.notSignedIn, "No user is signed in, so nothing was asked or sent. Sign in first.")
    }

    static var adopting: Self {
        AuthError(
            .network,
            "The session that another SDK left is still being taken over, because the server was not reached yet. Try "
                + "later.")
    }
}
