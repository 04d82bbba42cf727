public import AuthStreams
public import Foundation

extension UserAgent {
    /// Opens a page and returns its checked answer.
    ///
    /// What the page asks for decides what its ID token is checked by: `nonce`, `max_age`, `acr_values`.
    ///
    /// - Parameters:
    ///   - page: The request for the page. Its `state` is that of the secrets, and its challenge, if it has one, that of
    ///     their proof key.
    ///   - secrets: The secrets of the attempt.
    ///   - redirect: How the answer returns.
    ///   - relay: The redirect URI for the provider, if an address of yours forwards the answer to the app: Apple's.
    ///   - issuer: The issuer that an answer may name (RFC 9207); `nil` if the provider does not name itself.
    ///   - isIssuerRequired: Whether an answer without `iss` is refused.
    ///   - dialect: Translates the provider's own errors.
    ///   - presentation: Where to present.
    ///   - clock: Measures how long the page takes.
    /// - Throws: `AuthError`; `misconfigured` before anything is shown if the endpoint is neither https nor on this
    ///   machine, or repeats a parameter, or if a redirect URI is relative, has a fragment, or is plain http to another
    ///   machine; the user agent's errors; `stateMismatch`, `issuerMismatch` or `invalidResponse`
    ///   for an invalid answer; or the provider's own error.
    public func grant(
        for page: AuthorizationRequest, secrets: AuthorizationSecrets, redirect: AuthorizationPage.Return,
        relay: URL? = nil, issuer: String? = nil, isIssuerRequired: Bool = false,
        dialect: @escaping OAuthFailure.Dialect = { _ in nil }, presentation: PresentationContext = .frontmost,
        clock: AuthClock = .system
    ) async throws(AuthError) -> AuthorizationGrant {
        try page.validate()
        try redirect.validate()
        if let relay { try RedirectURI.validate(relay) }
        let expected = ExpectedCallback(
            state: secrets.state, issuer: issuer, isIssuerRequired: isIssuerRequired, dialect: dialect)
        let begin = clock.uptime
        let answer = try await authorize(
            AuthorizationPage(
                comesBack: redirect, presentation: presentation, makeURL: { page.url(redirectURI: relay ?? $0) },
                accepts: { expected.accepts($0, redirectURI: $1) }))
        return AuthorizationGrant(
            try expected.parse(answer.url, redirectURI: answer.redirectURI), of: page,
            redirectURI: relay ?? answer.redirectURI, secrets, elapsed: clock.uptime - begin)
    }
}
