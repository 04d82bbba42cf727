public import AuthStreams

/// The role 'turn a provider's credential into a custom token': a function of yours, or whatever else holds the secret.
///
/// ``SocialLoginFunction`` is the one that comes with the library. An app that calls its function through the Firebase SDK
/// implements this in a few lines.
///
/// ## What an implementation promises
///
/// - The server behind it checks that the credential was made for this app, not only that the provider takes it.
/// - It throws `AuthError`, without the credential in it, and stops promptly when its task is cancelled.
public protocol CustomTokenSource: Sendable {
    /// Checks, without asking anybody, that the credential has what the server needs.
    ///
    /// Unless implemented, any one token or code will do.
    ///
    /// - Throws: `AuthError` with code `invalidCredential`.
    func validate(_ credential: Credential) throws(AuthError)

    /// Asks the server for a custom token. Called only after ``validate(_:)``.
    func customToken(for credential: Credential) async throws(AuthError) -> Secret

    /// Asks the server for a custom token of a user who proves once more who they are. The server creates no user. Called only
    /// after ``validate(_:)``.
    ///
    /// Unless implemented, it is ``customToken(for:)``.
    func customToken(reauthenticating credential: Credential) async throws(AuthError) -> Secret

    /// Has the server add the identity to its caller, and asks for a custom token of that caller. Called only after
    /// ``validate(_:)``.
    ///
    /// Unless implemented, it is refused with `unsupportedProvider` before any request.
    ///
    /// - Parameters:
    ///   - credential: The identity.
    ///   - idToken: The caller's Firebase ID token.
    /// - Throws: `AuthError`; `credentialInUse` when the identity is another user's.
    func customToken(linking credential: Credential, to idToken: Secret) async throws(AuthError) -> Secret

    /// Has the server take an identity from its caller.
    ///
    /// Unless implemented, it is refused with `unsupportedProvider` before any request.
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

    /// Asks as for a sign-in.
    public func customToken(reauthenticating credential: Credential) async throws(AuthError) -> Secret {
        try await customToken(for: credential)
    }

    /// Refuses.
    public func customToken(linking credential: Credential, to idToken: Secret) async throws(AuthError) -> Secret {
        throw .withoutLinks
    }

    /// Refuses.
    public func unlink(_ provider: ProviderID, from idToken: Secret) async throws(AuthError) { throw .withoutLinks }
}

extension AuthError {
    /// What makes custom tokens makes them for one identity each.
    static var withoutLinks: Self {
        AuthError(
            .unsupportedProvider,
            "What makes the custom tokens cannot link identities. Let the function read 'action', and name it in its format."
        )
    }
}
