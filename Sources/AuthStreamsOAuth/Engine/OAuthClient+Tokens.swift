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
        try await tokenEndpoint().redeem(
            code: try grant.callback.code(), clientID: clientID, authentication: authentication,
            redirectURI: grant.redirectURI, verifier: grant.verifier,
            extra: parameters.map { (name: $0.key, value: $0.value) })
    }

    /// Gets the next access token (RFC 6749 section 6).
    ///
    /// - Throws: `AuthError`; `invalidCredential` if the server refuses the refresh token (`invalid_grant`), which ends
    ///   it; or the other errors of ``TokenEndpoint``.
    public func refresh(_ refreshToken: Secret) async throws(AuthError) -> TokenResponse {
        let proof = authentication.proof(of: clientID)
        return try await tokenEndpoint().send(
            [("grant_type", "refresh_token")] + proof.fields + [("refresh_token", refreshToken.reveal())],
            headers: proof.headers, hiding: authentication.secret)
    }

    /// Validates the ID token of a token answer.
    ///
    /// Its times are compared with the date of the answer, because the device's clock may be wrong.
    ///
    /// - Throws: `AuthError`; `invalidResponse` if there is none; `invalidIDToken`, `issuerMismatch` or `nonceMismatch` if it
    ///   breaks a rule; `misconfigured` if the server has no issuer or no keys; those of ``metadata()``, or the error of
    ///   fetching the keys.
    public func idToken(of answer: TokenResponse, for grant: AuthorizationGrant) async throws(AuthError) -> IDToken {
        guard let token = answer.idToken else {
            throw AuthError(.invalidResponse, "The answer has no ID token although openid was asked for.")
        }
        let context = grant.context(.tokenEndpoint, accessToken: answer.accessToken, date: answer.date)
        return try await validator().validate(token, in: context)
    }

    /// Validates an ID token that came through the browser, with the answer itself. It must have the `c_hash` of the
    /// answer's code.
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
    /// - Throws: `AuthError`; those of ``redeem(_:parameters:)`` and ``idToken(of:for:)``.
    public func credential(for grant: AuthorizationGrant) async throws(AuthError) -> Credential {
        let answer = try await redeem(grant)
        guard grant.nonce != nil else {
            return Credential(provider: id, accessToken: answer.accessToken, isBound: grant.isBound)
        }
        let idToken = try await idToken(of: answer, for: grant)
        return Credential(
            provider: id, idToken: idToken.token, rawNonce: grant.rawNonce, accessToken: answer.accessToken,
            userID: idToken.subject, isBound: grant.isBound)
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

    private func tokenEndpoint() async throws(AuthError) -> TokenEndpoint {
        guard let url = try await metadata().tokenEndpoint else {
            throw AuthError(.misconfigured, "The server's metadata have no token endpoint. Add it.")
        }
        return TokenEndpoint(url: url, transport: transport, dialect: dialect)
    }
}
