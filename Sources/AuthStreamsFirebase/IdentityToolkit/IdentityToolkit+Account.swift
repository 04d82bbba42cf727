public import AuthStreams
import Foundation

extension IdentityToolkit {
    /// Asks who the user of an ID token is: `accounts:lookup`.
    ///
    /// - Returns: The user as the server has it, with the custom claims that the ID token carries.
    /// - Throws: `AuthError`; `userNotFound`, `userDisabled` or `sessionExpired` when the user is gone or the token over.
    public func lookup(_ idToken: Secret) async throws(AuthError) -> AuthUser { try await lookedUp(idToken).user }

    /// The same, with the custom claims that the account has now, where the answer tells them: a function may have changed
    /// them since the ID token was made.
    func account(of idToken: Secret) async throws(AuthError) -> AuthUser {
        var (user, account) = try await lookedUp(idToken)
        if let text = account["customAttributes"]?.text,
            case .object(let claims)? = JSONValue(json: Data(text.utf8))
        {
            user.claims = claims
        }
        return user
    }

    private func lookedUp(_ idToken: Secret) async throws(AuthError) -> (user: AuthUser, account: JSONValue) {
        let answer = try await post(["idToken": .string(idToken.reveal())], to: "lookup")
        guard let account = answer["users"]?.array?.first, let user = AuthUser(account: account, idToken: idToken)
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
    /// - Throws: `AuthError`; `requiresRecentSignIn` when the last sign-in was too long ago.
    public func delete(_ idToken: Secret) async throws(AuthError) {
        _ = try await post(["idToken": .string(idToken.reveal())], to: "delete")
    }

    /// Takes an identity from the user of an ID token: `accounts:update` with `deleteProvider`.
    ///
    /// - Parameters:
    ///   - provider: The provider by its name at Firebase. One that is not linked is no error.
    ///   - idToken: The user's ID token.
    /// - Returns: Other tokens, where the change ended the old ones; `nil` where those go on.
    /// - Throws: `AuthError`; `requiresRecentSignIn` when Firebase wants a fresh sign-in first.
    public func unlink(_ provider: ProviderID, from idToken: Secret) async throws(AuthError) -> Tokens? {
        let answer = try await post(
            [
                "idToken": .string(idToken.reveal()), "deleteProvider": [.string(provider.rawValue)],
                "returnSecureToken": true,
            ], to: "update")
        return try Tokens(update: answer)
    }

    /// Ends at Apple what a sign-in began there: `accounts:revokeToken`, version 2.
    ///
    /// Needs Apple's key and team in the Firebase console, since Firebase redeems the code for the token that it revokes.
    ///
    /// - Parameters:
    ///   - code: An authorization code of Apple's that is at most five minutes old and was not redeemed. Its redirect URI
    ///     goes along where it has one: a code of the web flow is nothing without.
    ///   - idToken: The ID token of the user whose Apple identity it is.
    public func revokeAppleAccess(
        with code: Credential.AuthorizationCode, of idToken: Secret
    ) async throws(AuthError) {
        var body: [String: JSONValue] = [
            "providerId": "apple.com", "tokenType": "CODE", "token": .string(code.code.reveal()),
            "idToken": .string(idToken.reveal()),
        ]
        body["redirectUri"] = code.redirectURI.map { .string($0.absoluteString) }
        _ = try await post(inTenant(body), to: "revokeToken", version: 2)
    }

    /// Gets the next ID token: `POST securetoken.googleapis.com/v1/token`.
    ///
    /// - Throws: `AuthError`; `userNotFound`, `userDisabled` or `sessionExpired` when the session is over for good.
    public func refresh(_ refreshToken: Secret) async throws(AuthError) -> Tokens {
        let form = [(name: "grant_type", value: "refresh_token"), ("refresh_token", refreshToken.reveal())]
        return try Tokens(refresh: try await postToSecureToken(form))
    }
}
