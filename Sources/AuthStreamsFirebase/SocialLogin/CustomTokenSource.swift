public import AuthStreams

/// A source of custom tokens for a provider's credentials: a function of yours, or another server that holds the
/// secret.
///
/// ``SocialLoginFunction`` is the library's implementation. An app that calls its function through the Firebase SDK
/// implements this in a few lines.
///
/// ## What an implementation promises
///
/// - Its server checks that the credential was issued for this app, not only that the provider accepts it.
/// - It throws `AuthError`, without the credential in it, and stops promptly when its task is cancelled.
public protocol CustomTokenSource: Sendable {
    /// Checks, without a request, that the credential has the parts that the server needs.
    ///
    /// Unless implemented, any token or code is enough.
    ///
    /// - Throws: `AuthError` with code `invalidCredential`.
    func validate(_ credential: Credential) throws(AuthError)

    /// Requests a custom token. Called only after ``validate(_:)``.
    func customToken(for credential: Credential) async throws(AuthError) -> Secret

    /// Requests a custom token for a re-authentication. The server creates no user. Called only after ``validate(_:)``.
    ///
    /// Unless implemented, it is ``customToken(for:)``.
    func customToken(reauthenticating credential: Credential) async throws(AuthError) -> Secret

    /// Links the identity to the caller on the server, and requests a custom token of that caller. Called only after
    /// ``validate(_:)``.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    ///
    /// - Parameters:
    ///   - credential: The identity.
    ///   - idToken: The caller's Firebase ID token.
    /// - Throws: `AuthError`; `credentialInUse` if the identity is another user's.
    func customToken(linking credential: Credential, to idToken: Secret) async throws(AuthError) -> Secret

    /// Removes an identity from the caller on the server.
    ///
    /// Unless implemented, throws `unsupportedProvider` before any request.
    func unlink(_ provider: ProviderID, from idToken: Secret) async throws(AuthError)
}

extension CustomTokenSource {
    /// Accepts a credential with any token or code that is not empty.
    public func validate(_ credential: Credential) throws(AuthError) {
        let proofs = [credential.idToken, credential.accessToken, credential.authorizationCode?.code]
        guard proofs.contains(where: { $0?.present != nil }) else {
            throw AuthError(
                .invalidCredential, "The credential has no token and no code, so there is nothing to sign in with.",
                provider: credential.provider)
        }
    }

    /// Requests a custom token as for a sign-in.
    public func customToken(reauthenticating credential: Credential) async throws(AuthError) -> Secret {
        try await customToken(for: credential)
    }

    /// Throws `unsupportedProvider`.
    public func customToken(linking credential: Credential, to idToken: Secret) async throws(AuthError) -> Secret {
        throw .withoutLinks
    }

    /// Throws `unsupportedProvider`.
    public func unlink(_ provider: ProviderID, from idToken: Secret) async throws(AuthError) { throw .withoutLinks }
}

extension AuthError {
    /// The error of a source that does not link.
    static var withoutLinks: Self {
        AuthError(
            .unsupportedProvider,
            "What makes the custom tokens cannot link identities. Let the function read 'action', and name it in its format."
        )
    }
}

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
        try await session(of: tokens, from: provider, unlessLookedUp: nil)
    }

    /// Completes the tokens of a sign-in by mail, whose proof may work once, such as a code or the password of a new account.
    ///
    /// While the look-up fails for want of a network or a server, the user is as the ID token describes them: the person could not
    /// repeat the sign-in.
    func session(ofOneTime tokens: Tokens, from provider: ProviderID) async throws(AuthError) -> AuthSession {
        try await session(of: tokens, from: provider, unlessLookedUp: AuthUser(tokens, from: provider))
    }

    private func session(
        of tokens: Tokens, from provider: ProviderID, unlessLookedUp described: AuthUser?
    ) async throws(AuthError) -> AuthSession {
        // The lifetime counts from the answer, not from the look-up after it.
        let expiresAt = clock.expiry(after: tokens.lifetime)
        let user: AuthUser
        do throws(AuthError) { user = try await lookup(tokens) } catch {
            guard let described, error.isRetryable else { throw error }
            user = described
        }
        guard user.id == tokens.userID else {
            throw AuthError(.invalidResponse, "The look-up answered with another user than the one who signed in.")
        }
        return AuthSession(
            accessToken: tokens.idToken, refreshToken: tokens.refreshToken, expiresAt: expiresAt, user: user,
            provider: provider, isNewUser: tokens.isNewUser, issuedAt: tokens.issuedAt)
    }
}
