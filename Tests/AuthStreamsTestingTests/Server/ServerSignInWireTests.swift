import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// Whose credentials the emulated server believes, and in which words it says no.
@Suite struct ServerSignInWireTests {
    private func signIn(_ backend: EmulatedBackend, _ body: AuthJSON) async throws -> ServerReply {
        try await backend.api("sign-in", body)
    }

    @Test func anAnswerHasEveryMemberOfTheContract() async throws {
        try await EmulatedBackend.run { backend in
            let token = backend.googleToken(["name": "Minji", "picture": "https://p.example/1", "nonce": "n"])
            let body: AuthJSON = ["provider": "google.com", "idToken": .string(token), "nonce": "n"]
            let first = try await signIn(backend, body)
            #expect(first.status == 200)
            #expect(first.response.headers["cache-control"] == "no-store")
            #expect(first["expiresIn"] == 900)
            #expect(first["isNewUser"] == true)
            #expect(first["provider"] == "google.com")
            #expect(
                first["user"] == [
                    "id": "user-1", "email": "minji@example.com", "emailVerified": true, "displayName": "Minji",
                    "photoURL": "https://p.example/1", "isAnonymous": false, "claims": [:],
                    "providers": [["id": "google.com", "userID": "1001", "email": "minji@example.com"]],
                ])
            let again = try await signIn(backend, body)
            #expect(again["user"] == first["user"])
            #expect(again["isNewUser"] == false)
            #expect(again["accessToken"] != first["accessToken"])
            #expect(again["refreshToken"] != first["refreshToken"])
            #expect(backend.emulator.server.users.map(\.id) == ["user-1"])
        }
    }

    @Test func whatComesBesideAnAppleTokenOnlyFillsInAName() async throws {
        try await EmulatedBackend.run { backend in
            let reply = try await signIn(
                backend,
                [
                    "provider": "apple.com", "idToken": .string(backend.appleToken(["email": .null])),
                    "profile": ["givenName": "민지", "familyName": "김", "email": "somebody.else@example.com"],
                ])
            #expect(reply["user"]?["displayName"] == "김민지")
            #expect(reply["user"]?["email"] == nil)
        }
    }

    @Test(
        arguments: [
            ["aud": "somebody-elses"], ["exp": 1], ["iss": "https://accounts.google.com"], ["sub": ""],
        ] as [[String: AuthJSON]])
    func anIDTokenThatBreaksARuleIsRefused(changes: [String: AuthJSON]) async throws {
        try await EmulatedBackend.run { backend in
            let token = backend.googleToken(changes)
            let reply = try await signIn(backend, ["provider": "google.com", "idToken": .string(token)])
            #expect(reply.problem == "401 invalid-credential")
            #expect(reply.response.headers["www-authenticate"] == "Bearer")
            #expect(!String(decoding: reply.response.body, as: UTF8.self).contains(token))
            #expect(backend.emulator.server.users.isEmpty)
        }
    }

    @Test(arguments: [("n", "m"), ("n", nil), (nil, "m")] as [(String?, String?)])
    func aNonceThatDoesNotFitIsRefused(inToken: String?, sent: String?) async throws {
        try await EmulatedBackend.run { backend in
            let token = backend.kakaoToken(["nonce": inToken.map(AuthJSON.string) ?? .null])
            var body: [String: AuthJSON] = ["provider": "kakao", "idToken": .string(token)]
            body["nonce"] = sent.map(AuthJSON.string)
            let reply = try await signIn(backend, .object(body))
            #expect(reply.problem == "401 nonce-mismatch")
        }
    }

    @Test func anotherAppsKakaoAccessTokenIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            let kakao = backend.emulator.configuration.kakao
            let other = try await backend.kakaoAccessToken(ofKey: kakao.otherNativeAppKey)
            let body: AuthJSON = ["provider": "kakao", "accessToken": .string(other)]
            #expect(try await signIn(backend, body).problem == "401 invalid-credential")
            let own = try await backend.kakaoAccessToken(ofKey: kakao.nativeAppKey)
            let reply = try await signIn(backend, ["provider": "kakao", "accessToken": .string(own)])
            #expect(reply["user"]?["providers"]?.array?.first?["userID"] == "1001")
        }
    }

    @Test func aNaverCodeWorksOnceAndANaverAccessTokenNever() async throws {
        try await EmulatedBackend.run { backend in
            let code = try await backend.naverCode()
            let body: AuthJSON = ["provider": "naver", "code": .string(code), "state": "s"]
            #expect(try await signIn(backend, body)["user"]?["id"] == "user-1")
            #expect(try await signIn(backend, body).problem == "401 invalid-credential")
            let token: AuthJSON = ["provider": "naver", "accessToken": "whatever"]
            #expect(try await signIn(backend, token).problem == "400 invalid-request")
        }
    }

    @Test func theCodeThatGoogleMadeForTheServerIsRedeemedThere() async throws {
        try await EmulatedBackend.run { backend in
            let body: AuthJSON = [
                "provider": "google.com", "idToken": .string(backend.googleToken()), "serverAuthCode": "never issued",
            ]
            let reply = try await signIn(backend, body)
            #expect(reply.problem == "401 invalid-credential")
            let asked = backend.emulator.journal.entries.filter { $0.caller == .service }
            #expect(asked.map { $0.host + $0.path } == ["oauth2.googleapis.com/token"])
        }
    }

    @Test(arguments: [EmulatorFault.status(503), .dropConnection, .html, .error("server_error")])
    func aProviderThatIsDownIsSaidToBe(fault: EmulatorFault) async throws {
        try await EmulatedBackend.run { backend in
            let code = try await backend.naverCode()
            backend.emulator.inject(fault, at: .naverToken)
            let reply = try await signIn(backend, ["provider": "naver", "code": .string(code)])
            #expect(reply.problem == "503 provider-unavailable")
        }
    }

    @Test func anAddressOfAnotherAccountIsAConflict() async throws {
        let sameAddress: (inout EmulatorConfiguration) -> Void = { $0.kakao.users[0].email = "MINJI@example.com" }
        try await EmulatedBackend.run(sameAddress) { backend in
            _ = try await backend.signInAtServer()
            let token = backend.kakaoToken()
            let reply = try await signIn(backend, ["provider": "kakao", "idToken": .string(token)])
            #expect(reply.problem == "409 account-exists")
            #expect(backend.emulator.server.users.count == 1)
        }
    }

    @Test func aDisabledUserIsDenied() async throws {
        try await EmulatedBackend.run { backend in
            let userID = try await backend.signInAtServer().userID
            #expect(backend.emulator.server.disable(userID))
            let body: AuthJSON = ["provider": "google.com", "idToken": .string(backend.googleToken())]
            #expect(try await signIn(backend, body).problem == "403 user-disabled")
            #expect(backend.emulator.server.enable(userID))
            #expect(try await signIn(backend, body).status == 200)
        }
    }

    @Test func whichProvidersItTakesIsConfiguration() async throws {
        let onlyKakao: (inout EmulatorConfiguration) -> Void = { $0.server.providers = [.kakao] }
        try await EmulatedBackend.run(onlyKakao) { backend in
            let body: AuthJSON = ["provider": "google.com", "idToken": .string(backend.googleToken())]
            let known = try await signIn(backend, body)
            let unknown = try await signIn(backend, ["provider": "line"])
            #expect([known, unknown].map(\.problem) == ["400 unsupported-provider", "400 unsupported-provider"])
        }
    }

    @Test(
        arguments: [
            [], "text", 7, nil, [:], ["provider": 1], ["provider": ""], ["provider": "google.com"],
            ["provider": "google.com", "idToken": 7], ["provider": "google.com", "idToken": ""],
            ["provider": "apple.com", "idToken": "x", "profile": "Minji"],
        ] as [AuthJSON])
    func aBodyThatMakesNoSenseIsABadRequest(body: AuthJSON) async throws {
        try await EmulatedBackend.run { backend in
            let reply = try await signIn(backend, body)
            #expect(reply.problem == "400 invalid-request")
        }
    }

    @Test func onlyJSONIsTakenAndOnlyByTheMethodOfTheEndpoint() async throws {
        try await EmulatedBackend.run { backend in
            let form = try await backend.api(
                "sign-in", ["provider": "kakao"], type: "application/x-www-form-urlencoded")
            #expect(form.problem == "400 invalid-request")
            #expect(try await backend.api("sign-in", method: .get).status == 405)
            #expect(try await backend.api("account").status == 405)
            #expect(try await backend.api("elsewhere").status == 404)
        }
    }

    @Test func aTestMayAskForAnyProblem() async throws {
        try await EmulatedBackend.run { backend in
            backend.emulator.inject(.error("second-factor-required"), at: .serverSignIn)
            backend.emulator.inject(.error("410"), at: .serverSignIn)
            let replies = [try await signIn(backend, [:]), try await signIn(backend, [:])]
            #expect(replies.map(\.problem) == ["403 second-factor-required", "410 about:blank"])
        }
    }
}
