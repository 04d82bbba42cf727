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
    ///   - request: Where to present. It stores the attempt while the person is away, and carries one that is resumed: no page
    ///     is opened then.
    ///   - secrets: The secrets of the attempt.
    ///   - redirect: How the answer returns.
    ///   - relay: The redirect URI for the provider, if an address of yours forwards the answer to the app: Apple's.
    ///   - issuer: The issuer that an answer may name (RFC 9207); `nil` if the provider does not name itself.
    ///   - isIssuerRequired: Whether an answer without `iss` is refused.
    ///   - dialect: Translates the provider's own errors.
    ///   - clock: Measures how long the page takes.
    /// - Throws: `AuthError`; `misconfigured` before anything is shown if the endpoint is neither https nor on this
    ///   machine, or repeats a parameter, or if a redirect URI is relative, has a fragment, or is plain http to another
    ///   machine; the user agent's errors; `stateMismatch`, `issuerMismatch` or `invalidResponse`
    ///   for an invalid answer; or the provider's own error.
    public func grant(
        for page: AuthorizationRequest, _ request: AuthRequest, secrets: AuthorizationSecrets,
        redirect: AuthorizationPage.Redirect, relay: URL? = nil, issuer: String? = nil, isIssuerRequired: Bool = false,
        dialect: @escaping OAuthFailure.Dialect = { _ in nil }, clock: AuthClock = .system
    ) async throws(AuthError) -> AuthorizationGrant {
        try await grant(
            for: page, request, secrets: secrets, redirect: redirect, relay: relay, issuer: issuer,
            isIssuerRequired: isIssuerRequired, pushing: nil, dialect: dialect, clock: clock)
    }

    /// - Parameter pushing: Sends the parameters of the page to the server before it is shown; `nil` to show them in
    ///   its URL.
    func grant(
        for page: AuthorizationRequest, _ request: AuthRequest, secrets: AuthorizationSecrets,
        redirect: AuthorizationPage.Redirect, relay: URL? = nil, issuer: String?, isIssuerRequired: Bool,
        pushing: PushedAuthorization?, dialect: @escaping OAuthFailure.Dialect, clock: AuthClock
    ) async throws(AuthError) -> AuthorizationGrant {
        if let resumed = request.resumed {
            try resumed.take()
            // An update of the app may configure another issuer, which must not receive the code and the verifier.
            guard resumed.attempt.issuer == issuer else { throw .attemptOfAnotherIssuer }
            return try AuthorizationGrant(
                of: resumed.attempt, answeredBy: resumed.callback, elapsed: resumed.elapsed, dialect,
                for: request)
        }
        try page.validate()
        try redirect.validate()
        if let relay { try RedirectURI.validate(relay) }
        let expected = ExpectedCallback(
            state: secrets.state, issuer: issuer, isIssuerRequired: isIssuerRequired, dialect: dialect)
        let opened = Lock(page)
        let shown = AuthorizationPage(
            redirect: redirect, presentation: request.presentation,
            prepare: { redirectURI async throws(AuthError) in
                guard let pushing else { return }
                let pushed = try await pushing.push(page, redirectURI: relay ?? redirectURI)
                opened.withLock { $0 = pushed }
            },
            makeURL: { redirectURI in opened.withLock { $0 }.url(redirectURI: relay ?? redirectURI) },
            accepts: { expected.accepts($0, redirectURI: $1) })
        // A listener's redirect URI is not known before the listener is open.
        if case .redirect(let url) = redirect { try await shown.prepare(redirectURI: url) }
        func attempt(comingBackTo url: URL, isBound: Bool) -> PendingAttempt {
            PendingAttempt(
                of: page, secrets, callbackURL: url, redirectURI: relay ?? url, issuer: issuer,
                isIssuerRequired: isIssuerRequired, isBound: isBound)
        }

        let begin = clock.uptime
        let answer: AuthorizationAnswer
        switch redirect {
        case .redirect(let url) where opensAppWithAnswer:
            let attempt = attempt(comingBackTo: url, isBound: bindsAnswers)
            answer = try await request.keeping(attempt) { () async throws(AuthError) in try await authorize(shown) }
        // What waits for the answer ends with this process.
        case .redirect, .loopback: answer = try await authorize(shown)
        }
        return try AuthorizationGrant(
            of: attempt(comingBackTo: answer.redirectURI, isBound: answer.isBound), answeredBy: answer.url,
            elapsed: clock.uptime - begin, dialect, for: request)
    }
}

extension AuthError {
    fileprivate static var attemptOfAnotherIssuer: Self {
        AuthError(
            .abandoned,
            "The attempt began at another issuer than the one that is configured now. Sign in again.")
    }
}

extension AuthRequest {
    /// Lets the person leave the app while the attempt is stored, so that a later process can resume it if the system ends this
    /// one.
    ///
    /// - Parameter attempt: `nil` if the answer is not bound to the attempt. A later process then reports its end.
    @inline(never)  // Not repeated in each of its callers.
    func keeping<Answer>(
        _ attempt: PendingAttempt?, _ leave: () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let forget = await keepAttempt(attempt)
        do throws(AuthError) {
            let answer = try await leave()
            await forget()
            return answer
        } catch {
            await forget()
            throw error
        }
    }
}

extension PendingAttempt {
    /// What a page asks for decides what its answer is checked by.
    fileprivate init(
        of page: AuthorizationRequest, _ secrets: AuthorizationSecrets, callbackURL: URL, redirectURI: URL,
        issuer: String?, isIssuerRequired: Bool, isBound: Bool
    ) {
        func words(_ name: String) -> [String]? { page[name]?.split(separator: " ").map(String.init) }
        let nonce = page["nonce"].map { Secret($0) }
        self.init(
            state: secrets.state, callbackURL: callbackURL, redirectURI: redirectURI, issuer: issuer,
            isIssuerRequired: isIssuerRequired,
            verifier: page["code_challenge"] == nil ? nil : secrets.proofKey.verifier, nonce: nonce,
            rawNonce: nonce.map { _ in secrets.nonce },
            maximumAge: page["max_age"].flatMap { Int64($0) }.map { .seconds($0) },
            acceptedACRs: Set(words("acr_values") ?? []), scopes: words("scope"), isBound: isBound)
    }
}
