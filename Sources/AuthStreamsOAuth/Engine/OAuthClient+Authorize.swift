public import AuthStreams
import Foundation

extension OAuthClient {
    /// Shows the server's page and returns its checked answer.
    ///
    /// The page carries `state`, the PKCE challenge (RFC 7636), a `nonce` if `openid` is among the scopes, and the request's
    /// prompts and hint. Re-authentication adds the prompt `login`, and `max_age=0` with `openid`. What the page asks for
    /// decides what the ID token is checked by: `nonce`, `max_age`, `acr_values`.
    ///
    /// - Parameters:
    ///   - request: The wishes of the attempt.
    ///   - scopes: The requested scopes; the request's extra ones are added. Empty for a server without scopes.
    ///   - redirect: How the answer returns.
    ///   - userAgent: Shows the page.
    ///   - secrets: The attempt's `state`, nonce and PKCE key.
    ///   - configure: Changes the page's parameters before it is shown; `nil` takes one away.
    /// - Throws: `AuthError`; `misconfigured` before anything is shown if there is no client ID; those of ``metadata()``,
    ///   and those of showing the page.
    public func authorize(
        _ request: AuthRequest, scopes: [String], redirect: AuthorizationPage.Redirect,
        userAgent: any UserAgent, secrets: AuthorizationSecrets = AuthorizationSecrets(),
        page configure: (inout AuthorizationRequest) throws(AuthError) -> Void = { _ in }
    ) async throws(AuthError) -> AuthorizationGrant {
        guard !clientID.isEmpty else {
            throw AuthError(.misconfigured, "The provider \(id) has no client ID. Register a client in its console.")
        }
        let server = try await metadata()
        if scopes.contains("openid") {
            warnIfUnverifiable(request)
            // A server whose ID tokens cannot be checked must not bother the person.
            _ = try await validator()
        }
        var page = AuthorizationRequest(
            endpoint: server.authorizationEndpoint, clientID: clientID, state: secrets.state)
        page.set("scope", words: scopes + request.extraScopes)
        if scopes.contains("openid") { page.set("nonce", secrets.nonce.reveal()) }
        page.challenge(with: secrets.proofKey)
        page.set("login_hint", request.loginHint)
        let prompts = request.prompts + (request.purpose == .reauthenticate ? [.login] : [])
        page.set("prompt", words: prompts.map(\.rawValue))
        // Otherwise an issuer that ignores the prompt could confirm a log-in of last week.
        if scopes.contains("openid"), request.purpose == .reauthenticate { page.set("max_age", "0") }
        try configure(&page)
        return try await userAgent.grant(
            for: page, request, secrets: secrets, redirect: redirect, issuer: server.issuer,
            isIssuerRequired: server.namesIssuerInCallbacks, dialect: dialect, clock: clock)
    }
}

extension OAuthClient {
    /// Warns once that this system verifies no signatures.
    func warnIfUnverifiable(_ request: AuthRequest) {
        guard !canVerify, issuer.isFirstWarning() else { return }
        request.onWarning(
            AuthError(
                .misconfigured,
                """
                This system has no library that verifies the signatures of ID tokens. Those of the token endpoint are accepted, \
                because TLS authenticates it; others are refused. On Linux, install OpenSSL 3 or 1.1.
                """, provider: id))
    }
}

extension AuthError {
    static func onlyByPage(_ provider: ProviderID) -> Self {
        AuthError(
            .unsupportedProvider, "The provider \(provider) signs in by its page only. Leave the method kind out.",
            provider: provider)
    }
}
