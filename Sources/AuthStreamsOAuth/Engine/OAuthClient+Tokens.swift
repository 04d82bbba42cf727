public import AuthStreams
import Foundation

extension OAuthClient {
    /// Redeems the code of an answer (RFC 6749 section 4.1.3).
    ///
    /// - Parameters:
    ///   - grant: The answer.
    ///   - parameters: Further parameters of the token request, such as Kakao's `ios_bundle_id`.
    /// - Throws: `AuthError`; `invalidResponse` if the answer has no code; `misconfigured` if the server has no token
    ///   endpoint; or the errors of ``TokenEndpoint``.
    public func redeem(
        _ grant: AuthorizationGrant, parameters: KeyValuePairs<String, String> = [:]
    ) async throws(AuthError) -> TokenResponse {
        let answer = try await tokenEndpoint().redeem(
            code: try grant.callback.code(), clientID: clientID, authentication: authentication,
            redirectURI: grant.redirectURI, verifier: grant.verifier,
            extra: parameters.map { (name: $0.key, value: $0.value) })
        warnIfTypeIsMissing(in: answer, grant.onWarning)
        return answer
    }

    /// Gets the next access token (RFC 6749 section 6).
    ///
    /// - Throws: `AuthError`; `invalidCredential` if the server refuses the refresh token (`invalid_grant`), which ends
    ///   it; or the other errors of ``TokenEndpoint``.
    public func refresh(_ refreshToken: Secret) async throws(AuthError) -> TokenResponse {
        let endpoint = try await refreshEndpoint(boundTo: nil, onMissingKey: { _ in })
        return try await send(refreshToken, to: endpoint).tokens()
    }

    /// Sends a refresh token.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of ``refreshEndpoint(boundTo:onMissingKey:)``.
    ///   - check: Called before the request is sent once more, because the server demands a nonce. Its error ends the request.
    func send(
        _ refreshToken: Secret, to endpoint: TokenEndpoint, beforeRepeating check: () throws(AuthError) -> Void = {}
    ) async throws(AuthError) -> TokenEndpoint.Answer {
        let proof = try await authentication.proof(of: clientID, to: endpoint.url, of: endpoint.server)
        return try await endpoint.post(
            [("grant_type", "refresh_token")] + proof.fields + [("refresh_token", refreshToken.reveal())],
            headers: proof.headers, hiding: proof.secrets, beforeRepeating: check)
    }

    /// Validates the ID token of a token answer.
    ///
    /// Its times are compared with the date of the answer, because the device's clock may be wrong.
    ///
    /// If the issuer's keys cannot be fetched, because it fails or cannot be reached, the token is accepted without its
    /// signature: TLS authenticates the token endpoint (OpenID Connect Core 3.1.3.7, rule 6). `AuthRequest.onWarning`
    /// of the attempt receives the reason. Keys that were fetched and do not fit refuse the token.
    ///
    /// - Throws: `AuthError`; `invalidResponse` if there is none; `invalidIDToken`, `issuerMismatch` or `nonceMismatch` if it
    ///   breaks a rule; `misconfigured` if the server has no issuer or no keys; those of ``metadata()``, or the error of
    ///   fetching the keys for another reason, or for a token endpoint without https.
    public func idToken(of answer: TokenResponse, for grant: AuthorizationGrant) async throws(AuthError) -> IDToken {
        guard let token = answer.idToken else {
            throw AuthError(.invalidResponse, "The answer has no ID token although openid was asked for.")
        }
        let context = grant.context(.tokenEndpoint, accessToken: answer.accessToken, date: answer.date)
        var validator = try await validator()
        if try await metadata().tokenEndpoint?.scheme?.lowercased() == "https" {
            validator.onMissingKeys = { [id] error in
                var warning = error.located(provider: id, step: .exchanging)
                warning.explanation = """
                    The ID token was accepted without its signature, because TLS authenticates the token endpoint. \
                    \(error.explanation)
                    """
                grant.onWarning(warning)
            }
        }
        return try await validator.validate(token, in: context)
    }

    /// Validates an ID token that came through the browser, with the answer itself. It must have the `c_hash` of the
    /// answer's code, and a signature that a key of the issuer verifies.
    ///
    /// - Throws: `AuthError`; those of ``idToken(of:for:)``, and `misconfigured` if this system verifies no signatures.
    public func idToken(_ token: Secret, for grant: AuthorizationGrant) async throws(AuthError) -> IDToken {
        try await validator().validate(token, in: grant.context(.browser, code: try grant.callback.code()))
    }

    /// Reads an ID token that came through the browser, without its times and its signature.
    ///
    /// It names the person of this attempt, which is no proof yet.
    func identify(_ token: Secret, for grant: AuthorizationGrant) async throws(AuthError) -> IDToken {
        try await validator().rules.identify(token, in: IDTokenContext(channel: .browser, nonce: grant.nonce))
    }

    /// Redeems an answer, validates its ID token if a nonce was sent, and makes the credential.
    ///
    /// Tokens of an answer that is refused are ended at the server, as ``revoke(_:hint:)`` does.
    ///
    /// - Throws: `AuthError`; those of ``redeem(_:parameters:)`` and ``idToken(of:for:)``.
    public func credential(for grant: AuthorizationGrant) async throws(AuthError) -> Credential {
        let answer = try await redeem(grant)
        guard grant.nonce != nil else {
            return Credential(provider: id, accessToken: answer.accessToken, isBound: grant.isBound)
        }
        let idToken = try await revokingIfRefused(answer, onWarning: grant.onWarning) {
            () async throws(AuthError) -> IDToken in try await self.idToken(of: answer, for: grant)
        }
        return Credential(
            provider: id, idToken: idToken.token, rawNonce: grant.rawNonce, accessToken: answer.accessToken,
            userID: idToken.subject, isBound: grant.isBound)
    }

    /// When an answer that could not be used is read again.
    enum Retry {
        /// Never: a code is not presented twice.
        case never
        /// After a failure that may pass: the tokens of a credential are presented again.
        case afterPassingFailure

        /// Returns whether the tokens of the answer stay valid after a failure.
        ///
        /// Those of a cancelled attempt do: some servers end all tokens of the person with one, also those of the attempt that
        /// followed.
        fileprivate func keepsTokens(after error: AuthError) -> Bool {
            error.code == .cancelled || self == .afterPassingFailure && error.isPassing
        }
    }

    /// Reads an answer whose tokens nothing keeps if that fails, so that they are ended at the server.
    ///
    /// - Parameters:
    ///   - retry: When the caller reads the same answer again; never unless given.
    ///   - onWarning: Receives the error of the request that ends them.
    func revokingIfRefused<Value>(
        _ answer: TokenResponse, retry: Retry = .never, onWarning: (AuthError) -> Void,
        _ read: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(AuthError) { return try await read() } catch {
            if !retry.keepsTokens(after: error) { await revoke(tokensOf: answer, onWarning: onWarning) }
            throw error
        }
    }

    /// Ends the tokens of an answer that is refused.
    ///
    /// - Parameter onWarning: Receives the error of the request.
    func revoke(tokensOf answer: TokenResponse, onWarning: (AuthError) -> Void) async {
        do throws(AuthError) { try await revoke(tokensOf: answer) } catch {
            onWarning(error.located(provider: id, step: .exchanging))
        }
    }

    /// Ends the tokens of an answer at the server.
    func revoke(tokensOf answer: TokenResponse) async throws(AuthError) {
        if let token = answer.refreshToken {
            try await revoke(token)
        } else {
            try await revoke(answer.accessToken, hint: "access_token")
        }
    }

    /// Returns the validator of the server's ID tokens.
    ///
    /// - Throws: `AuthError`; those of ``metadata()``, and `misconfigured` if the server has no issuer or no keys.
    func validator() async throws(AuthError) -> IDTokenValidator {
        let (metadata, keys) = try await issuer.current()
        guard let name = metadata.issuer, let keys else {
            throw AuthError(
                .misconfigured,
                "The server's metadata have no issuer or no `jwks_uri`, so no ID token of it can be checked. Add both.")
        }
        var validator = IDTokenValidator(rules: rules(of: name), keys: keys, clock: clock)
        validator.canVerify = canVerify
        return validator
    }

    private func rules(of issuer: String) -> IDTokenRules {
        var rules = IDTokenRules(issuers: [issuer], clientID: clientID)
        idTokenRules(&rules)
        return rules
    }

    /// Returns whether ID tokens of the server may name the issuer. No metadata are fetched.
    func isIssuer(_ name: String?) -> Bool {
        guard let name, let identifier = issuer.identifier else { return false }
        return rules(of: identifier).isIssuer(name)
            || TenantTemplate(ofAnyTenantAt: identifier)?.includes(name) == true
    }

    /// Returns the token endpoint for a grant, whose requests prove the key that the tokens are to be bound to.
    ///
    /// - Throws: `AuthError`; `misconfigured` if the server has none; those of ``metadata()`` and of ``dpopKey(at:)``.
    func tokenEndpoint() async throws(AuthError) -> TokenEndpoint {
        let server = try await metadata()
        var endpoint = try tokenEndpoint(at: server)
        endpoint.binding = binding(to: try await dpopKey(at: server))
        return endpoint
    }

    /// Returns the token endpoint for a refresh token, whose requests prove the key that it is bound to.
    ///
    /// A token that is not bound needs no key: a session from before binding was asked for stays what it is until the issuer binds
    /// it, and so does an adopted one. Its request proves the key that new tokens are to be bound to, if there can be one.
    ///
    /// - Parameters:
    ///   - thumbprint: The thumbprint of the key that the token is bound to; `nil` for none.
    ///   - onMissingKey: Receives why this configuration or app can have no key for a token that is not bound.
    /// - Throws: `AuthError`; those of ``tokenEndpoint()``; `sessionExpired` if the key is lost; `storageLocked` or `storage` if it
    ///   cannot be read for now.
    func refreshEndpoint(
        boundTo thumbprint: String?, onMissingKey: (AuthError) -> Void
    ) async throws(AuthError) -> TokenEndpoint {
        let server = try await metadata()
        var endpoint = try tokenEndpoint(at: server)
        if let thumbprint {
            endpoint.binding = binding(to: try await dpop?.keys.key(thumbprint))
            return endpoint
        }
        do throws(AuthError) { endpoint.binding = binding(to: try await dpopKey(at: server)) } catch {
            guard error.code == .misconfigured || error.cause == DPoPKey.newerForm else { throw error }
            onMissingKey(error)
        }
        return endpoint
    }

    private func tokenEndpoint(at server: AuthorizationServerMetadata) throws(AuthError) -> TokenEndpoint {
        guard let url = server.tokenEndpoint else {
            throw AuthError(.misconfigured, "The server's metadata have no token endpoint. Add it.")
        }
        var endpoint = TokenEndpoint(url: url, transport: transport, dialect: dialect)
        endpoint.server = server
        return endpoint
    }

    private func binding(to key: DPoPKey?) -> (dpop: DPoP, key: DPoPKey)? {
        dpop.flatMap { dpop in key.map { (dpop, $0) } }
    }
}

extension AuthError {
    /// Whether a sign-in presents a credential of tokens alone again after this error, as `AuthSignIn` describes.
    fileprivate var isPassing: Bool { [.network, .server, .rateLimited].contains(code) }
}
