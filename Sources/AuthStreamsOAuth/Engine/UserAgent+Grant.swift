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
        let expected = ExpectedCallback(
            state: secrets.state, issuer: issuer, isIssuerRequired: isIssuerRequired, dialect: dialect)
        return try await grant(
            of: AuthorizationAttempt(
                page: page, secrets: secrets, redirect: redirect, relay: relay, expected: expected, clock: clock),
            for: request)
    }

    /// Opens the page of an attempt and returns its checked answer, or resumes the attempt that the request carries.
    func grant(
        of attempt: AuthorizationAttempt, for request: AuthRequest
    ) async throws(AuthError) -> AuthorizationGrant {
        if let resumed = request.resumed { return try attempt.grant(resuming: resumed, for: request) }
        try attempt.validate()
        let page = try await attempt.preparedPage(in: request.presentation)
        let begin = attempt.clock.uptime
        let answer = try await answer(to: page, of: attempt, for: request)
        return try AuthorizationGrant(
            of: attempt.pending(answeredAt: answer.redirectURI, isBound: answer.isBound), answeredBy: answer.url,
            elapsed: attempt.clock.uptime - begin, attempt.expected.dialect, for: request)
    }

    /// Shows the page. The attempt is stored meanwhile if its answer may come to a later process: what waits for any other
    /// answer ends with this one.
    private func answer(
        to page: AuthorizationPage, of attempt: AuthorizationAttempt, for request: AuthRequest
    ) async throws(AuthError) -> AuthorizationAnswer {
        guard case .redirect(let url) = page.redirect, opensAppWithAnswer else { return try await authorize(page) }
        return try await request.keeping(attempt.pending(answeredAt: url, isBound: bindsAnswers)) {
            () async throws(AuthError) in try await authorize(page)
        }
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
