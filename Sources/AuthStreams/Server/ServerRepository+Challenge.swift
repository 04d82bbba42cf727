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
            let answered = challenge.answeredSteps.map(String.init).sorted().joined(separator: " ")
            if !answered.isEmpty { asked.challenge?.context["answered"] = Secret(answered) }
            if challenge.isRegistration { asked.challenge?.context["registration"] = Secret("") }
            throw asked.located(provider: provider)
        }
    }

    /// What the request that was challenged would have done.
    enum Asking: String {
        case signIn, link, reauthentication, change

        func answer(to challenge: Challenge) -> ServerErrorResponse.Operation {
            switch self {
            case .signIn: .answer(toSteps: challenge.answeredSteps)
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
        var next = try changed(session, by: exchange, to: operation, on204: .isDone)
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
        let refusal = ServerErrorResponse(exchange, to: .answer(toSteps: challenge.answeredSteps), by: self)
        // A challenge beside it repeats the one that is over.
        let isRepeated = error.challenge.map { [nil, challenge.stepIndex].contains($0.stepIndex) } ?? false
        if isRepeated || error.code == .invalidResponse, refusal.endsAttempt { return refusal.error }
        // A type of the contract says more.
        let mayBeListed = !exchange.response.isPage && !refusal.hasTypeOfContract
        if mayBeListed, !error.refusesAnswer, wrongAnswers.contain(exchange.response) {
            error = AuthError(
                answer.codeOfRefusal, "The server did not take the answer, by an answer that the contract lists.",
                challenge: error.challenge
            ).quotingServer(of: error)
        }
        guard error.challenge == nil, challenge.resendAfter != nil || !refusal.saysThatCodeExpired else { return error }
        if error.refusesAnswer {
            error.challenge = updated(challenge, by: exchange, orElse: challenge.attemptsLeft)
        } else if answer == .resend, error.asksFurther {
            // Another code has attempts of its own.
            error.challenge = updated(challenge, by: exchange, orElse: nil)
        }
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
    /// The code of an error that refuses it.
    fileprivate var codeOfRefusal: AuthError.Code { if case .form = self { .invalidInput } else { .codeMismatch } }
}

// MARK: Mails, passwords and factors

extension ServerRepository {
    /// Asks the server to send a mail, or for the options of a passkey. Outside of a session, an address that the server does not
    /// know is no error: the app does not tell who has an account.
    ///
    /// - Returns: The server's answer to the mail with a link, `null` if it has none; the options of a passkey as
    ///   ``Preparation/passkeyAssertion`` says.
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func prepare(_ preparation: Preparation, in session: AuthSession?) async throws(AuthError) -> AuthJSON {
        var provider = session?.provider
        do throws(AuthError) {
            switch preparation {
            case .emailLink(let address, let url):
                provider = .emailLink
                let body = contract.body(for: address, continueURL: url)
                let exchange = try await send(body, to: contract.emailLink, "emailLink", of: .emailLink, in: session)
                return exchange.json == nil ? .null : try contract.payload(of: exchange)
            case .passwordReset(let address):
                provider = .password
                let body = contract.body(for: address)
                _ = try await send(body, to: contract.passwordReset, "passwordReset", of: .password, in: nil)
            case .emailVerification:
                _ = try await send([:], to: contract.emailVerification, "emailVerification", of: nil, in: session)
            case .passkeyAssertion:
                provider = .passkey
                return try await options(
                    at: contract.passkeySignInOptions, "passkeySignInOptions", [:], in: session)
            case .passkeyRegistration(let isConditional):
                provider = .passkey
                var body: [String: AuthJSON] = [:]
                if isConditional { body.add(contract.passkey.mediation, "conditional") }
                return try await options(
                    at: contract.passkeyRegistrationOptions, "passkeyRegistrationOptions", body, in: session)
            }
        } catch {
            if session == nil, error.code == .userNotFound, provider != .passkey { return .null }
            throw error.located(provider: provider)
        }
        return .null
    }

    private func send(
        _ body: [String: AuthJSON], to endpoint: ServerContract.Endpoint?, _ name: String, of provider: ProviderID?,
        in session: AuthSession?
    ) async throws(AuthError) -> ServerExchange {
        let exchange = try await channel.send(
            to: try ServerContract.endpoint(endpoint, name), of: provider, body: body,
            accessToken: session?.accessToken ?? Secret(""))
        try contract.requireDone(exchange, to: session == nil ? .preparation : .reload)
        return exchange
    }

    /// Returns the second factors of the user.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func secondFactors(of session: AuthSession) async throws(AuthError) -> [Challenge.Factor] {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.secondFactors, "secondFactors")
            let exchange = try await channel.send(to: endpoint, accessToken: session.accessToken)
            try contract.requireSuccess(of: exchange, to: .reload)
            return try contract.factors(in: exchange)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Changes the password, a second factor or the passkeys. The answer is a session, an object with the user, or 204; for a new factor the
    /// challenge for its first code.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it.
    public func apply(_ change: SecurityChange, to session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let (endpoint, body) = try contract.request(for: change)
            let exchange = try await channel.send(to: endpoint, body: body, accessToken: session.accessToken)
            return try changed(session, by: exchange, to: .change, on204: .isDone)
        } catch {
            throw error.asked(by: .change, of: session.provider).located(provider: session.provider)
        }
    }
}

extension ServerContract {
    fileprivate func request(for change: SecurityChange) throws(AuthError) -> (Endpoint, [String: AuthJSON]?) {
        var body: [String: AuthJSON] = [:]
        switch change {
        case .setPassword(let password):
            body.add(credential.password ?? "password", password.reveal())
            return (try Self.endpoint(passwordChange, "passwordChange"), body)
        case .addFactor(let name):
            body.add(challenge.factorName, name)
            return (try Self.endpoint(enrollSecondFactor, "enrollSecondFactor"), body)
        case .removeFactor(let id):
            return try Self.endpoint(removeSecondFactor, "removeSecondFactor")
                .naming(id, by: "{factor}", orInBody: challenge.answer.factor)
        case .removePasskey(let id):
            return try Self.endpoint(removePasskey, "removePasskey")
                .naming(id, by: "{passkey}", orInBody: passkey.id)
        }
    }
}
