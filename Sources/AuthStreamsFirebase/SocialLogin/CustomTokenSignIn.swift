public import AuthStreams

/// A sign-in with a custom token: Firebase Authentication, by REST or by its SDK.
///
/// ``IdentityToolkit`` implements it over REST. An app that keeps the Firebase SDK wraps
/// `Auth.auth().signIn(withCustomToken:)` here, and maps its errors to `AuthError`.
public protocol CustomTokenSignIn: Sendable {
    /// Signs in.
    ///
    /// - Parameters:
    ///   - token: The custom token, which is valid for an hour at most.
    ///   - provider: The provider of the credential, for `AuthSession.provider`.
    /// - Throws: `AuthError`; `invalidCustomToken` if Firebase refuses the token.
    func signIn(withCustomToken token: Secret, from provider: ProviderID) async throws(AuthError) -> AuthSession
}

extension IdentityToolkit: CustomTokenSignIn {
    /// Signs in, then looks the user up.
    public func signIn(
        withCustomToken token: Secret, from provider: ProviderID
    ) async throws(AuthError) -> AuthSession {
        try await session(of: try await signInWithCustomToken(token), from: provider)
    }

    /// Completes the tokens of a sign-in to a session of their user.
    func session(of tokens: Tokens, from provider: ProviderID) async throws(AuthError) -> AuthSession {
        // The lifetime counts from the answer, not from the look-up after it.
        let expiresAt = clock.expiry(after: tokens.lifetime)
        let user = try await lookup(tokens)
        guard user.id == tokens.userID else {
            throw AuthError(.invalidResponse, "The look-up answered with another user than the one who signed in.")
        }
        return AuthSession(
            accessToken: tokens.idToken, refreshToken: tokens.refreshToken, expiresAt: expiresAt, user: user,
            provider: provider, isNewUser: tokens.isNewUser, issuedAt: tokens.issuedAt)
    }
}
