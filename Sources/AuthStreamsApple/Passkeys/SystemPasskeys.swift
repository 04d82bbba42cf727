#if AUTH_AUTHENTICATION_SERVICES && (AUTH_UIKIT || AUTH_APPKIT)
    import AuthenticationServices
    public import AuthStreams
    import AuthStreamsOAuth
    import Foundation

    /// The passkeys of the system: those of iCloud Keychain and other password managers, of devices nearby, and of security keys.
    ///
    /// | mediation | what the system does | where |
    /// | --- | --- | --- |
    /// | `optional` | shows a sheet | everywhere |
    /// | `immediate` | shows it if the device has a passkey | not on tvOS |
    /// | `conditional`, to sign in | suggests passkeys above the keyboard | iOS, visionOS |
    /// | `conditional`, for a new passkey | lets the password manager make it | iOS 18, macOS 15, visionOS 2 |
    ///
    /// Elsewhere the attempt ends with `unsupportedProvider`. Inputs of extensions are not handed to the system.
    struct SystemPasskeys: PasskeyAuthenticator {
        private static let cancelled = AuthError(
            .cancelled, "The task was cancelled while the system asked the person.")

        let clock: AuthClock

        @MainActor
        func assertion(
            _ options: PublicKeyCredentialRequestOptionsJSON, mediation: SignInMethod.Kind,
            in presentation: PresentationContext
        ) async throws(AuthError) -> AuthenticationResponseJSON {
            try await answer(to: options.requests(mediation), mediation, in: presentation) { answer in
                AuthenticationResponseJSON.read(answer, mediation)
            }
        }

        @MainActor
        func registration(
            _ options: PublicKeyCredentialCreationOptionsJSON, mediation: SignInMethod.Kind,
            in presentation: PresentationContext
        ) async throws(AuthError) -> RegistrationResponseJSON {
            // A new passkey has no suggestions: the controller performs the request as a sheet's.
            try await answer(to: options.requests(mediation), .sheet, in: presentation) { answer in
                RegistrationResponseJSON.read(answer, mediation)
            }
        }

        @MainActor
        func waitForTurn(isSuggestion: Bool, in presentation: PresentationContext) async throws(AuthError) {
            #if AUTH_UIKIT
                try await presentation.resolved().waitUntilActive()
            #endif
            try await PasskeyTurn.wait(isSuggestion: isSuggestion)
        }

        /// Asks the system, when it can take the request.
        @MainActor
        private func answer<Answer: Sendable>(
            to requests: [ASAuthorizationRequest], _ mediation: SignInMethod.Kind,
            in presentation: PresentationContext,
            read: @escaping @Sendable (Result<ASAuthorization, any Error>) -> Result<Answer, AuthError>
        ) async throws(AuthError) -> Answer {
            let perform = try Self.performing(mediation)
            let isSuggestion = mediation == .conditional
            try await waitForTurn(isSuggestion: isSuggestion, in: presentation)
            guard !Task.isCancelled else { throw Self.cancelled }
            let answer = Promise<Result<Answer, AuthError>>()
            let finish: AuthorizationSheet.Finish = { answer.resolve(read($0)) }
            let sheet = try AuthorizationSheet(for: requests, in: presentation, finish: finish)
            let endSuggestions: @MainActor () -> Void = {
                let error = AuthError(.superseded, "Another sheet replaced the suggestions of AutoFill.")
                if answer.resolve(.failure(error)) { sheet.cancel() }
            }
            let turn = PasskeyTurn(of: sheet, endSuggestions: isSuggestion ? endSuggestions : nil)
            sheet.present(perform)
            let result = await answer.value()
            if result == nil { sheet.cancel() }
            turn.attemptEnded(clock)
            guard let result else { throw Self.cancelled }
            return try result.get()
        }

        /// Returns the controller's function for a mediation.
        ///
        /// - Throws: `unsupportedProvider` where the system has none.
        @MainActor
        private static func performing(
            _ mediation: SignInMethod.Kind
        ) throws(AuthError) -> (ASAuthorizationController) -> Void {
            switch mediation {
            case .immediate:
                #if os(tvOS)
                    throw AuthError(.unsupportedProvider, "tvOS has passkeys by the sheet alone.")
                #else
                    return { $0.performRequests(options: .preferImmediatelyAvailableCredentials) }
                #endif
            case .conditional:
                #if AUTH_UIKIT && !os(tvOS) && !targetEnvironment(macCatalyst)
                    return { $0.performAutoFillAssistedRequests() }
                #else
                    throw AuthError(
                        .unsupportedProvider, "AutoFill suggests passkeys to apps on iOS, iPadOS and visionOS alone.")
                #endif
            default: return { $0.performRequests() }
            }
        }
    }

    extension AuthProviderFactory {
        /// Sign-in by a passkey; see `PasskeyProvider` of AuthStreamsOAuth. The server's options name the domain.
        ///
        /// There is none on watchOS, which has no passkeys.
        public static var passkey: Self { passkey(in: nil) }

        /// Sign-in by a passkey; see `PasskeyProvider` of AuthStreamsOAuth.
        ///
        /// - Parameter relyingPartyID: The domain of the passkeys, such as `example.com`. The attempt ends with `misconfigured` if
        ///   the server's options name another one.
        public static func passkey(relyingPartyID: String) -> Self { passkey(in: relyingPartyID) }

        private static func passkey(in domain: String?) -> Self {
            Self { platform in
                PasskeyProvider(
                    authenticator: SystemPasskeys(clock: platform.clock), relyingPartyID: domain, clock: platform.clock)
            }
        }
    }
#endif
