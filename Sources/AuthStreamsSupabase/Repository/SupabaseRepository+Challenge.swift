public import AuthStreams

extension SupabaseRepository {
    /// Sends the person's answer to a challenge.
    ///
    /// | the challenge | the answer | request |
    /// | --- | --- | --- |
    /// | several authenticator apps | the choice of one | none: the challenge for its code |
    /// | the code of an authenticator app, a new one among them | the code | `factors/ID/challenge` and `factors/ID/verify` |
    /// | a code that was sent | the code | `verify` |
    /// | the same | send another | `otp`, `resend`, `reauthenticate`, or `PUT user` for a new address or number |
    /// | the code or the current password that a new password requires | that | `PUT user` |
    ///
    /// - Throws: `AuthError`; `codeMismatch` with the same challenge for a code that is wrong or too old, which Supabase does not tell
    ///   apart; `invalidInput` with it for a wrong password.
    public func answer(
        _ challenge: Challenge, with answer: ChallengeAnswer, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        let provider = challenge.context[GoTrue.Context.provider].map { ProviderID(rawValue: $0.reveal()) }
        do throws(AuthError) {
            return try await answered(challenge, answer, from: provider ?? session?.provider, in: session)
        } catch {
            // A code that was sent may be followed by that of an app.
            let asked = provider.map { error.asking(for: $0) } ?? error
            throw asked.answering(challenge)
                .located(provider: provider ?? session?.provider, step: session == nil ? .establishingSession : nil)
        }
    }

    private func answered(
        _ challenge: Challenge, _ answer: ChallengeAnswer, from provider: ProviderID?, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        switch (try SupabaseStep(challenge), answer, session) {
        case (.choice(let factors), .factor(let id), _) where factors.contains { $0.id == id }:
            throw AuthError(
                .secondFactorRequired, "The code of the app has to be sent.", challenge: challenge.forCode(of: id))
        case (.secondFactor(let factor, let pendingToken), .code(let code), _):
            return try await completed(pendingToken, by: code, of: factor, from: provider, in: session)
        case (.enrollment(let factor), .code(let code), let session?):
            return try changed(session, by: try await gotrue.verify(code, of: factor, as: session.accessToken))
        case (.sentCode(let verification), .code(let code), _):
            return try await verified(verification, by: code, from: provider, in: session)
        case (.passwordCode(_, let newPassword), .code(let code), let session?):
            return try await setPassword(newPassword, with: code, as: "nonce", of: session)
        case (.currentPassword(let newPassword), .form(let values), let session?):
            guard let password = values[SupabaseStep.currentPasswordField] else { throw .notAChallenge }
            return try await setPassword(newPassword, with: password, as: "current_password", of: session)
        case (.sentCode(let verification), .resend, _), (.passwordCode(let verification, _), .resend, _):
            try await gotrue.resend(verification, as: session?.accessToken)
            throw AuthError(.verificationRequired, "Supabase has sent another code.", challenge: challenge)
        default: throw .notAChallenge
        }
    }

    /// Verifies the code that the person received for a sign-in, or for the new address or number of the session's user.
    private func verified(
        _ verification: GoTrue.Verification, by code: Secret, from provider: ProviderID?, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        let tokens = try await gotrue.verify(verification, code: code)
        guard session?.user.id ?? tokens.userID == tokens.userID else { throw .anotherUsers }
        guard let provider else { throw .notAChallenge }
        var next = try self.session(of: tokens, from: provider)
        next.isNewUser = session == nil && verification.kind == .signUp
        return next
    }

    /// Sends the second factor of a sign-in or a re-authentication.
    private func completed(
        _ pendingToken: Secret, by code: Secret, of factor: Challenge.Factor.ID, from provider: ProviderID?,
        in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        guard let provider else { throw .notAChallenge }
        do throws(AuthError) {
            let tokens = try await gotrue.verify(code, of: factor, as: pendingToken)
            guard session?.user.id ?? tokens.userID == tokens.userID else { throw .anotherUsers }
            return try self.session(of: tokens, from: provider)
        } catch {
            // The session of the first factor is over, and no other.
            guard error.classification.sessionEnd != nil || error.classification.refusesAccessToken else { throw error }
            throw AuthError(.timedOut, "Supabase does not wait for the code any more. Start over.")
                .quotingServer(of: error)
        }
    }

    /// Returns the second factors that the user has.
    public func secondFactors(of session: AuthSession) async throws(AuthError) -> [Challenge.Factor] {
        do throws(AuthError) { return try await gotrue.user(of: session.accessToken).secondFactors } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Changes the password or a second factor.
    ///
    /// | change | consequence |
    /// | --- | --- |
    /// | a password | the user's other sessions end |
    /// | a new authenticator app | `additionalStepRequired` with a challenge for its first code, after which the session has a second factor, and the user's sessions without one end |
    /// | a factor less | the tokens stay; the next refresh has the level of the factors that are left |
    ///
    /// - Throws: `AuthError`; `verificationRequired` with a challenge if the sign-in was more than a day ago and the project requires a
    ///   code for a new password; `additionalStepRequired` with one if it requires the current password; `requiresRecentSignIn` if
    ///   the session has no second factor and the change requires one; `invalidInput` for a password that the project refuses.
    public func apply(_ change: SecurityChange, to session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            switch change {
            case .setPassword(let password): return try await setPassword(password, of: session)
            case .addFactor(let name):
                let name = name.flatMap { $0.isEmpty ? nil : $0 }
                throw AuthError(
                    .additionalStepRequired, "The first code of the authenticator app has to be sent.",
                    challenge: try await gotrue.enroll(named: name, as: session.accessToken))
            case .removeFactor(let id):
                try await gotrue.remove(id, as: session.accessToken)
                return session.unchanged
            case .removePasskey: throw .withoutPasskeys
            }
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    private func setPassword(_ password: Secret, of session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            return try await updated(session, ["password": .string(password.reveal())])
        } catch {
            var challenge: Challenge
            switch error.serverCode {
            case "reauthentication_needed":
                guard let recipient = Recipient(of: try await gotrue.user(of: session.accessToken)) else { throw error }
                let verification = GoTrue.Verification(.reauthentication, recipient)
                try await gotrue.resend(verification, as: session.accessToken)
                guard let asked = verification.question.challenge else { throw error }
                challenge = asked
            case "current_password_required":
                challenge = Challenge(.form([.init(id: SupabaseStep.currentPasswordField, kind: .password)]))
            default: throw error
            }
            challenge.context[GoTrue.Context.password] = password
            var error = error
            error.challenge = challenge
            throw error
        }
    }

    /// Repeats the change of the password, with the code or the password that it requires.
    private func setPassword(
        _ password: Secret, with proof: Secret, as name: String, of session: AuthSession
    ) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            return try await updated(
                session, ["password": .string(password.reveal()), name: .string(proof.reveal())])
        } catch {
            // The code is used, and another would be wanted beside the current password. After a new sign-in none is.
            guard error.serverCode == "current_password_required" else { throw error }
            throw AuthError(
                .requiresRecentSignIn, "The project requires the current password as well. Sign in again, then repeat."
            ).quotingServer(of: error)
        }
    }
}

extension AuthError {
    /// Returns the error of an answer, with the challenge if the person may answer again.
    fileprivate func answering(_ challenge: Challenge) -> Self {
        var error = self
        // Wrong and too old are one word.
        if serverCode == "otp_expired", case .code = challenge.step { error.code = .codeMismatch }
        if error.code == .codeMismatch || serverCode == "current_password_invalid" { error.challenge = challenge }
        return error
    }

    static var anotherUsers: Self {
        AuthError(
            .credentialInUse,
            "The person who answered is another user than who is signed in. Nothing of theirs was kept.",
            conflict: AuthConflict())
    }

    /// Supabase's passkeys are in beta.
    static var withoutPasskeys: Self {
        AuthError(
            .unsupportedProvider, "Passkeys of Supabase are not supported yet. Use a server of your own for them.",
            provider: .passkey)
    }
}
