import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// A project whose key is for one bundle identifier and that enforces App Check, everywhere.
@Suite struct RestrictedProjectOnEmulatorTests {
    private static let bundleID = "com.example.authstreams"
    private static let token = "app-check-token-of-the-emulator"

    private func run(_ body: (EmulatedBackend) async throws -> Void) async throws {
        let change: (inout EmulatorConfiguration) -> Void = { configuration in
            configuration.firebase.requiredBundleIDs = [Self.bundleID]
            configuration.firebase.appCheckTokens = [Self.token]
        }
        try await EmulatedBackend.run(change, body)
    }

    private func repository(
        _ backend: EmulatedBackend, _ change: (inout FirebaseProject) -> Void = { _ in }
    ) -> FirebaseRepository {
        var project = backend.emulator.configuration.firebase.client(at: backend.emulator.baseURL)
        change(&project)
        return FirebaseRepository(
            project: project, routes: .standard(functionsIn: .seoul), transport: backend.transport,
            clock: backend.emulator.configuration.clock)
    }

    private func credentials(_ backend: EmulatedBackend) -> [Credential] {
        [
            Credential(provider: .google, idToken: Secret(backend.googleToken(["nonce": "n"])), rawNonce: Secret("n")),
            Credential(provider: .kakao, idToken: Secret(backend.kakaoToken(["nonce": "n"])), rawNonce: Secret("n")),
        ]
    }

    private func error(_ attempt: () async throws(AuthError) -> Void) async -> AuthError? {
        do throws(AuthError) { try await attempt() } catch { return error }
        return nil
    }

    @Test func theWholeLifeOfASessionGoesThroughWithBoth() async throws {
        try await run { backend in
            let repository = repository(backend)
            for credential in credentials(backend) {
                let session = try await repository.signIn(with: credential)
                try await repository.deleteAccount(try await repository.refresh(session))
            }
            #expect(backend.emulator.journal.entries.allSatisfy { $0.status == 200 })
        }
    }

    @Test func noRequestIsLetInWithoutABundleIdentifierOfTheProject() async throws {
        try await run { backend in
            let session = try await repository(backend).signIn(with: credentials(backend)[1])
            for bundleID in [nil, "com.example.other"] {
                let repository = repository(backend) { $0.bundleID = bundleID }
                let refused = [
                    await error { () throws(AuthError) in _ = try await repository.refresh(session) },
                    await error { () throws(AuthError) in try await repository.deleteAccount(session) },
                    await error { () throws(AuthError) in
                        _ = try await repository.signIn(with: credentials(backend)[0])
                    },
                    await error { () throws(AuthError) in
                        _ = try await repository.signIn(with: credentials(backend)[1])
                    },
                ]
                #expect(refused.map { $0?.code } == Array(repeating: .misconfigured, count: 4))
                #expect(refused.first??.serverCode == "API_KEY_IOS_APP_BLOCKED")
                let word = bundleID == nil ? "no bundle identifier was sent" : "shut out"
                #expect(refused.first??.explanation.contains(word) == true)
            }
        }
    }

    @Test func noRequestIsLetInWithoutAnAppCheckTokenThatHolds() async throws {
        try await run { backend in
            let session = try await repository(backend).signIn(with: credentials(backend)[1])
            for token in [nil, Secret("another-token")] as [Secret?] {
                let repository = repository(backend) { $0.appCheckToken = { token } }
                let refused = [
                    await error { () throws(AuthError) in _ = try await repository.refresh(session) },
                    await error { () throws(AuthError) in
                        _ = try await repository.adopt(refreshToken: session.refreshToken ?? Secret(""))
                    },
                    await error { () throws(AuthError) in
                        _ = try await repository.signIn(with: credentials(backend)[0])
                    },
                    await error { () throws(AuthError) in
                        _ = try await repository.signIn(with: credentials(backend)[1])
                    },
                ]
                #expect(refused.map { $0?.code } == Array(repeating: .misconfigured, count: 4))
                let word = token == nil ? "no token was sent" : "refused the token"
                for error in refused { #expect(error?.explanation.contains(word) == true) }
            }
        }
    }

    @Test func theRefusalsAreGooglesOwn() async throws {
        try await run { backend in
            let url = "https://securetoken.googleapis.com/v1/token?key=emulator-api-key"
            let body = Data("grant_type=refresh_token&refresh_token=t".utf8)
            let blocked = try await backend.post(url, body, type: FormCoding.contentType)
            #expect(blocked.status == 403)
            #expect(blocked.message == "Requests from this iOS client application <empty> are blocked.")
            #expect(blocked["error"]?["status"] == "PERMISSION_DENIED")
            let info = blocked["error"]?["details"]?.array?.first
            #expect(info?["@type"] == "type.googleapis.com/google.rpc.ErrorInfo")
            #expect(info?["reason"] == "API_KEY_IOS_APP_BLOCKED")
            let unattested = try await backend.post(
                url, body, type: FormCoding.contentType, headers: ["X-Ios-Bundle-Identifier": Self.bundleID])
            #expect(unattested.status == 401)
            #expect(unattested.message == "Firebase App Check token is invalid.")
            let call = try await backend.socialLogin(["provider": "kakao"])
            #expect(call.status == 401)
            #expect(call.json == ["error": ["message": "Unauthenticated", "status": "UNAUTHENTICATED"]])
        }
    }

    @MainActor
    @Test func aDeviceSignsInAndItsTokenCountsAsASecret() async throws {
        var configuration = EmulatorConfiguration()
        configuration.firebase.requiredBundleIDs = [Self.bundleID]
        configuration.firebase.appCheckTokens = [Self.token]
        try await withEmulator(configuration) { emulator in
            let device = EmulatedDevice(at: emulator.baseURL, configuration: configuration)
            let user = try await device.auth.signIn(with: .kakao).value.user
            #expect(user.id == "kakao:1001")
            #expect(emulator.issuedSecrets.contains { $0.value == Secret(Self.token) && $0.isProviderSecret })
        }
    }
}
