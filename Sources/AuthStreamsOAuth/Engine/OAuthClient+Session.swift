public import AuthStreams
import Foundation

extension OAuthClient {
    /// Validates the ID token of a refresh (OpenID Connect Core section 12.2): issuer, subject, audience, authorized party,
    /// log-in time and nonce are those of the first one.
    ///
    /// - Parameters:
    ///   - token: The refreshed ID token.
    ///   - first: The claims of the ID token of the sign-in.
    ///   - answer: The answer that brought it.
    /// - Throws: `AuthError`; those of ``idToken(of:for:)``, and `invalidIDToken` for one that differs.
    func refreshedIDToken(
        _ token: Secret, first: AuthJSON, answer: TokenResponse
    ) async throws(AuthError) -> IDToken {
        let context = IDTokenContext(
            channel: .tokenEndpoint, nonce: nil, accessToken: answer.accessToken, date: answer.date)
        let next = try await validator().validate(token, in: context)
        if let name = Self.difference(of: next.claims, from: first) {
            throw AuthError(
                .invalidIDToken, "The refreshed ID token is not of the same sign-in: its \(name) differs.")
        }
        return next
    }

    /// Returns the claim by which a refreshed ID token is not of the same sign-in; `nil` if it is.
    static func difference(of next: AuthJSON, from first: AuthJSON) -> String? {
        func audiences(_ claims: AuthJSON) -> Set<AuthJSON> { Set(claims["aud"]?.array ?? [claims["aud"] ?? .null]) }
        if let name = ["iss", "sub", "azp"].first(where: { next[$0] != first[$0] }) { return name }
        if let nonce = next["nonce"], nonce != first["nonce"] { return "nonce" }
        if let logIn = next["auth_time"], let earlier = first["auth_time"], logIn != earlier { return "auth_time" }
        return audiences(next).isSuperset(of: audiences(first)) ? nil : "aud"
    }

    static let anotherPersonsClaims = AuthError(
        .invalidResponse, "The issuer's user information is about another person. It is not used.")

    static let claimsOfAnUnknownPerson = AuthError(
        .invalidResponse, "The issuer's user information has no `sub` that says about whom it is. It is not used.")

    /// Fetches the claims about a user (OpenID Connect Core section 5.3).
    ///
    /// - Parameters:
    ///   - accessToken: The access token, which the issuer accepts with the scope `openid`.
    ///   - subject: The `sub` of the ID token, which the answer must have; `nil` if the caller compares it. An answer
    ///     without `sub` is always refused (section 5.3.2).
    /// - Returns: The claims, an object; `nil` if the issuer has no such endpoint.
    /// - Throws: `AuthError`; `invalidCredential` that refuses the access token with status 401; `accessDenied` with 403;
    ///   `rateLimited`, `server`; `invalidResponse` for another person's claims or no JSON object; or the transport's error.
    ///   The server's code is the `error` of `WWW-Authenticate` (RFC 6750 section 3.1).
    public func userInfo(_ accessToken: Secret, subject: String?) async throws(AuthError) -> AuthJSON? {
        try await userInfo(accessToken, boundTo: nil, subject: subject)
    }

    /// - Parameter thumbprint: The thumbprint of the key that the access token is bound to; `nil` for a bearer token.
    func userInfo(
        _ accessToken: Secret, boundTo thumbprint: String?, subject: String?
    ) async throws(AuthError) -> AuthJSON? {
        guard let url = try await metadata().userInfoEndpoint else { return nil }
        try url.requireSafety("Correct the endpoint's URL.")
        var request = AuthHTTPRequest(.get, url, headers: [.accept: "application/json"])
        let response: AuthHTTPResponse
        if let thumbprint {
            response = try await send(request, proving: accessToken, boundTo: thumbprint, over: transport)
        } else {
            request.headers[.authorization] = "Bearer \(accessToken.reveal())"
            response = try await transport.send(request)
        }
        switch response.status {
        case 401:
            throw AuthError(
                .invalidCredential, "The issuer refused the access token for the user's claims.",
                serverCode: response.bearerError, refusesAccessToken: true)
        case 403:
            throw AuthError(
                .accessDenied, "The access token's scopes do not reach the user's claims. Ask for openid.",
                serverCode: response.bearerError)
        default: try response.requireSuccess(of: "user information")
        }
        guard let claims = AuthJSON(json: response.body), claims.object != nil else {
            throw AuthError(.invalidResponse, "The issuer's user information is not a JSON object.")
        }
        guard let owner = claims["sub"]?.string else { throw Self.claimsOfAnUnknownPerson }
        guard subject == nil || subject == owner else { throw Self.anotherPersonsClaims }
        return claims
    }

    /// Sends a request with a bound access token and its proof (RFC 9449 section 7.1).
    ///
    /// - Throws: `AuthError`; `misconfigured` if the client binds no tokens; those of ``DPoPKeys/key(_:)`` and of
    ///   ``DPoP/send(_:proving:for:over:beforeRepeating:)``.
    func send(
        _ request: AuthHTTPRequest, proving token: Secret, boundTo thumbprint: String,
        over transport: any AuthHTTPTransport
    ) async throws(AuthError) -> AuthHTTPResponse {
        guard let dpop else {
            throw AuthError(
                .misconfigured, "The access token is bound to a key, which needs `usesDPoP`. Set it, or sign in again.")
        }
        let key = try await dpop.keys.key(thumbprint)
        return try await dpop.send(
            request.authorized(with: token, scheme: "DPoP"), proving: key, for: token, over: transport)
    }

    /// Ends a token at the server (RFC 7009), if the server has an endpoint for it. A token that the server does not know
    /// any more counts as ended. The request proves no key, which RFC 9449 asks for at the token endpoint and at resources alone.
    ///
    /// - Parameters:
    ///   - token: A refresh token, which ends its access tokens too, or an access token.
    ///   - hint: The token's kind: `refresh_token` or `access_token`.
    /// - Throws: `AuthError`; the server's error, `rateLimited`, `server`, `invalidResponse`, or the transport's error.
    public func revoke(_ token: Secret, hint: String = "refresh_token") async throws(AuthError) {
        let server = try await metadata()
        guard let url = server.revocationEndpoint else { return }
        try url.requireSafety("Correct the endpoint's URL.")
        let proof = try await authentication.proof(of: clientID, to: url, of: server)
        let fields = proof.fields + [("token", token.reveal()), ("token_type_hint", hint)]
        let response = try await transport.send(
            AuthHTTPRequest(
                .post, url, headers: proof.headers.merging([.contentType: FormCoding.contentType]) { $1 },
                body: Data(FormCoding.encode(fields).utf8)))
        dpop?.note(response, from: url)
        if (400..<500).contains(response.status), response.status != 429,
            let members = AuthJSON(json: response.body)?.object, let error = members["error"]?.string
        {
            throw OAuthFailure(
                origin: .endpoint(status: response.status), error: error, members: members,
                hiding: [token] + proof.secrets
            ).authError(dialect)
        }
        try response.requireSuccess(of: "revocation")
    }

    /// Shows the issuer's page that ends the person's session there (OpenID Connect RP-Initiated Logout 1.0 section 2).
    ///
    /// - Parameters:
    ///   - idToken: An ID token of the session, by which the issuer recognizes it; without one it asks the person.
    ///   - redirect: How the page returns; it must be registered as a post-logout redirect URI.
    ///   - userAgent: Shows the page.
    ///   - presentation: Where to present.
    ///   - configure: Sets further parameters before the page is shown, such as `ui_locales` and `logout_hint`.
    /// - Throws: `AuthError`; `unsupportedProvider` if the issuer has no such page; `stateMismatch` if the page returned
    ///   without the `state` of this call; those of the metadata and of the user agent.
    func endSession(
        idToken: Secret?, redirect: AuthorizationPage.Redirect, userAgent: any UserAgent,
        presentation: PresentationContext = .automatic,
        page configure: (inout AuthorizationRequest) throws(AuthError) -> Void = { _ in }
    ) async throws(AuthError) {
        guard let endpoint = try await metadata().endSessionEndpoint else {
            throw AuthError(
                .unsupportedProvider, "The issuer has no page to log out at. Its session ends by itself.", provider: id)
        }
        let state = AuthorizationSecrets().state
        var page = AuthorizationRequest(endpoint: endpoint, clientID: clientID, responseType: "", state: state)
        page.redirectName = "post_logout_redirect_uri"
        page.set("id_token_hint", idToken?.reveal())
        try configure(&page)
        try page.validate()
        try redirect.validate()
        let expected = ExpectedCallback(state: state, dialect: dialect)
        let answer = try await userAgent.authorize(
            AuthorizationPage(
                redirect: redirect, presentation: presentation, makeURL: { [page] in page.url(redirectURI: $0) },
                accepts: { expected.accepts($0, redirectURI: $1) }))
        _ = try expected.parse(answer.url, redirectURI: answer.redirectURI)
    }
}

extension AuthHTTPResponse {
    /// The `error` in `WWW-Authenticate` (RFC 6750 section 3), as a plain word; `nil` if there is none.
    fileprivate var bearerError: String? {
        authenticationChallenges.lazy.compactMap { $0.parameters["error"] }.first.map(OAuthFailure.sanitized)
    }

    /// - Throws: `rateLimited`, `server` or `invalidResponse` unless the status is 2xx.
    fileprivate func requireSuccess(of name: String) throws(AuthError) {
        switch status {
        case 200..<300: return
        case 429:
            throw AuthError(
                .rateLimited, "The issuer's \(name) wants fewer requests. Try again later.", retryAfter: retryAfter)
        case 500...:
            throw AuthError(
                .server, "The issuer's \(name) failed with status \(status). Try again later.", retryAfter: retryAfter)
        default:
            throw AuthError(
                .invalidResponse, "The issuer's \(name) answered with status \(status). Check its URL.",
                serverCode: bearerError)
        }
    }
}
