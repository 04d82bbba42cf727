import AuthStreams
import Foundation

/// One use of a refresh token.
private struct RefreshTokenUse {
    let token: Secret
    /// The thumbprint of the key that the token is bound to; `nil` for none.
    var keyThumbprint: String?
    /// Whether the access token is known to be expired, so that a refusal counts.
    var isAccessTokenExpired = false
    /// The refresh lock.
    let lock: SessionStoreLock?
    /// Receives what does not end the session.
    let warn: @Sendable (AuthError) -> Void
}

extension OpenIDRepository {
    /// Returns the session after a refresh.
    ///
    /// The refresh token may be used up once its answer was read. So of an answer with tokens only what `reasonToDrop(_:)` finds ends
    /// the session, and an ID token that cannot be checked changes nothing about the user.
    func refreshed(
        _ session: AuthSession, holding lock: SessionStoreLock?, _ warn: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        guard let token = session.refreshToken?.present else {
            throw AuthError(
                .sessionExpired,
                "The session has no refresh token, so it ends with its access token. Ask for offline_access.")
        }
        let answer = try await send(
            RefreshTokenUse(
                token: token, keyThumbprint: session.keyThumbprint,
                isAccessTokenExpired: session.isExpired(at: client.clock.date), lock: lock, warn: warn))
        if let reason = session.reasonToDrop(answer) {
            await revokeRefreshToken(of: answer, warn)
            throw reason
        }
        let next = session.continued(by: answer, until: client.clock.expiry(after: answer.expiresIn))
        do throws(AuthError) { return try await identified(next, by: answer, warn) } catch {
            warn(error)
            return next
        }
    }

    /// Returns the session of an adoptable refresh token.
    func adopted(
        _ adoptable: AdoptableSession, holding lock: SessionStoreLock?,
        _ warn: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        guard let user = adoptable.user, user.issuer != nil else {
            throw AuthError(
                .misconfigured,
                """
                The session to adopt does not say its issuer, and its token goes to no other. Give it the user of the other \
                SDK's ID token: `sub` as the identifier, and `iss` as a claim of that name.
                """)
        }
        try requireOwn(user, of: adoptable.provider)
        let answer = try await send(RefreshTokenUse(token: adoptable.refreshToken, lock: lock, warn: warn))
        var session: AuthSession
        if answer.idToken != nil {
            session = try await identifiedSession(of: answer, for: .withoutPage(onWarning: warn))
        } else {
            let claims = try await client.userInfo(
                answer.accessToken, boundTo: answer.keyThumbprint, subject: user.id)
            session = self.session(of: answer, updated(user, by: claims ?? [:]), nil)
        }
        session.refreshToken = session.refreshToken ?? adoptable.refreshToken
        return session
    }

    /// Sends a refresh token, and returns the tokens of the answer.
    ///
    /// - Throws: `AuthError`; those of ``OAuthClient/refreshEndpoint(boundTo:onMissingKey:)``, before the token is sent; `storage` if
    ///   the lock is lost before it would be sent once more; those of ``tokens(of:to:)``.
    private func send(_ use: RefreshTokenUse) async throws(AuthError) -> TokenResponse {
        let endpoint = try await client.refreshEndpoint(boundTo: use.keyThumbprint, onMissingKey: use.warn)
        let answer = try await client.send(use.token, to: endpoint) { () throws(AuthError) in
            try use.lock?.requireHeld()
        }
        let tokens = try tokens(of: answer, to: use)
        if use.keyThumbprint == nil, endpoint.binding != nil, tokens.keyThumbprint == nil {
            use.warn(.bearerTokensStay)
        }
        client.warnIfTypeIsMissing(in: tokens, use.warn)
        return tokens
    }

    /// Counts the answer to a refresh token as a refusal, if it is one, and reads it.
    ///
    /// - Throws: `sessionExpired` for `invalid_grant`, and for a refusal that ``RepeatedRefusals`` found final;
    ///   `invalidCredential` for any other definite refusal without a code; otherwise the answer's own error.
    private func tokens(of answer: TokenEndpoint.Answer, to use: RefreshTokenUse) throws(AuthError) -> TokenResponse {
        let isFinal = refusals.add(
            use.isAccessTokenExpired ? answer.refusal : nil, of: use.token, at: client.clock.uptime)
        do throws(AuthError) { return try answer.tokens() } catch {
            // A server that failed may say anything.
            if error.serverCode == "invalid_grant", !error.classification.isTransient {
                throw AuthError.refreshTokenRejected.quotingServer(of: error)
            }
            if isFinal { throw AuthError.refreshTokenRefusedRepeatedly.quotingServer(of: error) }
            if error.code == .invalidResponse, answer.refusal != nil { throw .refreshTokenRefusedWithoutReason }
            throw error
        }
    }

    /// Ends the refresh token of an answer that is dropped.
    private func revokeRefreshToken(of answer: TokenResponse, _ warn: (AuthError) -> Void) async {
        guard let token = answer.refreshToken else { return }
        do throws(AuthError) { try await client.revoke(token) } catch { warn(error) }
    }

    /// Returns the session with what the ID token of its refresh says. The first ID token of a session stays with it.
    ///
    /// - Throws: Those of the rules for the ID token.
    private func identified(
        _ session: AuthSession, by answer: TokenResponse, _ warn: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        guard let token = answer.idToken else { return session }
        var next = session
        if let first = session.openID?.claims {
            let valid = try await client.refreshedIDToken(token, first: first, answer: answer)
            next.user = updated(session.user, by: valid.claims)
        } else {
            let valid = try await client.idToken(of: answer, for: .withoutPage(onWarning: warn))
            next.user = updated(session.user, by: valid.claims)
            next.openID = AuthSession.OpenID(idToken: valid.token, scopes: answer.scopes)
        }
        return next
    }
}

extension AuthSession {
    /// Returns why the answer to a refresh does not continue the session; `nil` if it does.
    ///
    /// What was bound to a key is never replaced by what is not. The ID token says whose the answer is, without its signature: TLS
    /// authenticates the token endpoint (OpenID Connect Core section 3.1.3.7, rule 6).
    fileprivate func reasonToDrop(_ answer: TokenResponse) -> AuthError? {
        if keyThumbprint != nil, answer.keyThumbprint == nil { return .tokensWithoutTheKey }
        guard let claims = answer.idToken.flatMap({ JSONWebToken($0) })?.claims else { return nil }
        return user.isNamed(by: claims) ? nil : .tokensOfAnotherPerson
    }

    /// Returns the session with the tokens of a refresh. What the answer leaves out stays.
    fileprivate func continued(by answer: TokenResponse, until expiry: Date?) -> Self {
        var next = self
        (next.accessToken, next.refreshToken) = (answer.accessToken, answer.refreshToken ?? refreshToken)
        (next.expiresAt, next.issuedAt) = (expiry, answer.date)
        (next.isNewUser, next.keyThumbprint) = (false, answer.keyThumbprint)
        // A refresh may narrow the scope, never widen it (RFC 6749 section 6).
        if let granted = answer.scopes {
            next.openID?.scopes = granted.filter((openID?.scopes ?? granted).contains)
        }
        return next
    }
}

extension AuthError {
    fileprivate static var refreshTokenRejected: Self {
        AuthError(
            .sessionExpired,
            "The issuer refused the refresh token: it expired, was ended or was used. Sign in again.")
    }

    fileprivate static var refreshTokenRefusedRepeatedly: Self {
        AuthError(
            .sessionExpired, "The issuer refused the refresh token in the same words for ten minutes. Sign in again.")
    }

    fileprivate static var refreshTokenRefusedWithoutReason: Self {
        AuthError(.invalidCredential, "The issuer refused the refresh token without saying why.")
    }

    fileprivate static var tokensOfAnotherPerson: Self {
        AuthError(
            .sessionExpired, "The issuer answered the refresh with another person's tokens, which are dropped.")
    }

    fileprivate static var tokensWithoutTheKey: Self {
        AuthError(
            .sessionExpired,
            """
            The issuer answered the refresh with tokens that are not bound to the session's key, which are dropped. Sign in \
            again. \(AuthError.unboundTokens.explanation)
            """)
    }

    /// The warning about a session from before binding was asked for, whose tokens the issuer does not bind.
    fileprivate static var bearerTokensStay: Self {
        AuthError(
            .invalidResponse,
            """
            The issuer did not bind the tokens of the refresh to the key, so the session keeps bearer tokens. Enable DPoP for the \
            client in the issuer's console (`dpop_bound_access_tokens`); the person may have to sign in again.
            """)
    }
}
