public import AuthStreams
import Foundation

extension IdentityToolkit {
    /// Asks who the user of an ID token is: `accounts:lookup`.
    ///
    /// - Returns: The user as the server has it, with the custom claims that the ID token carries.
    /// - Throws: `AuthError`; `userNotFound`, `userDisabled` or `sessionExpired` when the user is gone or the token over.
    public func lookup(_ idToken: Secret) async throws(AuthError) -> AuthUser {
        let answer = try await post(["idToken": .string(idToken.reveal())], to: "lookup")
        guard let account = answer["users"]?.array?.first, let user = AuthUser(account: account, idToken: idToken)
        else {
            throw AuthError(.invalidResponse, "The answer describes no user.")
        }
        guard account["disabled"]?.lenientBool != true else {
            throw AuthError(.userDisabled, "The account was disabled in the Firebase console or by the server.")
        }
        return user
    }

    /// Deletes the user of an ID token: `accounts:delete`.
    ///
    /// - Throws: `AuthError`; `requiresRecentSignIn` when the last sign-in was too long ago.
    public func delete(_ idToken: Secret) async throws(AuthError) {
        _ = try await post(["idToken": .string(idToken.reveal())], to: "delete")
    }

    /// Gets the next ID token: `POST securetoken.googleapis.com/v1/token`.
    ///
    /// - Throws: `AuthError`; `userNotFound`, `userDisabled` or `sessionExpired` when the session is over for good.
    public func refresh(_ refreshToken: Secret) async throws(AuthError) -> Tokens {
        let form = [(name: "grant_type", value: "refresh_token"), ("refresh_token", refreshToken.reveal())]
        return try Tokens(refresh: try await postToSecureToken(form))
    }
}
