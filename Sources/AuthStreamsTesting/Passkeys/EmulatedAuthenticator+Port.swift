public import AuthStreams
package import AuthStreamsOAuth

extension AuthProviderFactory {
    /// Sign-in by the passkeys of an emulated device; see `PasskeyProvider`.
    ///
    /// - Parameter authenticator: The passkeys and their person.
    public static func passkey(_ authenticator: EmulatedAuthenticator) -> Self {
        Self { PasskeyProvider(authenticator: authenticator, clock: $0.clock) }
    }
}

extension EmulatedAuthenticator: PasskeyAuthenticator {
    package func assertion(
        _ options: PublicKeyCredentialRequestOptionsJSON, mediation: SignInMethod.Kind,
        in presentation: PresentationContext
    ) async throws(AuthError) -> AuthenticationResponseJSON {
        try await asked(by: mediation) { () throws(Failure) in try get(options) }
    }

    package func registration(
        _ options: PublicKeyCredentialCreationOptionsJSON, mediation: SignInMethod.Kind,
        in presentation: PresentationContext
    ) async throws(AuthError) -> RegistrationResponseJSON {
        guard mediation != .conditional else {
            return try answer(mediation) { () throws(Failure) in try create(options, isConditional: true) }
        }
        return try await asked(by: mediation) { () throws(Failure) in try create(options) }
    }

    /// Shows the sheet, or waits for a choice among the suggestions, and returns the answer.
    private func asked<Response>(
        by mediation: SignInMethod.Kind, _ respond: () throws(Failure) -> Response
    ) async throws(AuthError) -> Response {
        guard mediation == .conditional else {
            return try await present { () async throws(AuthError) in
                if person == .neverAnswers { _ = await Promise<Void>().value() }
                return try answer(mediation, respond)
            }
        }
        await suggestPasskeys()
        return try answer(mediation, respond)
    }

    private func answer<Response>(
        _ mediation: SignInMethod.Kind, _ respond: () throws(Failure) -> Response
    ) throws(AuthError) -> Response {
        guard !Task.isCancelled else { throw AuthError(.cancelled, "The attempt was cancelled.") }
        do throws(Failure) { return try respond() } catch { throw AuthError(error, mediation) }
    }
}

extension AuthError {
    fileprivate init(_ failure: EmulatedAuthenticator.Failure, _ mediation: SignInMethod.Kind) {
        switch failure {
        // The system does not say which, and without a passkey its sheet offers those of other devices.
        case .cancelled where mediation == .immediate, .noPasskey where mediation != .sheet:
            self.init(.noPasskey, "The device has no passkey that fits, or the person closed the question.")
        case .cancelled: self.init(.cancelled, "The person closed the sheet, or was not recognized.")
        case .noPasskey: self.init(.cancelled, "The device has no passkey that fits, and the person closed the sheet.")
        case .matchedExcludedCredential: self.init(.passkeyExists, "The device has a passkey of the account already.")
        case .notSupported:
            self.init(.unsupportedProvider, "The device has no authenticator of the kind that the server wants.")
        case .cannotVerifyPerson:
            self.init(
                .unsupportedProvider, "The server requires that the person is verified, which the device cannot do.")
        case .noDomain: self.init(.misconfigured, "The options name no domain.")
        case .signaturesUnavailable: self.init(.unexpected, "The system has no library for signatures.")
        }
    }
}
