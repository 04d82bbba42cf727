import AuthStreams

extension OpenIDRepository {
    /// Tokens whose ID token is not validated yet.
    struct Redeemed {
        let answer: TokenResponse
        let grant: AuthorizationGrant
        /// When the same tokens are presented again.
        let retry: OAuthClient.Retry
    }

    /// Redeems a code. Tokens that the provider redeemed itself are taken as they are.
    func redeem(_ credential: Credential, maximumAge: Duration?) async throws(AuthError) -> Redeemed {
        guard accepts(credential.provider) else {
            throw AuthError(
                .unsupportedProvider,
                "The repository takes credentials of \(client.id) alone, not of \(credential.provider).")
        }
        if let issued = credential.issuedTokens {
            // They go to no other issuer, not even to be ended there.
            guard client.isIssuer(credential.idToken.flatMap { JSONWebToken($0)?.claims["iss"]?.string }) else {
                throw AuthError(
                    .misconfigured,
                    """
                    The provider's tokens have no ID token of the repository's issuer. Make both by the same configuration, with \
                    `openid` among the scopes.
                    """)
            }
            return Redeemed(
                answer: try TokenResponse(issued, with: credential),
                grant: grant(of: credential, scopes: issued.scopes, maximumAge: maximumAge), retry: .afterPassingFailure
            )
        }
        guard let code = credential.authorizationCode else {
            throw AuthError(
                .misconfigured,
                "The credential has no code to redeem. Make the provider with `redeemer: .repository`.")
        }
        let grant = grant(of: credential, scopes: code.scopes, maximumAge: maximumAge)
        return Redeemed(answer: try await client.redeem(grant), grant: grant, retry: .never)
    }

    /// The grant of a credential: of its code, or of the tokens that the provider got.
    private func grant(of credential: Credential, scopes: [String]?, maximumAge: Duration?) -> AuthorizationGrant {
        let code = credential.authorizationCode
        var grant = AuthorizationGrant(
            callback: code.map {
                AuthorizationCallback(fields: ["code": $0.code.reveal(), "iss": $0.issuer ?? ""])
            } ?? .none,
            redirectURI: code?.redirectURI, verifier: code?.codeVerifier, nonce: credential.rawNonce,
            maximumAge: maximumAge,
            acceptedACRs: Set(credential.acrValues.isEmpty ? options.acrValues : credential.acrValues),
            // The page may have been open for as long as an attempt lasts.
            elapsed: .seconds(600))
        grant.onWarning = credential.warnings.report
        grant.scopes = scopes
        return grant
    }

    /// Makes the session of a sign-in, whose tokens are bound to a key if the client binds tokens.
    func session(of redeemed: Redeemed) async throws(AuthError) -> AuthSession {
        try await client.requireBinding(of: redeemed.answer)
        return try await identifiedSession(of: redeemed.answer, for: redeemed.grant)
    }

    /// Validates the ID token of an answer, and makes the session of the person that it names.
    func identifiedSession(
        of answer: TokenResponse, for grant: AuthorizationGrant
    ) async throws(AuthError) -> AuthSession {
        let idToken = try await client.idToken(of: answer, for: grant)
        var user = AuthUser(id: idToken.subject)
        user.claims["iss"] = idToken["iss"]
        user = updated(user, by: idToken.claims)
        if let claims = try await userInfo(of: answer, about: idToken.subject, grant.onWarning) {
            user = updated(user, by: claims)
        }
        let scopes = answer.scopes ?? grant.scopes
        return session(of: answer, user, AuthSession.OpenID(idToken: idToken.token, scopes: scopes))
    }

    /// Returns the user information. With the code flow many issuers tell the profile only there (OpenID Connect Core section 5.4).
    ///
    /// The code is used up, and the ID token says who it is. Only another person's claims are a reason to refuse it.
    ///
    /// - Returns: `nil` if the issuer has none, or it cannot be fetched or used.
    private func userInfo(
        of answer: TokenResponse, about subject: String, _ warn: (AuthError) -> Void
    ) async throws(AuthError) -> AuthJSON? {
        do throws(AuthError) {
            return try await client.userInfo(answer.accessToken, boundTo: answer.keyThumbprint, subject: subject)
        } catch {
            if error.code == .cancelled || error == OAuthClient.anotherPersonsClaims { throw error }
            if error == OAuthClient.claimsOfAnUnknownPerson { warn(error) }
            return nil
        }
    }

    /// Requires that tokens are of the configured issuer. Every request with a session's tokens requires it first: an update of
    /// the app may configure another issuer under the same provider.
    ///
    /// - Parameters:
    ///   - user: The user of the tokens, whose claim `iss` names their issuer.
    ///   - provider: The provider of the session; `nil` if it is not known.
    /// - Throws: `sessionExpired`.
    func requireOwn(_ user: AuthUser, of provider: ProviderID?) throws(AuthError) {
        guard isOwn(user, of: provider) else {
            throw AuthError(
                .sessionExpired, "The session is of another issuer than the configured one. Sign in at this one.")
        }
    }

    /// Whether tokens are of the configured issuer.
    func isOwn(_ user: AuthUser, of provider: ProviderID?) -> Bool {
        provider ?? client.id == client.id && client.isIssuer(user.issuer)
    }

    /// Requires that the session's tokens are of the configured issuer, and bound to a key only if the client binds tokens.
    func requireOwn(_ session: AuthSession) throws(AuthError) {
        try requireOwn(session.user, of: session.provider)
        guard owns(session) else {
            throw AuthError(
                .sessionExpired,
                "The session's tokens are bound to a key, which needs `usesDPoP`. Set it, or sign in again.")
        }
    }

    /// Makes the session of an answer.
    func session(of answer: TokenResponse, _ user: AuthUser, _ openID: AuthSession.OpenID?) -> AuthSession {
        AuthSession(
            accessToken: answer.accessToken, refreshToken: answer.refreshToken,
            expiresAt: client.clock.expiry(after: answer.expiresIn), user: user, provider: client.id,
            issuedAt: answer.date, openID: openID, keyThumbprint: answer.keyThumbprint)
    }

    /// The user with what the claims say, and the identity at the issuer.
    func updated(_ user: AuthUser, by claims: AuthJSON) -> AuthUser {
        var user = AuthUser(user, updatedBy: claims)
        user.providers = [.init(id: client.id, userID: user.id, email: user.email)]
        return user
    }
}
