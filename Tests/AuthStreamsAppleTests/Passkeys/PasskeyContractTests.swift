import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// The provider of passkeys keeps what a provider promises with the system's sheet and AutoFill, too.
@MainActor
@Suite(.appleDevice, .enabled(if: Signatures.isAvailable)) struct PasskeyContractTests {
    @Test(arguments: AuthProviderContract.checks)
    func passkey(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        var account = ScriptedAccount()
        account.prepare = { _, _ in ["publicKey": await phone.requestOptions.json] }
        let (system, window) = (phone.system, PresentationContext.in(phone.window))
        try await AuthProviderContract(repository: ScriptedRepository(account: account)) { person, witness in
            await MainActor.run { AppleDevice.Passkeys.answer = { $0.answer(as: person) } }
            return PasskeyProvider(
                authenticator: WatchedPasskeys(system: system, window: window, witness: witness))
        }.verify(promise)
    }
}

/// The system's passkeys in one window. A witness is told of each question.
private struct WatchedPasskeys: PasskeyAuthenticator {
    let system: SystemPasskeys
    let window: PresentationContext
    let witness: ContractRecorder

    func waitForTurn(isSuggestion: Bool, in presentation: PresentationContext) async throws(AuthError) {
        try await system.waitForTurn(isSuggestion: isSuggestion, in: window)
    }

    func assertion(
        _ options: PublicKeyCredentialRequestOptionsJSON, mediation: SignInMethod.Kind,
        in presentation: PresentationContext
    ) async throws(AuthError) -> AuthenticationResponseJSON {
        await witness.contact(by: mediation)
        return try await system.assertion(options, mediation: mediation, in: window)
    }

    func registration(
        _ options: PublicKeyCredentialCreationOptionsJSON, mediation: SignInMethod.Kind,
        in presentation: PresentationContext
    ) async throws(AuthError) -> RegistrationResponseJSON {
        await witness.contact(by: mediation)
        return try await system.registration(options, mediation: mediation, in: window)
    }
}

extension AppleDevice.Passkeys.Request {
    /// What the person of a contract does.
    fileprivate func answer(as person: AuthProviderContract.Person) {
        switch person {
        case .approves: approve()
        case .refuses, .turnsBack: fail(ASAuthorizationError(.canceled))
        case .neverAnswers: break
        }
    }
}
