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
            // On disk before anyone sees it. A store that fails is no reason to turn a person away who just signed in.
            var failure: AuthError?
            do throws(AuthError) {
                try await store.write(SessionRecord(session).data(), for: .session)
            } catch {
                failure = error
            }
            let isPresent = apply { [failure] rules, effects in
                let isPresent = rules.machine.sessionEstablished(session, by: attempt.id)
                if isPresent {
                    rules.attempt = nil
                    rules.isStoreBehind = failure != nil
                }
                if let failure {
                    effects.events.append(self.event(.storageFailed, of: attempt, error: failure.code))
                }
                effects.events.append(self.event(isPresent ? .signInSucceeded : .answerIgnored, of: attempt))
                return isPresent
            }
            guard !isPresent else { return }
            // What was just written must go again; if that fails, the store is known to be behind.
            try? await writePresent()
            throw .superseded
        }
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
