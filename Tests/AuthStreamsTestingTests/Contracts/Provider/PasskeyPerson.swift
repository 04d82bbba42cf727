import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting

/// The person and the device of the contract of passkeys. A witness is told of each question.
struct PasskeyPerson: PasskeyAuthenticator {
    private let device: EmulatedAuthenticator
    private let witness: ContractRecorder

    /// Checks a promise with a device that has a passkey of the emulated server.
    static func verify(_ promise: ContractCheck<AuthProviderContract>) async throws {
        _ = try await withEmulator { emulator in
            let passkeys = try await passkeys(at: emulator)
            let repository = ServerRepository.emulated(at: emulator.baseURL)
            try await AuthProviderContract(repository: repository) { person, witness in
                let device = EmulatedAuthenticator(.init(), passkeys: passkeys)
                device.person = person.withPasskeys
                return PasskeyProvider(authenticator: PasskeyPerson(device: device, witness: witness))
            }.verify(promise)
        }
    }

    private static func passkeys(at emulator: Emulator) async throws -> [EmulatedPasskey] {
        let device = EmulatedAuthenticator()
        let auth = AuthService(
            repository: ServerRepository.emulated(at: emulator.baseURL),
            providers: [PasskeyProvider(authenticator: device)], store: MemorySessionStore(),
            callbacks: CallbackRouter())
        _ = try await auth.signInAnonymously().value
        _ = try await auth.link(with: .passkey).value
        return device.passkeys
    }

    func assertion(
        _ options: PublicKeyCredentialRequestOptionsJSON, mediation: SignInMethod.Kind,
        in presentation: PresentationContext
    ) async throws(AuthError) -> AuthenticationResponseJSON {
        await witness.contact(by: mediation)
        guard mediation == .conditional else {
            // Attempts at once are on devices of their own: one device shows one sheet.
            let device = EmulatedAuthenticator(.init(), passkeys: device.passkeys).imitating(device)
            return try await device.assertion(options, mediation: mediation, in: presentation)
        }
        return try await suggested(options, in: presentation)
    }

    private func suggested(
        _ options: PublicKeyCredentialRequestOptionsJSON, in presentation: PresentationContext
    ) async throws(AuthError) -> AuthenticationResponseJSON {
        let device = EmulatedAuthenticator(.init(), passkeys: device.passkeys).imitating(device)
        async let choice: Void = device.chooseSuggestion()
        let response = try await device.assertion(options, mediation: .conditional, in: presentation)
        await choice
        return response
    }

    func registration(
        _ options: PublicKeyCredentialCreationOptionsJSON, mediation: SignInMethod.Kind,
        in presentation: PresentationContext
    ) async throws(AuthError) -> RegistrationResponseJSON {
        await witness.contact(by: mediation)
        return try await device.registration(options, mediation: mediation, in: presentation)
    }
}

extension EmulatedAuthenticator {
    /// Gives it the person of another device.
    fileprivate func imitating(_ other: EmulatedAuthenticator) -> Self {
        person = other.person
        return self
    }
}

extension AuthProviderContract.Person {
    fileprivate var withPasskeys: EmulatedAuthenticator.Person {
        switch self {
        case .approves: .agrees
        case .refuses, .turnsBack: .cancels
        case .neverAnswers: .neverAnswers
        }
    }
}
