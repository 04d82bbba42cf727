package import AuthStreams
import Foundation

extension IdentityToolkit {
    /// Looks up the user of an ID token: `accounts:lookup`.
    ///
    /// - Returns: The user as the server has it, with the custom claims of the ID token.
    /// - Throws: `AuthError`; `userNotFound`, `userDisabled` or `sessionExpired` if the user was deleted or disabled or
    ///   the token is over.
    package func lookup(_ idToken: Secret) async throws(AuthError) -> AuthUser {
        try await lookedUp(idToken, FirebaseClaims(idToken)).user
    }

    /// Looks up the user of the tokens of a sign-in.
    func lookup(_ tokens: Tokens) async throws(AuthError) -> AuthUser {
        try await lookedUp(tokens.idToken, tokens.claims).user
    }

    /// Looks up the user with the account's current custom claims, if the answer has them: a function may have changed
    /// them since the ID token was issued.
    func account(of idToken: Secret) async throws(AuthError) -> AuthUser {
        var (user, account) = try await lookedUp(idToken, FirebaseClaims(idToken))
        if let text = account["customAttributes"]?.text,
            case .object(let claims)? = AuthJSON(json: Data(text.utf8))
        {
            user.claims = claims
        }
        return user
    }

    func lookedUp(
        _ idToken: Secret, _ claims: FirebaseClaims
    ) async throws(AuthError) -> (user: AuthUser, account: AuthJSON) {
        let answer = try await post(["idToken": .string(idToken.reveal())], to: "lookup")
        guard let account = answer["users"]?.array?.first, let user = AuthUser(account: account, claims: claims)
        else {
            throw AuthError(.invalidResponse, "The answer describes no user.")
        }
        guard account["disabled"]?.lenientBool != true else {
            throw AuthError(.userDisabled, "The account was disabled in the Firebase console or by the server.")
        }
        return (user, account)
    }

    /// Deletes the user of an ID token: `accounts:delete`.
    ///
    /// - Throws: `AuthError`; `requiresRecentSignIn` if the last sign-in was too long ago.
    package func delete(_ idToken: Secret) async throws(AuthError) {
        _ = try await post(["idToken": .string(idToken.reveal())], to: "delete")
    }

    /// Removes an identity from the user of an ID token: `accounts:update` with `deleteProvider`.
    ///
    /// - Parameters:
    ///   - provider: The provider by its name at Firebase. One that is not linked is no error.
    ///   - idToken: The user's ID token.
    /// - Returns: New tokens, if the change ended the old ones; `nil` if those stay valid.
    /// - Throws: `AuthError`; `requiresRecentSignIn` if Firebase requires a recent sign-in.
    package func unlink(_ provider: ProviderID, from idToken: Secret) async throws(AuthError) -> Tokens? {
        let answer = try await post(
            [
                "idToken": .string(idToken.reveal()), "deleteProvider": [.string(provider.rawValue)],
                "returnSecureToken": true,
            ], to: "update")
        return try Tokens(update: answer)
    }

    /// Changes the name and the picture of the user of an ID token: `accounts:update`.
    ///
    /// - Returns: New tokens, if the answer has some; `nil` if the old ones stay.
    /// - Throws: `AuthError`; `userNotFound`, `userDisabled` or `sessionExpired` if the user was deleted or disabled or
    ///   the token is over.
    package func updateProfile(_ changes: ProfileChanges, of idToken: Secret) async throws(AuthError) -> Tokens? {
        var body: [String: AuthJSON] = ["idToken": .string(idToken.reveal()), "returnSecureToken": true]
        body["displayName"] = changes.displayName?.value.map(AuthJSON.string)
        body["photoUrl"] = changes.photoURL?.value.map { .string($0.absoluteString) }
        var removed: [AuthJSON] = []
        if changes.displayName == .remove { removed.append("DISPLAY_NAME") }
        if changes.photoURL == .remove { removed.append("PHOTO_URL") }
        if !removed.isEmpty { body["deleteAttribute"] = .array(removed) }
        return try Tokens(update: try await post(body, to: "update"))
    }

    /// Revokes Apple's tokens of a sign-in: `accounts:revokeToken`, version 2.
    ///
    /// Requires Apple's key and team in the Firebase console, since Firebase redeems the code for the token that it
    /// revokes.
    ///
    /// - Parameters:
    ///   - code: An unredeemed authorization code of Apple's, at most five minutes old. Its redirect URI is sent if it
    ///     has one: a code of the web flow does not work without it.
    ///   - idToken: The ID token of the user whose Apple identity it is.
    package func revokeAppleAccess(
        with code: Credential.AuthorizationCode, of idToken: Secret
    ) async throws(AuthError) {
        var body: [String: AuthJSON] = [
            "providerId": "apple.com", "tokenType": "CODE", "token": .string(code.code.reveal()),
            "idToken": .string(idToken.reveal()),
        ]
        body["redirectUri"] = code.redirectURI.map { .string($0.absoluteString) }
        _ = try await post(inTenant(body), to: "revokeToken", version: 2)
    }

    /// Gets the next ID token: `POST securetoken.googleapis.com/v1/token`.
    ///
    /// - Throws: `AuthError`; `userNotFound`, `userDisabled` or `sessionExpired` if the session is over.
    package func refresh(_ refreshToken: Secret) async throws(AuthError) -> Tokens {
        let form = [(name: "grant_type", value: "refresh_token"), ("refresh_token", refreshToken.reveal())]
        return try Tokens(refresh: try await postToSecureToken(form))
    }
}
