import Foundation

extension SessionKeeper {
    /// Makes a stream that runs a chain as this keeper's present attempt.
    ///
    /// Beginning supersedes the attempt under way: that one's chain is cancelled through its own child task and ends with
    /// `superseded`. A session that is established before that stays, and is reported.
    ///
    /// - Parameter chain: Makes the chain of this attempt, which ends with the session that it established.
    func attempt(
        with provider: ProviderID, from step: AuthState.SignInStep,
        _ chain: @escaping @Sendable (SignInAttempt) -> AuthStream<Session>
    ) -> AuthStream<Session> {
        AuthStream(body: {
            let attempt = self.begin(provider, at: step)
            // The chain begins also when the cancel is there already: what comes with a credential may have to be kept.
            let outcome = await chain(attempt)
                .interrupted {
                    // Without a value the wait itself was cancelled, because the attempt is over.
                    guard await attempt.supersession.value() != nil else { return nil }
                    return .superseded
                }
                .body()
            return outcome.mapError { self.end(attempt, with: $0) }
        })
    }

    private func begin(_ provider: ProviderID, at step: AuthState.SignInStep) -> SignInAttempt {
        apply { rules, effects in
            let begun = rules.machine.attemptBegan(with: provider, at: step)
            let attempt = SignInAttempt(id: begun.id, provider: provider, startedAt: self.clock.uptime)
            effects.superseded = rules.attempt
            rules.attempt = attempt
            effects.events = [
                self.event(.signInStarted, of: attempt), self.event(.signInStep, of: attempt, step: step),
            ]
            return attempt
        }
    }

    /// Notes how far an attempt has come. News from an attempt that is no longer the present one is dropped.
    func reach(_ step: AuthState.SignInStep, in attempt: SignInAttempt) {
        apply { rules, effects in
            guard rules.machine.attemptReached(step, id: attempt.id) else { return }
            effects.events.append(self.event(.signInStep, of: attempt, step: step))
        }
    }

    private func end(_ attempt: SignInAttempt, with error: AuthError) -> AuthError {
        apply { rules, effects in
            let step = rules.machine.attempt.flatMap { $0.id == attempt.id ? $0.step : nil }
            rules.machine.attemptEnded(id: attempt.id)
            if rules.attempt?.id == attempt.id { rules.attempt = nil }
            let located = error.located(provider: attempt.provider, step: step)
            effects.events.append(self.event(.signInFailed, of: attempt, step: located.step, error: error.code))
            return located
        }
    }

    /// Stores the session of an attempt and makes it the present one.
    ///
    /// - Throws: `superseded` when another attempt or a sign-out took this one's place; then nothing of it stays.
    func establish(_ session: Session, by attempt: SignInAttempt) async throws(AuthError) {
        try await storeGate.run { () async throws(AuthError) in
            let (isPresent, isUnread) = apply { rules, _ in
                (rules.machine.attempt?.id == attempt.id, rules.machine.isUnread)
            }
            // Not written and taken back: a crash in between would bring it back.
            guard isPresent else { throw dropped(attempt) }
            let unread = isUnread ? try? await store.read(.session) : nil
            let failure = await write(session)
            guard commit(session, by: attempt, failure) else {
                await takeBack(over: unread)
                throw dropped(attempt)
            }
        }
    }

    /// On disk before anyone sees it. A store that fails is no reason to turn a person away who just signed in.
    private func write(_ session: Session) async -> AuthError? {
        do throws(AuthError) {
            try await store.write(SessionRecord(session).data(), for: .session)
            return nil
        } catch {
            return error
        }
    }

    private func commit(_ session: Session, by attempt: SignInAttempt, _ failure: AuthError?) -> Bool {
        apply { rules, effects in
            if let failure {
                effects.events.append(self.event(.storageFailed, of: attempt, error: failure.code))
            }
            guard rules.machine.sessionEstablished(session, by: attempt.id) else { return false }
            rules.attempt = nil
            rules.isStoreBehind = failure != nil
            effects.events.append(self.event(.signInSucceeded, of: attempt))
            return true
        }
    }

    /// Makes the store hold what it held before a write that does not count; if that fails, the store is known to be behind.
    private func takeBack(over unread: Data?) async {
        let isUnread = apply { rules, _ in rules.machine.isUnread }
        if isUnread, let unread { try? await store.write(unread, for: .session) }
        if isUnread, unread == nil { try? await store.remove(.session) }
        if !isUnread { try? await writePresent() }
    }

    private func dropped(_ attempt: SignInAttempt) -> AuthError {
        publish(event(.answerIgnored, of: attempt))
        return .superseded
    }

    private func event(
        _ kind: AuthEvent.Kind, of attempt: SignInAttempt, step: AuthState.SignInStep? = nil,
        error: AuthError.Code? = nil
    ) -> AuthEvent {
        AuthEvent(
            kind, attempt: attempt.id, provider: attempt.provider, step: step, error: error,
            elapsed: clock.uptime - attempt.startedAt)
    }
}

extension AuthError {
    fileprivate static var superseded: Self {
        AuthError(.superseded, "A newer sign-in or a sign-out took this attempt's place.")
    }
}
