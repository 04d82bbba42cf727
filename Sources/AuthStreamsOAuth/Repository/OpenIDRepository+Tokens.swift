import AuthStreams
import Foundation

extension OpenIDRepository {
    /// Redeems a code, and makes the session.
    func redeem(_ credential: Credential, maximumAge: Duration?) async throws(AuthError) -> Session {
        guard accepts(credential.provider) else {
            throw AuthError(
                .unsupportedProvider,
                "The repository takes credentials of \(client.id) alone, not of \(credential.provider).")
        }
        guard let code = credential.authorizationCode else {
            throw AuthError(
                .misconfigured,
                "The credential has no code to redeem. Make the provider with `redeemer: .repository`.")
        }
        var grant = AuthorizationGrant(
            callback: AuthorizationCallback(fields: ["code": code.code.reveal()]), redirectURI: code.redirectURI,
            verifier: code.codeVerifier, nonce: credential.rawNonce)
        grant.maximumAge = maximumAge
        grant.acceptedACRs = Set(options.acrValues)
        let answer = try await client.redeem(grant)
        return try await session(of: answer, try await client.idToken(of: answer, for: grant), previous: nil)
    }

    func refreshed(_ session: Session, _ token: Secret) async throws(AuthError) -> Session {
        let answer = try await sendRefresh(token)
        var next = session
        (next.accessToken, next.refreshToken) = (answer.accessToken, answer.refreshToken ?? token)
        (next.expiresAt, next.issuedAt) = (client.clock.expiry(after: answer.expiresIn), answer.date)
        next.isNewUser = false
        next.openID?.scopes = answer.scopes ?? session.openID?.scopes
        guard let idToken = answer.idToken, let first = session.openID?.claims else { return next }
        do throws(AuthError) {
            let refreshed = try await client.refreshedIDToken(idToken, first: first, answer: answer)
            next.user = AuthUser(session.user, updatedBy: refreshed.claims)
        } catch {
            // The old refresh token may be used up: a key set that cannot be fetched must not end the session. TLS
            // authenticates the token endpoint (section 3.1.3.7, rule 6), and the user stays as before.
            guard error.classification.isTransient else { throw error }
        }
        return next
    }

    /// - Throws: `sessionExpired` for `invalid_grant`.
    func sendRefresh(_ token: Secret) async throws(AuthError) -> TokenResponse {
        do throws(AuthError) { return try await client.refresh(token) } catch {
            guard error.code == .invalidCredential, error.serverCode == "invalid_grant" else { throw error }
            throw AuthError(
                .sessionExpired,
                "The issuer refused the refresh token: it expired, was ended or was used. Sign in again.",
                serverCode: error.serverCode)
        }
    }

    /// - Parameter previous: The refresh token that stays in use if the answer has none.
    func session(
        of answer: TokenResponse, _ idToken: IDToken, previous: Secret?
    ) async throws(AuthError) -> Session {
        var user = AuthUser(AuthUser(id: idToken.subject), updatedBy: idToken.claims)
        do throws(AuthError) {
            // With the code flow many issuers tell the profile only here (OpenID Connect Core section 5.4).
            if let claims = try await client.userInfo(answer.accessToken, subject: idToken.subject) {
                user = AuthUser(user, updatedBy: claims)
            }
        } catch {
            // The code is used up, and the ID token says who it is.
            guard error.classification.isTransient else { throw error }
        }
        user.providers = [.init(id: client.id, userID: idToken.subject, email: user.email)]
        return Session(
            accessToken: answer.accessToken, refreshToken: answer.refreshToken ?? previous,
            expiresAt: client.clock.expiry(after: answer.expiresIn), user: user, provider: client.id,
            issuedAt: answer.date, openID: Session.OpenID(idToken: idToken.token, scopes: answer.scopes))
    }
}

extension AuthUser {
    /// Claims of the protocol, which say nothing about the person (OpenID Connect Core section 2).
    private static let protocolClaims: Set = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "jti", "nonce", "azp", "acr", "amr", "auth_time", "at_hash", "c_hash",
        "sid", "typ", "session_state",
    ]
    private static let standardClaims: Set = ["email", "email_verified", "name", "preferred_username", "picture"]

    /// The user with what the claims say (OpenID Connect Core section 5.1); what they leave out stays.
    init(_ user: AuthUser, updatedBy claims: JSONValue) {
        self = user
        if let email = claims["email"]?.string, !email.isEmpty {
            (self.email, isEmailVerified) = (email, claims["email_verified"] == .bool(true))
        }
        displayName = claims["name"]?.string ?? displayName ?? claims["preferred_username"]?.string
        photoURL = claims["picture"]?.string.flatMap(URL.init(string:)) ?? photoURL
        let others = (claims.object ?? [:]).filter {
            !Self.protocolClaims.contains($0.key) && !Self.standardClaims.contains($0.key)
        }
        self.claims.merge(others) { $1 }
    }
}
