import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// The article's repository over Firebase's SDK, with the emulated project behind the SDK's stand-in.
@Suite struct FirebaseSDKPortsTests {
    private let repository = FirebaseSDKRepository()

    private func run(_ body: (EmulatedBackend, Credential) async throws -> Void) async throws {
        try await EmulatedBackend.run { backend in
            let credential = Credential(
                provider: .kakao, idToken: Secret(backend.kakaoToken(["nonce": "n"])), rawNonce: Secret("n"))
            try await FirebaseStandIn.$installed.withValue(FirebaseStandIn(emulator: backend.emulator)) {
                try await body(backend, credential)
            }
        }
    }

    private func failure(_ attempt: () async throws(AuthError) -> Void) async -> AuthError? {
        do throws(AuthError) { try await attempt() } catch { return error }
        return nil
    }

    @Test func aSessionOfTheSDKIsMadeRefreshedAndEnded() async throws {
        try await run { backend, credential in
            let session = try await repository.signIn(with: credential)
            #expect(session.user.id == "kakao:1001")
            #expect(session.provider == .kakao)
            #expect(session.isNewUser)
            #expect(session.refreshToken != nil)
            #expect(Auth.auth().currentUser?.uid == "kakao:1001")
            backend.clock.advance(by: .seconds(1800))
            let refreshed = try await repository.refresh(session)
            #expect(refreshed.expiresAt == session.expiresAt?.addingTimeInterval(1800))
            #expect(refreshed.accessToken != session.accessToken)
            try await repository.signOut(refreshed)
            #expect(Auth.auth().currentUser == nil)
        }
    }

    @Test(arguments: [ProviderID.apple, .google, .kakao, .naver])
    func theServiceSignsInAndOutByTheSDK(with provider: ProviderID) async throws {
        try await run { backend, _ in
            let credential: Credential =
                switch provider {
                case .apple: backend.apple()
                case .google: backend.google()
                case .kakao: backend.kakao()
                default: try await backend.naver()
                }
            let auth = serviceWithSDK(
                [.provider(ScriptedProvider(provider) { _ in credential })],
                .isolated(clock: backend.emulator.configuration.clock))
            let user = try await auth.signIn(with: provider).value.user
            #expect(user.providers.map(\.id) == [provider])
            #expect(Auth.auth().currentUser?.uid == user.id)
            try await auth.signOut()
            #expect(Auth.auth().currentUser == nil)
        }
    }

    @Test func theNameOfApplesFirstAuthorizationReachesTheSDK() async throws {
        try await run { backend, _ in
            var credential = backend.apple()
            credential.profile = Credential.Profile(name: PersonName(givenName: "Ada", familyName: "Lovelace"))
            let session = try await repository.signIn(with: credential)
            #expect(session.user.displayName == "Ada Lovelace")
        }
    }

    @Test func aUserWhomTheSDKHasSignedInIsAdoptedAndStaysWithTheSDK() async throws {
        try await run { backend, _ in
            _ = try await repository.signIn(with: backend.google())
            let auth = serviceWithSDK([], .isolated(clock: backend.emulator.configuration.clock))
            let seen = await auth.states.prefix { if case .signedIn(_, .verified) = $0 { true } else { false } }
            #expect(seen.last?.user?.providers.map(\.id) == [.google])
            #expect(auth.session?.provider == .google)
            #expect(Auth.auth().currentUser?.uid == seen.last?.user?.id)
        }
    }

    @Test func anAccountIsDeletedByTheSDK() async throws {
        try await run { backend, credential in
            try await repository.deleteAccount(try await repository.signIn(with: credential))
            #expect(backend.emulator.firebase["kakao:1001"] == nil)
        }
    }

    @Test func theServersNoIsTheLibrarysCodeAndHasNoSecretInIt() async throws {
        try await run { backend, credential in
            let session = try await repository.signIn(with: credential)
            backend.emulator.firebase.disable("kakao:1001")
            let refused = await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            #expect(refused?.code == .userDisabled)
            // The function's own word for it.
            let disabled = await failure { () throws(AuthError) in _ = try await repository.signIn(with: credential) }
            #expect(disabled?.code == .userDisabled)
            backend.emulator.firebase.delete("kakao:1001")
            let gone = await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            #expect(gone?.code == .userNotFound)
            expectNoSecret(of: backend.emulator, in: [refused, disabled, gone])
        }
    }

    private func expectNoSecret(of emulator: Emulator, in errors: [AuthError?]) {
        let told = errors.map { $0?.debugDescription ?? "" }.joined()
        #expect(!told.isEmpty)
        for secret in emulator.issuedSecrets { #expect(!told.contains(secret.value.reveal()), "\(secret)") }
    }

    @Test func troubleIsNoWordOfTheServers() async throws {
        try await run { backend, credential in
            backend.emulator.inject(.status(503), at: backend.emulator.configuration.firebase.functionEndpoint)
            let down = await failure { () throws(AuthError) in _ = try await repository.signIn(with: credential) }
            #expect(down?.code == .server)
            let session = try await repository.signIn(with: credential)
            backend.emulator.inject(.dropConnection, at: .secureToken)
            let cut = await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            #expect(cut?.code == .network)
            Auth.auth().forget()
            let locked = await ProtectedData.$isAvailable.withValue({ false }) {
                await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            }
            #expect(locked?.code == .storageLocked)
            let gone = await failure { () throws(AuthError) in _ = try await repository.refresh(session) }
            #expect(gone?.code == .sessionExpired)
        }
    }

    @Test func aCredentialWithoutProofAsksNobody() async throws {
        try await run { backend, _ in
            let error = await failure { () throws(AuthError) in
                _ = try await repository.signIn(with: Credential(provider: .kakao, idToken: Secret("no nonce")))
            }
            #expect(error?.code == .invalidCredential)
            #expect(backend.emulator.journal.entries.isEmpty)
        }
    }
}
