import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct SocialLoginTests {
    private func uid(of answer: EmulatedBackend.Answer) -> String? {
        JSONWebToken(Secret(answer["result"]?["customToken"]?.string ?? ""))?.claims["uid"]?.string
    }

    private func status(_ answer: EmulatedBackend.Answer) -> String? { answer.json["error"]?["status"]?.string }

    // MARK: Kakao

    @Test func kakaoIDTokenBecomesACustomTokenThatSignsIn() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.socialLogin([
                "provider": "kakao", "idToken": .string(backend.kakaoToken(["nonce": "n"])), "nonce": "n",
            ])
            #expect(answer.status == 200)
            #expect(uid(of: answer) == "kakao:1001")
            let token = try #require(answer["result"]?["customToken"]?.string)
            let session = try await backend.signInWithCustomToken(token)
            // The function has created the user, so Firebase finds one; the claim tells that they are new.
            #expect(session["isNewUser"] == nil)
            #expect(JSONWebToken(Secret(token))?.claims["claims"]?["isNewUser"] == true)
            #expect(JSONWebToken(Secret(session["idToken"]?.string ?? ""))?.claims["provider"] == "kakao")
        }
    }

    @Test(
        arguments: [
            (["aud": "ffffffffffffffffffffffffffffffff"], "n"), (["exp": 1], "n"),
            (["iss": "https://kauth.kakao.com"], "n"),
            (["nonce": "m"], "n"), (["nonce": .null], "n"), ([:], nil),
        ] as [([String: AuthJSON], String?)])
    func kakaoIDTokenThatBreaksARuleIsUnauthenticated(changes: [String: AuthJSON], nonce: String?) async throws {
        try await EmulatedBackend.run { backend in
            let token = backend.kakaoToken(["nonce": "n"].merging(changes) { $1 })
            var data: [String: AuthJSON] = ["provider": "kakao", "idToken": .string(token)]
            data["nonce"] = nonce.map(AuthJSON.string)
            let answer = try await backend.socialLogin(.object(data))
            #expect(answer.status == 401)
            #expect(status(answer) == "UNAUTHENTICATED")
            #expect(answer.message?.contains(token) == false)
        }
    }

    @Test func kakaoAccessTokenOfThisAppIsTaken() async throws {
        try await EmulatedBackend.run { backend in
            let key = backend.emulator.configuration.kakao.nativeAppKey
            let token = try await backend.kakaoAccessToken(ofKey: key, as: "1002")
            let answer = try await backend.socialLogin(["provider": "kakao", "accessToken": .string(token)])
            #expect(uid(of: answer) == "kakao:1002")
            let asked = backend.emulator.journal.entries.filter { $0.caller == .service }.map(\.path)
            #expect(asked == ["/v1/user/access_token_info", "/v2/user/me"])
        }
    }

    @Test func kakaoAccessTokenOfAnotherAppIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            let key = backend.emulator.configuration.kakao.otherNativeAppKey
            let token = try await backend.kakaoAccessToken(ofKey: key)
            let answer = try await backend.socialLogin(["provider": "kakao", "accessToken": .string(token)])
            #expect(answer.status == 401)
            #expect(status(answer) == "UNAUTHENTICATED")
        }
    }

    @Test func kakaoAccessTokenThatNeverWasIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.socialLogin(["provider": "kakao", "accessToken": "x"])
            #expect(status(answer) == "UNAUTHENTICATED")
        }
    }

    @Test(arguments: [EmulatorFault.status(503), .dropConnection, .malformedJSON, .html, .error("-1")])
    func kakaoInTroubleIsUnavailable(fault: EmulatorFault) async throws {
        try await EmulatedBackend.run { backend in
            backend.emulator.inject(fault, at: .kakaoTokenInfo)
            let answer = try await backend.socialLogin(["provider": "kakao", "accessToken": "x"])
            #expect(answer.status == 503)
            #expect(status(answer) == "UNAVAILABLE")
        }
    }

    // MARK: Naver

    @Test func naverCodeIsRedeemedWithTheSecret() async throws {
        try await EmulatedBackend.run { backend in
            let code = try await backend.naverCode()
            let data: AuthJSON = ["provider": "naver", "code": .string(code), "state": "s"]
            #expect(uid(of: try await backend.socialLogin(data)) == "naver:naver-1001")
            let again = try await backend.socialLogin(data)
            #expect(status(again) == "UNAUTHENTICATED")
        }
    }

    @Test func naverCodeWithAnotherStateIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            let code = try await backend.naverCode()
            let answer = try await backend.socialLogin(["provider": "naver", "code": .string(code), "state": "other"])
            #expect(status(answer) == "UNAUTHENTICATED")
        }
    }

    @Test func naverAccessTokenAloneIsRefusedBeforeAnythingIsAsked() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.socialLogin(["provider": "naver", "accessToken": "x"])
            #expect(answer.status == 400)
            #expect(status(answer) == "INVALID_ARGUMENT")
            #expect(backend.emulator.journal.entries.count == 1)
        }
    }

    @Test(arguments: [
        (EmulatorEndpoint.naverToken, EmulatorFault.status(500)), (.naverToken, .error("server_error")),
        (.naverUser, .html), (.naverUser, .dropConnection),
    ])
    func naverInTroubleIsUnavailable(endpoint: EmulatorEndpoint, fault: EmulatorFault) async throws {
        try await EmulatedBackend.run { backend in
            let code = try await backend.naverCode()
            backend.emulator.inject(fault, at: endpoint)
            let answer = try await backend.socialLogin(["provider": "naver", "code": .string(code), "state": "s"])
            #expect(status(answer) == "UNAVAILABLE")
        }
    }

    // MARK: Anything else

    @Test func disabledUserIsDenied() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await backend.signInWithCustomToken(backend.customToken())
            backend.emulator.firebase.disable("kakao:1001")
            let answer = try await backend.socialLogin([
                "provider": "kakao", "idToken": .string(backend.kakaoToken()),
            ])
            #expect(answer.status == 403)
            #expect(status(answer) == "PERMISSION_DENIED")
        }
    }

    @Test(
        arguments: [
            [:], nil, "kakao", ["provider": "line"], ["provider": "kakao"], ["provider": "naver"], ["provider": 1],
            ["provider": "kakao", "idToken": ""], ["provider": "kakao", "accessToken": 7],
        ] as [AuthJSON])
    func dataThatMakesNoSenseIsAnInvalidArgument(data: AuthJSON) async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.socialLogin(data)
            #expect(answer.status == 400)
            #expect(status(answer) == "INVALID_ARGUMENT")
        }
    }
}
