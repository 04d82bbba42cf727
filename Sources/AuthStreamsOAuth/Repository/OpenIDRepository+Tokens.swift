import AuthStreams
import Foundation

extension OpenIDRepository {
    /// Tokens whose ID token is not validated yet.
    struct Redeemed {
        let answer: TokenResponse
        let grant: AuthorizationGrant
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
                grant: grant(of: credential, scopes: issued.scopes, maximumAge: maximumAge))
        }
        guard let code = credential.authorizationCode else {
            throw AuthError(
                .misconfigured,
                "The credential has no code to redeem. Make the provider with `redeemer: .repository`.")
        }
        let grant = grant(of: credential, scopes: code.scopes, maximumAge: maximumAge)
        return Redeemed(answer: try await client.redeem(grant), grant: grant)
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

    /// Validates the ID token, and makes the session.
    func session(of redeemed: Redeemed) async throws(AuthError) -> AuthSession {
        let (answer, grant) = (redeemed.answer, redeemed.grant)
        try await client.requireBinding(of: answer)
        return try await session(
            of: answer, try await client.idToken(of: answer, for: grant), requested: grant.scopes, grant.onWarning)
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

    func refreshed(
        _ session: AuthSession, _ token: Secret, holding lock: SessionStoreLock?,
        _ warn: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        let answer = try await sendRefresh(
            token, isExpired: session.expiresAt.map { $0 <= client.clock.date } ?? false,
            boundTo: session.keyThumbprint, holding: lock, warn)
        client.warnIfTypeIsMissing(in: answer, warn)
        if session.keyThumbprint != nil, answer.keyThumbprint == nil {
            // What was bound is never replaced by what is not, and the token that was sent may be used up.
            await end(answer, warn)
            throw AuthError(
                .sessionExpired,
                """
                The issuer answered the refresh with tokens that are not bound to the session's key, which are dropped. Sign in \
                again. \(AuthError.unboundTokens.explanation)
                """)
        }
        var next = session
        (next.accessToken, next.refreshToken) = (answer.accessToken, answer.refreshToken ?? token)
        (next.expiresAt, next.issuedAt) = (client.clock.expiry(after: answer.expiresIn), answer.date)
        (next.isNewUser, next.keyThumbprint) = (false, answer.keyThumbprint)
        // A refresh may narrow the scope, never widen it (RFC 6749 section 6).
        if let granted = answer.scopes {
            let before = session.openID?.scopes ?? granted
            next.openID?.scopes = granted.filter(before.contains)
        }
        guard let idToken = answer.idToken else { return next }
        // From here on the old refresh token may be used up. Only an answer that is another person's ends the session; an ID
        // token that cannot be checked changes nothing about the user.
        try await requireSamePerson(idToken, as: session, of: answer, warn)
        do throws(AuthError) {
            if let first = session.openID?.claims {
                let valid = try await client.refreshedIDToken(idToken, first: first, answer: answer)
                next.user = updated(session.user, by: valid.claims)
            } else {
                let valid = try await client.idToken(of: answer, for: .withoutPage(onWarning: warn))
                next.user = updated(session.user, by: valid.claims)
                next.openID = AuthSession.OpenID(idToken: valid.token, scopes: answer.scopes)
            }
        } catch {
            warn(error)
        }
        return next
    }

    /// Checks whose the answer to a refresh is. TLS authenticates the token endpoint (section 3.1.3.7, rule 6).
    ///
    /// - Throws: `sessionExpired` for another issuer's or another person's, whose tokens are ended and dropped.
    private func requireSamePerson(
        _ idToken: Secret, as session: AuthSession, of answer: TokenResponse, _ warn: (AuthError) -> Void
    ) async throws(AuthError) {
        guard let claims = JSONWebToken(idToken)?.claims else { return }
        guard claims["iss"] != session.user.claims["iss"] || claims["sub"] != .string(session.user.id) else { return }
        await end(answer, warn)
        throw AuthError(
            .sessionExpired, "The issuer answered the refresh with another person's tokens, which are dropped.")
    }

    /// Ends tokens that are dropped.
    private func end(_ answer: TokenResponse, _ warn: (AuthError) -> Void) async {
        guard let token = answer.refreshToken else { return }
        do throws(AuthError) { try await client.revoke(token) } catch { warn(error) }
    }

    /// Sends a refresh token. One that is not bound needs no key: a session from before binding was asked for stays what it is until
    /// the issuer binds it, and so does an adopted one.
    ///
    /// - Parameters:
    ///   - isExpired: Whether the access token is known to be expired, so that a refusal counts.
    ///   - thumbprint: The thumbprint of the key that the token is bound to; `nil` for none.
    ///   - lock: The refresh lock.
    ///   - warn: Receives why a token that was not bound stays so.
    /// - Throws: `sessionExpired` for `invalid_grant`, for a refusal that ``RepeatedRefusals`` found final, and before any request if
    ///   the key is lost; `storage` if the lock is lost before the token would be sent once more.
    private func sendRefresh(
        _ token: Secret, isExpired: Bool, boundTo thumbprint: String?, holding lock: SessionStoreLock?,
        _ warn: (AuthError) -> Void
    ) async throws(AuthError) -> TokenResponse {
        var refusal: TokenEndpoint.Refusal?
        var isFinal = false
        var hasKey = client.dpop != nil
        do throws(AuthError) {
            let answer = try await client.refresh(
                token, boundTo: thumbprint,
                onMissingKey: {
                    hasKey = false
                    warn($0)
                },
                beforeRepeating: { () throws(AuthError) in try lock?.requireHeld() },
                onAnswer: { answer in
                    refusal = answer
                    isFinal = refusals.add(isExpired ? answer : nil, of: token, at: client.clock.uptime)
                })
            if thumbprint == nil, hasKey, answer.keyThumbprint == nil { warn(.bearerTokensStay) }
            return answer
        } catch {
            // A server that failed may say anything.
            let isRejection = error.serverCode == "invalid_grant" && !error.classification.isTransient
            guard isFinal || isRejection else {
                guard refusal != nil, error.code == .invalidResponse else { throw error }
                throw AuthError(
                    .invalidCredential,
                    "The issuer refused the refresh token without saying why.")
            }
            throw AuthError(
                .sessionExpired,
                isRejection
                    ? "The issuer refused the refresh token: it expired, was ended or was used. Sign in again."
                    : "The issuer refused the refresh token in the same words for ten minutes. Sign in again."
            ).quotingServer(of: error)
        }
    }

    /// Makes the session of an adoptable refresh token.
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
        let answer = try await sendRefresh(
            adoptable.refreshToken, isExpired: false, boundTo: nil, holding: lock, warn)
        client.warnIfTypeIsMissing(in: answer, warn)
        var session: AuthSession
        if answer.idToken != nil {
            let idToken = try await client.idToken(of: answer, for: .withoutPage(onWarning: warn))
            session = try await self.session(of: answer, idToken, requested: nil, warn)
        } else {
            let claims = try await client.userInfo(
                answer.accessToken, boundTo: answer.keyThumbprint, subject: user.id)
            session = self.session(of: answer, updated(user, by: claims ?? [:]), nil)
        }
        session.refreshToken = session.refreshToken ?? adoptable.refreshToken
        return session
    }

    private func session(
        of answer: TokenResponse, _ idToken: IDToken, requested scopes: [String]?, _ warn: (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        var user = AuthUser(id: idToken.subject)
        user.claims["iss"] = idToken["iss"]
        user = updated(user, by: idToken.claims)
        do throws(AuthError) {
            // With the code flow many issuers tell the profile only here (OpenID Connect Core section 5.4).
            let claims = try await client.userInfo(
                answer.accessToken, boundTo: answer.keyThumbprint, subject: nil)
            if let claims {
                guard claims["sub"]?.string == idToken.subject else { throw OAuthClient.anotherPersonsClaims }
                user = updated(user, by: claims)
            }
        } catch {
            // The code is used up, and the ID token says who it is. Only another person's claims are a reason to refuse it.
            if error.code == .cancelled || error == OAuthClient.anotherPersonsClaims { throw error }
            if error == OAuthClient.claimsOfAnUnknownPerson { warn(error) }
        }
        return session(of: answer, user, AuthSession.OpenID(idToken: idToken.token, scopes: answer.scopes ?? scopes))
    }

    private func session(of answer: TokenResponse, _ user: AuthUser, _ openID: AuthSession.OpenID?) -> AuthSession {
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

extension AuthError {
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

extension AuthUser {
    /// The issuer that names the person by ``id``: the two are the person's identity (OpenID Connect Core section 5.7).
    fileprivate var issuer: String? { claims["iss"]?.string }

    /// Claims of the protocol, which say nothing about the person (OpenID Connect Core section 2).
    private static let protocolClaims: Set = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "jti", "nonce", "azp", "acr", "amr", "auth_time", "at_hash", "c_hash",
        "sid", "typ", "session_state",
    ]
    /// Claims that the user's properties have. `preferred_username` is not among them: a display name may stand in its
    /// place.
    private static let standardClaims: Set = ["email", "email_verified", "name", "picture"]

    /// The user with what the claims say (OpenID Connect Core section 5.1); what they leave out stays.
    init(_ user: AuthUser, updatedBy claims: AuthJSON) {
        self = user
        if let email = claims["email"]?.string, !email.isEmpty {
            // Some issuers write the truth value as a string, and some leave it out where they repeat the address.
            isEmailVerified = claims["email_verified"]?.lenientBool ?? (email == self.email && isEmailVerified)
            self.email = email
        }
        displayName = claims["name"]?.string ?? displayName ?? claims["preferred_username"]?.string
        photoURL = claims["picture"]?.string.flatMap(URL.init(string:)) ?? photoURL
        let others = (claims.object ?? [:]).filter {
            !Self.protocolClaims.contains($0.key) && !Self.standardClaims.contains($0.key)
        }
        self.claims.merge(others) { $1 }
    }
}
