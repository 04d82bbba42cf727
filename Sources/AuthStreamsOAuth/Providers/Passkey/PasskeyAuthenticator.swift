package import AuthStreams

/// What holds the person's passkeys: the system, or an emulated authenticator.
///
/// Its errors: `cancelled` if the person closes the sheet; `noPasskey`; `passkeyExists` if it has an excluded passkey;
/// `misconfigured` if the app may not use the domain; `presentationUnavailable`; `unsupportedProvider` for options that it cannot
/// satisfy, or a mediation that it does not have.
package protocol PasskeyAuthenticator: Sendable {
    /// Waits until a request can begin, since the options of the server do not last. Without an implementation, it always can.
    ///
    /// - Parameter isSuggestion: Whether the request is one of AutoFill, which ends no other.
    func waitForTurn(isSuggestion: Bool, in presentation: PresentationContext) async throws(AuthError)

    /// Signs a challenge with a passkey.
    ///
    /// - Parameters:
    ///   - options: The server's options. Their domain is given.
    ///   - mediation: How the person is asked: `sheet`, `immediate` or `conditional`.
    ///   - presentation: Where to present.
    func assertion(
        _ options: PublicKeyCredentialRequestOptionsJSON, mediation: SignInMethod.Kind,
        in presentation: PresentationContext
    ) async throws(AuthError) -> AuthenticationResponseJSON

    /// Makes a passkey.
    ///
    /// - Parameters:
    ///   - options: The server's options. Their domain is given.
    ///   - mediation: How the person is asked: `sheet` or `conditional`. A passkey that is made by conditional mediation may have no
    ///     proof of their presence.
    ///   - presentation: Where to present.
    func registration(
        _ options: PublicKeyCredentialCreationOptionsJSON, mediation: SignInMethod.Kind,
        in presentation: PresentationContext
    ) async throws(AuthError) -> RegistrationResponseJSON
}

extension PasskeyAuthenticator {
    package func waitForTurn(isSuggestion: Bool, in presentation: PresentationContext) async throws(AuthError) {}
}
