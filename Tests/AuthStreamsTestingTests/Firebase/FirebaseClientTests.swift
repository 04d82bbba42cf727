import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// The package's own Firebase repository against the emulated project: both read the same protocol.
@Suite struct FirebaseClientTests {
    private func repository(_ backend: EmulatedBackend) -> FirebaseRepository {
        let emulator = backend.emulator
        let firebase = emulator.configuration.firebase
        return FirebaseRepository(
            project: FirebaseProject(
                id: firebase.projectID, apiKey: firebase.apiKey, endpoints: .emulator(at: emulator.baseURL)),
            routes: .standard(functionsIn: .seoul), transport: URLSessionTransport.untimed(),
            clock: emulator.configuration.clock)
    }

    @Test func everyProvidersCredentialBecomesASessionThatIsRefreshedAndDeleted() async throws {
        try await EmulatedBackend.run { backend in
            let repository = repository(backend)
            // Apple's token has the SHA-256 of "abc" (FIPS 180-4).
            let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            let code = Credential.AuthorizationCode(code: Secret(try await backend.naverCode()), state: Secret("s"))
            let credentials = [
                Credential(
                    provider: .apple, idToken: Secret(backend.appleToken(["nonce": .string(hash)])),
                    rawNonce: Secret("abc")),
                Credential(
                    provider: .google,
                    idToken: Secret(backend.googleToken(["nonce": "n", "email": "other@example.com"])),
                    rawNonce: Secret("n")),
                Credential(
                    provider: .kakao, idToken: Secret(backend.kakaoToken(["nonce": "n"])), rawNonce: Secret("n")),
                Credential(provider: .naver, authorizationCode: code),
            ]
            for credential in credentials {
                let session = try await repository.signIn(with: credential)
                #expect(session.isNewUser)
                #expect(backend.emulator.firebase[session.user.id] != nil)
                let refreshed = try await repository.refresh(session)
                #expect(refreshed.user.id == session.user.id)
                try await repository.deleteAccount(refreshed)
                #expect(backend.emulator.firebase[session.user.id] == nil)
            }
        }
    }
}
