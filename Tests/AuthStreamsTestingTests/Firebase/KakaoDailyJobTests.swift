import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// Kakao unlinks whom no server has looked up within a day of their first log-in.
@Suite struct KakaoDailyJobTests {
    private static let me = "/v2/user/me"

    private func credential(_ backend: EmulatedBackend, withAccessToken: Bool = true) async throws -> Credential {
        var credential = try await EmulatedCredentials(at: backend.emulator).get(\.kakao)
        if !withAccessToken { credential.accessToken = nil }
        return credential
    }

    @Test(arguments: [true, false])
    func aPersonWhoSignedInThroughTheFunctionStaysLinked(withAccessToken: Bool) async throws {
        try await EmulatedBackend.run { backend in
            let (credential, kakao) = (
                try await credential(backend, withAccessToken: withAccessToken), backend.emulator.kakao
            )
            _ = try await backend.repository.signIn(with: credential)
            let asked = backend.emulator.journal.entries.filter { $0.caller == .service }
            // By the person's access token, or by the admin key.
            #expect(asked.map { "\($0.method) \($0.path)" } == ["\(withAccessToken ? "GET" : "POST") \(Self.me)"])
            backend.clock.advance(by: .seconds(25 * 3600))
            #expect(await kakao.unlinkIncompleteSignUps() == [])
            #expect(kakao.isLinked("1001"))
            #expect(backend.emulator.grantsAccess(at: .kakao, to: "1001"))
        }
    }

    @Test func aPersonWhoSignedInAtTheServerStaysLinked() async throws {
        try await EmulatedBackend.run { backend in
            let repository = ServerRepository.emulated(
                at: backend.emulator.baseURL, transport: backend.transport, clock: backend.emulator.configuration.clock)
            _ = try await repository.signIn(with: try await credential(backend))
            #expect(backend.emulator.journal.entries.filter { $0.caller == .service }.map(\.path) == [Self.me])
            backend.clock.advance(by: .seconds(25 * 3600))
            #expect(await backend.emulator.kakao.unlinkIncompleteSignUps() == [])
        }
    }

    @Test func aPersonWhoWasNeverLookedUpIsUnlinkedAfterADay() async throws {
        try await EmulatedBackend.run { backend in
            let kakao = backend.emulator.kakao
            let first = try #require(try await credential(backend).accessToken)
            backend.clock.advance(by: .seconds(24 * 3600))
            // A further log-in does not begin the day anew.
            _ = try await credential(backend)
            #expect(await kakao.unlinkIncompleteSignUps() == [])
            backend.clock.advance(by: .seconds(1))
            #expect(await kakao.unlinkIncompleteSignUps() == ["1001"])
            #expect(!kakao.isLinked("1001"))
            #expect(!backend.emulator.grantsAccess(at: .kakao, to: "1001"))
            let dead = try await backend.socialLogin(["provider": "kakao", "accessToken": .string(first.reveal())])
            #expect(dead.status == 401)
            // The next log-in is a first one.
            _ = try await credential(backend)
            #expect(kakao.isLinked("1001"))
            #expect(await kakao.unlinkIncompleteSignUps() == [])
            backend.clock.advance(by: .seconds(25 * 3600))
            #expect(await kakao.unlinkIncompleteSignUps() == ["1001"])
        }
    }

    @Test(arguments: [(EmulatorFault.status(503), AuthError.Code.server), (.error("-401"), .invalidCredential)])
    func aLookUpThatFailsMakesNoCustomToken(fault: EmulatorFault, code: AuthError.Code) async throws {
        try await EmulatedBackend.run { backend in
            let credential = try await credential(backend)
            backend.emulator.inject(fault, at: .kakaoUser)
            let error = await error { () throws(AuthError) in try await backend.repository.signIn(with: credential) }
            #expect(error?.code == code)
            #expect(backend.emulator.firebase.users.isEmpty)
            backend.clock.advance(by: .seconds(25 * 3600))
            #expect(await backend.emulator.kakao.unlinkIncompleteSignUps() == ["1001"])
        }
    }

    @Test func anAccessTokenOfAnotherPersonIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            var credential = try await credential(backend)
            credential.accessToken = try await EmulatedCredentials(at: backend.emulator).get(\.kakao, as: "1002")
                .accessToken
            let mixed = credential
            let error = await error { () throws(AuthError) in try await backend.repository.signIn(with: mixed) }
            #expect(error?.code == .invalidCredential)
            #expect(error?.serverCode == "UNAUTHENTICATED")
            #expect(backend.emulator.firebase.users.isEmpty)
        }
    }

    /// An app has several keys, and the one that was used is the audience.
    @Test func everyNativeKeyOfTheAppIsTakenAndAForeignOneIsNot() async throws {
        let keys = ["native-1", "native-2", "native-3"]
        let severalKeys: (inout EmulatorConfiguration) -> Void = { $0.kakao.nativeAppKeys = keys }
        try await EmulatedBackend.run(severalKeys) { backend in
            let kakao = backend.emulator.configuration.kakao
            #expect(kakao.nativeAppKey == "native-1")
            for key in keys + [kakao.restAPIKey, kakao.otherNativeAppKey] {
                let data: AuthJSON = [
                    "provider": "kakao", "idToken": .string(backend.kakaoToken(["aud": .string(key)])),
                ]
                let status = key == kakao.otherNativeAppKey ? 401 : 200
                #expect(try await backend.socialLogin(data).status == status)
                #expect(try await backend.api("sign-in", data).status == status)
            }
            for key in keys {
                let token = try await backend.kakaoAccessToken(ofKey: key)
                let data: AuthJSON = ["provider": "kakao", "accessToken": .string(token)]
                #expect(try await backend.socialLogin(data).status == 200)
            }
        }
    }
}
