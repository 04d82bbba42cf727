import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import UIKit

/// Native Sign in with Apple keeps what a provider promises, with a simulated sheet and the emulated Apple.
@MainActor
@Suite(.appleDevice) struct AppleProviderContractTests {
    @Test(arguments: AuthProviderContract.checks)
    func apple(keepsThePromise promise: ContractCheck<AuthProviderContract>) async throws {
        _ = try await withEmulator { emulator in
            let people = People(at: emulator)
            let contract = AuthProviderContract(secrets: { emulator.issuedSecrets.map(\.value) }) {
                @MainActor person, witness in people.provider(with: person, witness)
            }
            try await contract.verify(promise)
        }
    }
}

/// The persons of a contract's providers. Each has a window of their own, by which their sheets are told apart.
@MainActor
private final class People {
    private let emulator: Emulator
    private var answers: [ObjectIdentifier: (AppleDevice.AppleID.Attempt) async throws -> Void] = [:]

    init(at emulator: Emulator) {
        self.emulator = emulator
        AppleDevice.AppleID.answer = { attempt in
            guard let answer = attempt.anchor.flatMap({ self.answers[ObjectIdentifier($0)] }) else {
                return attempt.fail(UnexpectedSheet())
            }
            Task {
                // The sheet ends with the error, so that the check that waits for the attempt fails.
                do { try await answer(attempt) } catch { attempt.fail(error) }
            }
        }
    }

    func provider(
        with person: AuthProviderContract.Person, _ witness: ContractRecorder
    ) -> any AuthProvider {
        let (window, sheet) = (SheetFixture().window, PersonAtTheSheet(at: emulator))
        answers[ObjectIdentifier(window)] = { attempt in
            await witness.contact(by: .sheet, to: "the sheet")
            switch person {
            case .approves: try await sheet.answer(attempt)
            case .refuses: attempt.fail(ASAuthorizationError(.failed))
            case .turnsBack: attempt.fail(ASAuthorizationError(.canceled))
            case .neverAnswers: break
            }
        }
        return InWindow(provider: AppleProvider(), window: .in(window))
    }
}

/// A provider whose sheets are presented in one window.
private struct InWindow: AuthProvider {
    let provider: AppleProvider
    let window: PresentationContext

    var id: ProviderID { provider.id }
    var methodKinds: [SignInMethod.Kind] { provider.methodKinds }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        var request = request
        request.presentation = window
        return provider.authenticate(request)
    }
}
