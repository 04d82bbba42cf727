import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// A session of Firebase's SDK, adopted against the emulated project.
@Suite struct AdoptionOnEmulatorTests {
    private func repository(_ backend: EmulatedBackend) -> FirebaseRepository {
        .emulated(
            at: backend.emulator.baseURL, project: backend.emulator.configuration.firebase,
            clock: backend.emulator.configuration.clock)
    }

    /// The SDK's sign-in: its refresh token is all that an app finds.
    private func left(_ backend: EmulatedBackend, uid: String = "kakao:1001") async throws -> Secret {
        let token = backend.customToken(["uid": .string(uid), "claims": ["provider": "KAKAO"]])
        return Secret(try #require(try await backend.signInWithCustomToken(token)["refreshToken"]?.string))
    }

    private func error(_ attempt: () async throws(AuthError) -> Void) async -> AuthError? {
        do throws(AuthError) { try await attempt() } catch { return error }
        return nil
    }

    @Test(arguments: [false, true])
    func aTokenOfTheSDKBecomesASessionThatGoesOn(rotates: Bool) async throws {
        let change: (inout EmulatorConfiguration) -> Void = { $0.firebase.rotatesRefreshTokens = rotates }
        try await EmulatedBackend.run(change) { backend in
            let token = try await left(backend)
            let session = try await repository(backend).adopt(refreshToken: token)
            #expect(session.user.id == "kakao:1001")
            #expect(session.provider == .kakao)
            #expect(!session.isNewUser)
            #expect((session.refreshToken == token) == !rotates)
            #expect(try await repository(backend).refresh(session).user.id == "kakao:1001")
        }
    }

    @Test func aGoogleSessionStaysGoogles() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.signIn("google.com", backend.googleToken())
            let token = Secret(try #require(answer["refreshToken"]?.string))
            let session = try await repository(backend).adopt(refreshToken: token)
            #expect(session.provider == .google)
            #expect(session.user.providers.map(\.id) == [.google])
        }
    }

    @Test func deadAndForeignTokensEndIt() async throws {
        try await EmulatedBackend.run { backend in
            let repository = repository(backend)
            let token = try await left(backend)
            func adopt() async -> AuthError? {
                await error { () throws(AuthError) in _ = try await repository.adopt(refreshToken: token) }
            }
            backend.emulator.inject(.error("PROJECT_NUMBER_MISMATCH"), at: .secureToken)
            #expect(await adopt()?.code == .misconfigured)
            backend.emulator.firebase.disable("kakao:1001")
            #expect(await adopt()?.code == .userDisabled)
            backend.emulator.firebase.enable("kakao:1001")
            backend.emulator.firebase.revokeRefreshTokens(of: "kakao:1001")
            #expect(await adopt()?.serverCode == "TOKEN_EXPIRED")
            backend.emulator.firebase.delete("kakao:1001")
            #expect(await adopt()?.code == .userNotFound)
            let unknown = await error { () throws(AuthError) in
                _ = try await repository.adopt(refreshToken: Secret("of-nobody"))
            }
            #expect(unknown?.serverCode == "INVALID_REFRESH_TOKEN")
        }
    }

    @Test(arguments: [EmulatorEndpoint.secureToken, .accountLookup])
    func aNetworkThatIsDownLosesNothing(endpoint: EmulatorEndpoint) async throws {
        try await EmulatedBackend.run { backend in
            let repository = repository(backend)
            let token = try await left(backend)
            backend.emulator.inject(.dropConnection, at: endpoint)
            let cut = await error { () throws(AuthError) in _ = try await repository.adopt(refreshToken: token) }
            #expect(cut?.code == .network)
            #expect(try await repository.adopt(refreshToken: token).user.id == "kakao:1001")
        }
    }

    @Test func anEmptyTokenAsksNobody() async throws {
        try await EmulatedBackend.run { backend in
            let error = await error { () throws(AuthError) in
                _ = try await repository(backend).adopt(refreshToken: Secret(" "))
            }
            #expect(error?.code == .invalidCredential)
            #expect(backend.emulator.journal.entries.isEmpty)
        }
    }
}
