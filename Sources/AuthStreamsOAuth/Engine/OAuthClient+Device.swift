import AuthStreams
import Foundation

extension OAuthClient {
    /// Asks for a code, shows it, and waits until the person has entered it on another device and agreed (RFC 8628).
    ///
    /// - Parameters:
    ///   - request: The wishes of the attempt, whose prompter shows the code.
    ///   - scopes: The requested scopes.
    ///   - parameters: Further parameters of the device authorization request.
    /// - Throws: `AuthError`; before anything is sent `misconfigured` without a prompter or client ID, or for a parameter
    ///   that the request has already; `misconfigured` if the server has no device authorization endpoint or refuses the
    ///   request; `invalidResponse` for an answer that cannot be used; `accessDenied` if the person declines; `timedOut` if the
    ///   code expires; those of ``metadata()`` and of the token endpoint.
    func deviceTokens(
        _ request: AuthRequest, scopes: [String], parameters: [String: String]
    ) async throws(AuthError) -> TokenResponse {
        try request.prompter.require()
        guard !clientID.isEmpty else {
            throw AuthError(.misconfigured, "The provider \(id) has no client ID. Register a client in its console.")
        }
        let fields = try deviceFields(scopes, parameters)
        var endpoint = try await tokenEndpoint()
        // A dialect may translate every error, and these are the flow's own.
        endpoint.dialect = { [dialect] in DevicePolling.Answer.errors.contains($0.error) ? nil : dialect($0) }
        // What a proxy asks for must not outlast the code.
        endpoint.heedsPages = false
        if scopes.contains("openid") {
            warnIfUnverifiable(request)
            // A server whose ID tokens cannot be checked must not bother the person.
            _ = try await validator()
        }
        // The server counts from a later moment, so that its code outlasts the deadline.
        let (begin, authorization) = try await authorizeDevice(fields)
        let polling = DevicePolling(
            interval: authorization.interval, deadline: begin + authorization.userCode.expiresIn)
        if let warning = authorization.warning { request.onWarning(warning.located(provider: id, step: .presenting)) }
        let challenge = Challenge(.userCode(authorization.userCode), expiresIn: authorization.userCode.expiresIn)
        let answer = try await request.prompter.showing(challenge) { [endpoint] in
            try await poll(endpoint, by: polling, with: authorization)
        }
        warnIfTypeIsMissing(in: answer, request.onWarning)
        return answer
    }

    /// The fields of a device authorization request beside those that prove who the client is (section 3.1).
    private func deviceFields(
        _ scopes: [String], _ parameters: [String: String]
    ) throws(AuthError) -> [(name: String, value: String)] {
        let reserved: Set = ["client_id", "scope", "client_secret", "client_assertion", "client_assertion_type"]
        if let name = parameters.keys.sorted().first(where: { $0.isEmpty || reserved.contains($0) }) {
            throw AuthError(
                .misconfigured,
                "The parameter '\(name)' has no name, or is the provider's own. Leave it out of the provider's parameters."
            )
        }
        let scope = scopes.isEmpty ? [] : [(name: "scope", value: scopes.joined(separator: " "))]
        let further = parameters.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        return scope + further.map { (name: $0.key, value: $0.value) }
    }

    /// - Returns: The uptime at which the request was sent, and its answer.
    private func authorizeDevice(
        _ fields: [(name: String, value: String)]
    ) async throws(AuthError) -> (begin: Duration, DeviceAuthorization) {
        let server = try await metadata()
        guard let url = server.deviceAuthorizationEndpoint else {
            throw AuthError(
                .misconfigured,
                """
                The server's metadata have no `device_authorization_endpoint`, so it gives no codes for another device. Sign in \
                by its page, or add the endpoint to the metadata.
                """)
        }
        // Google's refusal of too many requests has no `error`.
        var endpoint = TokenEndpoint(url: url, transport: transport) { [dialect] failure in
            guard failure.members["error_code"] == "rate_limit_exceeded" else { return dialect(failure) }
            return AuthError(
                .rateLimited, "The provider wants fewer requests. Try again later.", serverCode: "rate_limit_exceeded")
        }
        endpoint.name = "device authorization endpoint"
        endpoint.server = server
        let proof = try await authentication.proof(of: clientID, to: url, of: server)
        let client = proof.fields.contains { $0.name == "client_id" } ? [] : [(name: "client_id", value: clientID)]
        let begin = clock.uptime
        do throws(AuthError) {
            let answer = try await endpoint.post(
                client + proof.fields + fields, headers: proof.headers, hiding: proof.secrets)
            return (begin, try DeviceAuthorization(members: answer.members(), from: url))
        } catch {
            // The person was not asked yet.
            guard error.code == .accessDenied || error.code == .invalidCredential else { throw error }
            throw AuthError(
                .misconfigured,
                "The server gives this client no codes for another device. Compare its settings with the server's console."
            ).quotingServer(of: error)
        }
    }

    /// Asks the token endpoint until it decides (sections 3.4 and 3.5).
    ///
    /// Each pause counts from the last answer, and the clock does not stop while the device sleeps: after it wakes there is one
    /// request, and what the server says to that counts.
    private func poll(
        _ endpoint: TokenEndpoint, by polling: DevicePolling, with authorization: DeviceAuthorization
    ) async throws(AuthError) -> TokenResponse {
        var polling = polling
        var pause = polling.pause
        while true {
            do {
                try await clock.sleep(for: pause)
                try Task.checkCancellation()
            } catch { throw .cancelled }
            do throws(AuthError) {
                // A signed proof is valid for one request.
                let proof = try await authentication.proof(of: clientID, to: endpoint.url, of: endpoint.server)
                return try await endpoint.post(
                    [("grant_type", "urn:ietf:params:oauth:grant-type:device_code")] + proof.fields
                        + [("device_code", authorization.deviceCode.reveal())],
                    headers: proof.headers, hiding: proof.secrets + [Secret(authorization.userCode.code)]
                ).tokens()
            } catch {
                let now = clock.uptime
                let answer = try DevicePolling.Answer(error, isPastDeadline: now >= polling.deadline)
                guard let next = polling.pause(after: answer, at: now) else {
                    guard case .unavailable(.some, _) = answer else { throw .codeExpired }
                    throw .codeExpired(during: error)
                }
                pause = next
            }
        }
    }

    /// Makes the credential of tokens that the person's answer on another device gave.
    ///
    /// An ID token is validated, without a nonce, which RFC 8628 does not have. It is required with the scope `openid`; one of a
    /// server without an issuer's identifier is dropped. Tokens of an answer that is refused are ended at the server.
    ///
    /// The credential is not bound: anyone who has read the code can answer.
    func deviceCredential(
        of answer: TokenResponse, scopes: [String], onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> Credential {
        var credential = Credential(provider: id, accessToken: answer.accessToken)
        credential.issuedTokens = .init(answer, requested: scopes)
        credential.warnings = .init { onWarning(AuthError(wrapping: $0)) }
        let idToken = try await revokingIfRefused(answer, onWarning: onWarning) {
            () async throws(AuthError) -> IDToken? in
            var isValidated = scopes.contains("openid")
            if !isValidated, answer.idToken != nil { isValidated = try await metadata().issuer != nil }
            return isValidated ? try await self.idToken(of: answer, for: .withoutPage(onWarning: onWarning)) : nil
        }
        (credential.idToken, credential.userID) = (idToken?.token, idToken?.subject)
        return credential
    }

    /// Ends the tokens of an attempt that was cancelled as they arrived: they are the person's, and nothing keeps them. It is done at
    /// once, before an attempt that follows can have tokens: some servers end all tokens of the person with one.
    ///
    /// The cancelled task cannot send the request, so it has a task of its own. Its failure is not reported, because the attempt is
    /// over by then.
    func drop(_ answer: TokenResponse) {
        _ = TaskSpawner.start {
            do throws(AuthError) { try await revoke(tokensOf: answer) } catch {}
        }
    }
}

extension Credential.IssuedTokens {
    fileprivate init(_ answer: TokenResponse, requested scopes: [String]) {
        self.init(
            refreshToken: answer.refreshToken, scopes: answer.scopes ?? scopes, members: answer.members,
            date: answer.date, keyThumbprint: answer.keyThumbprint)
    }
}

extension TokenResponse {
    /// The answer that a provider redeemed, and whose tokens its credential has.
    ///
    /// - Throws: Nothing for a credential of this engine; otherwise as the initializer that reads an answer.
    init(_ issued: Credential.IssuedTokens, with credential: Credential) throws(AuthError) {
        var members = issued.members
        members["access_token"] = credential.accessToken.map { .string($0.reveal()) }
        members["id_token"] = credential.idToken.map { .string($0.reveal()) }
        members["refresh_token"] = issued.refreshToken.map { .string($0.reveal()) }
        try self.init(members: members, date: issued.date, boundTo: issued.keyThumbprint)
    }
}
