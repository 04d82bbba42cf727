import Foundation

extension ServerRepository {
    /// Makes an account, and signs in to it.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func signUp(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.signUp, "signUp")
            if credential.provider != .password { try checkRoute(for: credential.provider) }
            return try await begin(
                .signIn, at: endpoint, contract.body(for: credential, to: endpoint), from: credential.provider)
        } catch {
            throw error.asked(by: .signIn, of: credential.provider)
                .located(provider: credential.provider, step: .establishingSession).attaching(credential)
        }
    }

    /// Sends the person's answer to a challenge, in one request.
    ///
    /// | the server answers with | consequence |
    /// | --- | --- |
    /// | a session; after a change also 204 | the session |
    /// | another challenge | that one is asked |
    /// | `invalid-code`, `invalid-input`, ``ServerContract/wrongAnswers`` | the same is asked again, with the token and the attempts left of this answer, if it has some |
    /// | 204, or an object without a challenge, to the wish for another code | the same is asked again |
    /// | `code-expired` | the same is asked again if the server sends another code; otherwise `codeMismatch` ends the attempt |
    /// | `challenge-expired`, `too-many-attempts`, any other problem | the attempt ends |
    public func answer(
        _ challenge: Challenge, with answer: ChallengeAnswer, in session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        let provider = challenge.context["provider"].map { ProviderID(rawValue: $0.reveal()) }
        let asked = Asking(rawValue: challenge.context["operation"]?.reveal() ?? "") ?? .change
        let asking = session == nil ? Asking.signIn : asked
        do throws(AuthError) {
            let request = try contract.request(with: answer, to: challenge)
            var headers = request.headers
            if let token = session?.accessToken.present, headers[.authorization] == nil {
                headers[.authorization] = "Bearer \(token.reveal())"
            }
            let exchange = try await channel.send(
                to: request.endpoint, of: provider, body: request.members, headers: headers)
            do throws(AuthError) {
                if answer == .resend { try requireSent(exchange, to: asking.answer(to: challenge)) }
                return try await self.session(after: exchange, asking, challenge, provider, session)
            } catch {
                throw contract.asking(challenge, afterAnswer: answer, error, exchange)
            }
        } catch {
            var asked = error.asked(by: asking, of: provider)
            if challenge.isRegistration { asked.challenge?.context["registration"] = Secret("") }
            throw asked.located(provider: provider)
        }
    }

    /// What the request that was challenged would have done.
    enum Asking: String {
        case signIn, link, reauthentication, change

        func answer(to challenge: Challenge) -> ServerErrorResponse.Operation {
            switch self {
            case .signIn: .answer(toStep: challenge.stepIndex)
            case .link: .link
            case .reauthentication: .reauthentication
            case .change: .change
            }
        }
    }

    /// - Throws: `verificationRequired`, which the challenge joins, if the server has sent another code; its error otherwise.
    private func requireSent(
        _ exchange: ServerExchange, to operation: ServerErrorResponse.Operation
    ) throws(AuthError) {
        try contract.requireDone(exchange, to: operation)
        throw AuthError(.verificationRequired, "The server has sent another code.")
    }

    private func session(
        after exchange: ServerExchange, _ asking: Asking, _ challenge: Challenge, _ provider: ProviderID?,
        _ session: AuthSession?
    ) async throws(AuthError) -> AuthSession {
        let operation = asking.answer(to: challenge)
        guard let session else {
            var begun = try await begun(by: exchange, operation, from: provider ?? "unknown")
            begun.isNewUser = begun.isNewUser || challenge.isRegistration
            return begun
        }
        var next = try changed(session, by: exchange, to: operation, mayBeSilent: true)
        if asking == .link, next.provider == .anonymous { next.provider = provider ?? next.provider }
        return next
    }
}

extension ServerContract {
    /// Returns the error of an answer to a challenge, with the challenge if the person may answer again.
    fileprivate func asking(
        _ challenge: Challenge, afterAnswer answer: ChallengeAnswer, _ error: AuthError, _ exchange: ServerExchange
    ) -> AuthError {
        var error = error
        let refusal = ServerErrorResponse(exchange, to: .answer(toStep: challenge.stepIndex), by: self)
        // A type of the contract says more.
        let isWrong = !exchange.response.isPage && !refusal.hasTypeOfContract && wrongAnswers.contain(exchange.response)
        if isWrong, ![.codeMismatch, .invalidInput].contains(error.code) {
            error = AuthError(
                answer.isForm ? .invalidInput : .codeMismatch,
                "The server did not take the answer, by an answer that the contract lists.", challenge: error.challenge
            ).quotingServer(of: error)
        }
        let isSent = answer == .resend && error.asksFurther
        guard error.challenge == nil else { return error }
        guard [.codeMismatch, .invalidInput].contains(error.code) || isSent else { return error }
        guard challenge.resendAfter != nil || !refusal.saysThatCodeExpired else { return error }
        error.challenge = updated(challenge, by: exchange, isNewCode: isSent)
        return error
    }
}

extension AuthError {
    /// Returns the same error, whose challenge knows what was asked for.
    func asked(by asking: ServerRepository.Asking, of provider: ProviderID?) -> AuthError {
        guard challenge != nil else { return self }
        var copy = self
        if code == .registrationRequired { copy.challenge?.context["registration"] = Secret("") }
        copy.challenge?.context["operation"] = Secret(asking.rawValue)
        copy.challenge?.context["provider"] = provider.map { Secret($0.rawValue) }
        return copy
    }
}

extension Challenge {
    /// Whether the server wanted it, or an earlier step, of a new user.
    fileprivate var isRegistration: Bool { context["registration"] != nil }
}

extension ChallengeAnswer {
    fileprivate var isForm: Bool { if case .form = self { true } else { false } }
}

// MARK: Mails, passwords and factors

extension ServerRepository {
    /// Asks the server to send a mail with a link.
    ///
    /// - Returns: The server's answer; `null` if it has none.
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func prepare(_ preparation: Preparation, in session: AuthSession?) async throws(AuthError) -> AuthJSON {
        guard case .emailLink(let address, let url) = preparation else {
            throw AuthError(.unsupportedProvider, "The server repository prepares nothing of that kind.")
        }
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.emailLink, "emailLink")
            let exchange = try await channel.send(
                to: endpoint, of: .emailLink, body: contract.body(for: address, continueURL: url),
                accessToken: session?.accessToken ?? Secret(""))
            try contract.requireDone(exchange, to: session == nil ? .preparation : .reload)
            return exchange.json == nil ? .null : try contract.payload(of: exchange)
        } catch {
            throw error.located(provider: .emailLink)
        }
    }

    /// Asks the server to send a mail for a new password. An address that the server does not know is no error.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func sendPasswordReset(to email: String) async throws(AuthError) {
        let endpoint = try ServerContract.endpoint(contract.passwordReset, "passwordReset")
        let exchange = try await channel.send(to: endpoint, of: .password, body: contract.body(for: email))
        do throws(AuthError) { try contract.requireDone(exchange, to: .preparation) } catch {
            guard error.code != .userNotFound else { return }
            throw error.located(provider: .password)
        }
    }

    /// Asks the server to send a mail by which the person confirms their address.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func sendEmailVerification(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.emailVerification, "emailVerification")
            let exchange = try await channel.send(to: endpoint, body: [:], accessToken: session.accessToken)
            try contract.requireDone(exchange, to: .reload)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Changes or sets the user's password. The answer is a session, an object with the user, or 204.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func changePassword(to password: Secret, of session: AuthSession) async throws(AuthError) -> AuthSession {
        var body: [String: AuthJSON] = [:]
        body.add(contract.credential.password ?? "password", password.reveal())
        return try await change(session, at: contract.passwordChange, "passwordChange", body)
    }

    /// Returns the second factors of the user.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func secondFactors(of session: AuthSession) async throws(AuthError) -> [Challenge.Factor] {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.secondFactors, "secondFactors")
            let exchange = try await channel.send(to: endpoint, accessToken: session.accessToken)
            try contract.requireSuccess(of: exchange, to: .reload)
            return try contract.factors(contract.payload(of: exchange), at: "", canBeNone: true)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Adds an authenticator app. The answer is the challenge for its first code.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func enrollSecondFactor(named name: String?, in session: AuthSession) async throws(AuthError) -> AuthSession
    {
        var body: [String: AuthJSON] = [:]
        body.add(contract.challenge.factorName, name)
        return try await change(session, at: contract.enrollSecondFactor, "enrollSecondFactor", body)
    }

    /// Removes a second factor. The answer is a session, an object with the user, or 204.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func removeSecondFactor(
        _ id: Challenge.Factor.ID, from session: AuthSession
    ) async throws(AuthError) -> AuthSession {
        let endpoint = try contract.removeSecondFactor.map { endpoint throws(AuthError) in
            try endpoint.naming(factor: id)
        }
        let isNamed = contract.removeSecondFactor?.namesFactor ?? true
        return try await change(
            session, at: endpoint, "removeSecondFactor",
            isNamed ? nil : [contract.challenge.answer.factor: .string(id)])
    }

    private func change(
        _ session: AuthSession, at endpoint: ServerContract.Endpoint?, _ name: String, _ body: [String: AuthJSON]?
    ) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(endpoint, name)
            let exchange = try await channel.send(to: endpoint, body: body, accessToken: session.accessToken)
            return try changed(session, by: exchange, to: .change, mayBeSilent: true)
        } catch {
            throw error.asked(by: .change, of: session.provider).located(provider: session.provider)
        }
    }
}
