public import AuthStreams

extension FirebaseRepository {
    /// Sends the code of an authenticator app: the second factor of a sign-in, or the first code of a new app.
    ///
    /// | the challenge | the answer | consequence |
    /// | --- | --- | --- |
    /// | several factors | the choice of one | the challenge for its code, without a request |
    /// | a code | the code | the session, by `accounts/mfaSignIn:finalize` and a look-up |
    /// | a new app | its first code | the session, by `accounts/mfaEnrollment:finalize` |
    ///
    /// - Throws: `AuthError`; `codeMismatch` with the same challenge for a code that is not correct or was used before;
    ///   `timedOut` with Firebase's code if it does not wait for the code any more; `credentialInUse` if the session's user proved to be
    ///   another one.
    public func answer(
        _ challenge: Challenge, with answer: ChallengeAnswer, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        let provider = challenge.context[Challenge.Context.provider].map { ProviderID(rawValue: $0.reveal()) }
        do throws(AuthError) {
            switch (challenge.step, answer) {
            case (.factors(let factors), .factor(let id)) where factors.contains { $0.id == id }:
                throw .asking(challenge.forCode(of: id))
            case (.code, .code(let code)):
                return try await completeSignIn(challenge, with: code, from: provider, in: session)
            case (.enrollment, .code(let code)):
                guard let session else { throw .notAChallengeOfFirebase }
                return try await completeEnrollment(challenge, with: code, in: session)
            default: throw .notAChallengeOfFirebase
            }
        } catch {
            var error = error
            // The server's own words: the attempts of an enrollment may be used up, which has the same code here.
            if error.serverCode == "INVALID_CODE" { error.challenge = challenge }
            throw error.located(
                provider: provider ?? session?.provider, step: session == nil ? .establishingSession : nil)
        }
    }

    private func completeSignIn(
        _ challenge: Challenge, with code: Secret, from provider: ProviderID?, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        guard let pending = challenge.pendingToken, let provider,
            let factor = challenge.context[Challenge.Context.factor]
        else { throw .notAChallengeOfFirebase }
        guard let session else {
            let tokens = try await toolkit.completeSignIn(with: code, of: factor, pendingCredential: pending)
            return identified(try await toolkit.session(ofOneTime: tokens, from: provider))
        }
        let tokens = try await aboutCredential { () throws(AuthError) in
            try await toolkit.completeSignIn(with: code, of: factor, pendingCredential: pending)
        }
        guard tokens.userID == session.user.id else {
            throw AuthError(
                .credentialInUse,
                "The person who answered is another user than who is signed in. Nothing of theirs was kept.",
                conflict: AuthConflict())
        }
        do throws(AuthError) { return try await self.session(of: tokens, from: provider) } catch {
            guard ![.userNotFound, .userDisabled].contains(error.code) else { throw error }
            // The code was accepted, and works once: a failed look-up does not undo that.
            var session = try session.taking(tokens, clock: toolkit.clock)
            session.provider = provider
            return session
        }
    }

    private func completeEnrollment(
        _ challenge: Challenge, with code: Secret, in session: AuthSession
    ) async throws(AuthError) -> AuthSession {
        guard let pending = challenge.pendingToken else { throw .notAChallengeOfFirebase }
        let name = challenge.context[Challenge.Context.name]?.reveal() ?? Self.nameOfFactor
        do throws(AuthError) {
            let tokens = try await toolkit.completeEnrollment(
                with: code, named: name, session: pending, of: session.accessToken)
            return try session.changed(by: tokens, clock: toolkit.clock)
        } catch {
            // The answer to an earlier request was lost. An enrollment ends no session, so this one is as good.
            guard error.serverCode == "MFA_ENROLLMENT_ALREADY_COMPLETE" else { throw error.inTermsOfIDToken }
            return try session.changed(by: nil, clock: toolkit.clock)
        }
    }

    /// The name of a factor that the person gave none, since Firebase requires one.
    private static let nameOfFactor = "Authenticator"

    /// Returns the second factors that Firebase lists for the user, those by text message among them.
    public func secondFactors(of session: AuthSession) async throws(AuthError) -> [Challenge.Factor] {
        do throws(AuthError) { return try await toolkit.secondFactors(of: session.accessToken) } catch {
            throw error.inTermsOfIDToken.located(provider: session.provider)
        }
    }

    /// Changes the password or a second factor.
    ///
    /// | change | consequence |
    /// | --- | --- |
    /// | a password | the user's other sessions end; the user is looked up, and the new tokens are kept also if that fails |
    /// | a new authenticator app | `additionalStepRequired` with a challenge for its first code. Firebase requires a verified address and a sign-in of the last minutes |
    /// | a factor less | the user's other sessions end |
    ///
    /// - Throws: `AuthError`; `requiresRecentSignIn`; `invalidCredential` if Firebase refuses the session's ID token, which ends no
    ///   session: refresh, then repeat. For a new app: `accessDenied` if the user's address is not verified, `invalidInput` if the
    ///   account has an app already, `unsupportedProvider` for a user who signed in by a custom token or anonymously,
    ///   `misconfigured` if the project does not allow it. For a removal: `invalidInput` if the user has no such factor.
    public func apply(_ change: SecurityChange, to session: AuthSession) async throws(AuthError) -> AuthSession {
        let tokens: IdentityToolkit.Tokens?
        do throws(AuthError) {
            switch change {
            case .setPassword(let password):
                tokens = try await toolkit.changePassword(to: password, of: session.accessToken)
            case .addFactor(let name):
                var challenge = try await toolkit.startEnrollment(
                    of: session.accessToken, account: session.user.email ?? session.user.id)
                challenge.context[Challenge.Context.name] = name.flatMap { $0.isEmpty ? nil : Secret($0) }
                throw AuthError(
                    .additionalStepRequired, "The first code of the authenticator app has to be sent.",
                    challenge: challenge)
            case .removePasskey: throw .withoutPasskeys
            case .removeFactor(let id): tokens = try await toolkit.withdraw(id, from: session.accessToken)
            }
            let changed = try session.changed(by: tokens, clock: toolkit.clock)
            guard case .setPassword = change else { return changed }
            // The old tokens are over, so the new ones are not given up for the sake of the user's data.
            do throws(AuthError) { return try await reloaded(changed) } catch { return changed }
        } catch {
            throw error.inTermsOfIDToken.located(provider: session.provider)
        }
    }
}

extension AuthSession {
    /// Returns the session after a change of the account, with the tokens of the answer, if it has some.
    func changed(by tokens: IdentityToolkit.Tokens?, clock: AuthClock) throws(AuthError) -> AuthSession {
        var session = try tokens.map { tokens throws(AuthError) in try taking(tokens, clock: clock) } ?? self
        session.isNewUser = false
        return session
    }
}

extension AuthError {
    /// Returns the same error, whose challenge names the provider of the session that follows.
    func asking(for provider: ProviderID) -> Self {
        guard challenge != nil else { return self }
        var error = self
        error.challenge?.context[Challenge.Context.provider] = Secret(provider.rawValue)
        return error
    }

    fileprivate static var notAChallengeOfFirebase: Self {
        AuthError(
            .unsupportedProvider, "The answer does not fit the challenge, or the challenge is of another repository.")
    }
}
