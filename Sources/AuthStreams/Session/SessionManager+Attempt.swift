import Foundation

extension SessionManager {
    /// Makes a stream that runs a chain as this manager's present attempt.
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
        let now = clock.uptime
        return apply { rules, effects in
            let begun = rules.machine.attemptBegan(with: provider, at: step)
            let attempt = SignInAttempt(id: begun.id, provider: provider, startedAt: now)
            effects.superseded = rules.attempt
            rules.attempt = attempt
            effects.events = [
                attempt.event(.signInStarted, at: now), attempt.event(.signInStep, at: now, step: step),
            ]
            return attempt
        }
    }

    /// Notes how far an attempt has come. News from an attempt that is no longer the present one is dropped.
    func reach(_ step: AuthState.SignInStep, in attempt: SignInAttempt) {
        let now = clock.uptime
        apply { rules, effects in
            guard rules.machine.attemptReached(step, id: attempt.id) else { return }
            effects.events.append(attempt.event(.signInStep, at: now, step: step))
        }
    }

    /// Reports an error that did not end the attempt.
    func warn(of error: AuthError, in attempt: SignInAttempt) {
        publish(attempt.event(.providerWarning, at: clock.uptime, step: error.step, failure: error))
    }

    private func end(_ attempt: SignInAttempt, with error: AuthError) -> AuthError {
        let now = clock.uptime
        return apply { rules, effects in
            let step = rules.machine.attempt.flatMap { $0.id == attempt.id ? $0.step : nil }
            rules.machine.attemptEnded(id: attempt.id)
            if rules.attempt?.id == attempt.id { rules.attempt = nil }
            let located = error.located(provider: attempt.provider, step: step)
            effects.events.append(attempt.event(.signInFailed, at: now, step: located.step, failure: error))
            return located
        }
    }
}

extension AuthError {
    static var superseded: Self {
        AuthError(.superseded, "A newer sign-in or a sign-out took this attempt's place.")
    }
}
