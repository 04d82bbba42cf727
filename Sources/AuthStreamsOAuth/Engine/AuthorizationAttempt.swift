import AuthStreams
import Foundation

/// One attempt at a provider's page: what is asked for, how the answer returns, and what it is checked by.
///
/// Its `PendingAttempt` is the part of it that the answer needs, in this process or a later one.
struct AuthorizationAttempt: Sendable {
    /// The request for the page.
    let page: AuthorizationRequest
    /// The secrets of the attempt, of which the page has the `state`.
    let secrets: AuthorizationSecrets
    /// How the answer returns.
    let redirect: AuthorizationPage.Redirect
    /// The redirect URI for the provider, if another address forwards the answer to the app.
    var relay: URL?
    /// Recognizes and reads the answer.
    let expected: ExpectedCallback
    /// Sends the parameters of the page to the server before it is shown; `nil` to show them in its URL.
    var pushing: PushedAuthorization?
    /// Measures how long the page takes.
    let clock: AuthClock

    /// Checks the addresses, before anything is sent or shown.
    ///
    /// - Throws: `misconfigured`.
    func validate() throws(AuthError) {
        try page.validate()
        try redirect.validate()
        if let relay { try RedirectURI.validate(relay) }
    }

    /// Returns the page for a user agent, after its parameters are pushed.
    ///
    /// For a page that answers to a listener, the user agent has them pushed: the redirect URI is not known before the listener is
    /// open.
    ///
    /// - Throws: `AuthError`; those of ``PushedAuthorization/push(_:redirectURI:)``.
    func preparedPage(in presentation: PresentationContext) async throws(AuthError) -> AuthorizationPage {
        let opened = Lock(page)
        let shown = AuthorizationPage(
            redirect: redirect, presentation: presentation,
            prepare: { redirectURI async throws(AuthError) in
                guard let pushing else { return }
                let pushed = try await pushing.push(page, redirectURI: relay ?? redirectURI)
                opened.withLock { $0 = pushed }
            },
            makeURL: { redirectURI in opened.withLock { $0 }.url(redirectURI: relay ?? redirectURI) },
            accepts: { expected.accepts($0, redirectURI: $1) })
        if case .redirect(let url) = redirect { try await shown.prepare(redirectURI: url) }
        return shown
    }

    /// Returns what the answer is read and checked by. What the page asks for decides it.
    ///
    /// - Parameters:
    ///   - url: Where the answer comes: the URL of the app, or that of the listener.
    ///   - isBound: Whether the answer is bound to the attempt.
    func pending(answeredAt url: URL, isBound: Bool) -> PendingAttempt {
        func words(_ name: String) -> [String]? { page[name]?.split(separator: " ").map(String.init) }
        let nonce = page["nonce"].map { Secret($0) }
        return PendingAttempt(
            state: secrets.state, callbackURL: url, redirectURI: relay ?? url, issuer: expected.issuer,
            isIssuerRequired: expected.isIssuerRequired,
            verifier: page["code_challenge"] == nil ? nil : secrets.proofKey.verifier, nonce: nonce,
            rawNonce: nonce.map { _ in secrets.nonce },
            maximumAge: page["max_age"].flatMap { Int64($0) }.map { .seconds($0) },
            acceptedACRs: Set(words("acr_values") ?? []), scopes: words("scope"), isBound: isBound)
    }

    /// Returns the grant of an attempt that an earlier process began, without a page.
    ///
    /// - Throws: `AuthError`; `abandoned` if the answer was taken already, or if the attempt began at another issuer; those of the
    ///   answer.
    func grant(resuming resumed: ResumedAttempt, for request: AuthRequest) throws(AuthError) -> AuthorizationGrant {
        try resumed.take()
        // An update of the app may configure another issuer, which must not receive the code and the verifier.
        guard resumed.attempt.issuer == expected.issuer else {
            throw AuthError(
                .abandoned,
                "The attempt began at another issuer than the one that is configured now. Sign in again.")
        }
        return try AuthorizationGrant(
            of: resumed.attempt, answeredBy: resumed.callback, elapsed: resumed.elapsed, expected.dialect, for: request)
    }
}
