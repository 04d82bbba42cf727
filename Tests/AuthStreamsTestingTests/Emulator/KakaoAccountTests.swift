import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct KakaoAccountTests {
    private static let authorize = "https://kauth.kakao.com/oauth/authorize"
    private static let token = "https://kauth.kakao.com/oauth/token"
    private static let kakao = EmulatorConfiguration().kakao
    private static let request: [String: String?] = [
        "client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI, "response_type": "code",
        "state": "state-1", "nonce": "nonce-1", "code_challenge": Pair.challenge, "code_challenge_method": "S256",
    ]

    private static func exchange(_ code: String?) -> [String: String?] {
        [
            "grant_type": "authorization_code", "client_id": kakao.nativeAppKey,
            "redirect_uri": kakao.nativeRedirectURI, "code": code, "code_verifier": Pair.verifier,
        ]
    }

    private static func code(_ wire: Wire, _ changes: [String: String?] = [:]) async throws -> String {
        let callback = try await wire.approve(try await wire.get(authorize, request.with(changes)))
        return try #require(callback["code"])
    }

    @Test func anApprovedSignInEndsInTokensOfThatPerson() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let callback = try await wire.approve(try await wire.get(Self.authorize, Self.request), user: "1002")
            #expect(callback.target == Self.kakao.nativeRedirectURI)
            #expect(callback["state"] == "state-1")

            let answer = try await wire.post(Self.token, Self.exchange(callback["code"]))
            #expect(answer.status == 200)
            #expect(answer["token_type"] == "bearer")
            #expect(answer.json?["expires_in"] == 43_199)
            #expect(answer.json?["refresh_token_expires_in"] == 5_183_999)
            let claims = try answer.claims("id_token")
            #expect(claims["iss"]?.string == emulator.url(for: "https://kauth.kakao.com").absoluteString)
            #expect(claims["aud"]?.string == Self.kakao.nativeAppKey)
            #expect(claims["sub"] == "1002")
            #expect(claims["nonce"] == "nonce-1")
            #expect(claims["nickname"] == "Alex Morgan")

            let me = try await wire.get("https://kapi.kakao.com/v2/user/me", bearer: answer["access_token"])
            #expect(me.json?["id"] == 1002)
            #expect(me.json?["kakao_account"]?["email"] == "alex@kakao.example")
            let info = try await wire.get(
                "https://kapi.kakao.com/v1/user/access_token_info", bearer: answer["access_token"])
            #expect(info.json?["app_id"] == 1_234_567)
        }
    }

    @Test func aRefusalGoesBackInKakaosWords() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let callback = try await wire.deny(try await wire.get(Self.authorize, Self.request))
            #expect(
                callback.parameters == [
                    "error": "access_denied", "error_description": "User denied access", "state": "state-1",
                ])
        }
    }

    @Test(
        arguments: [
            (["client_id": "unknown"], "KOE101"),
            (["client_id": nil], "KOE207"),
            (["redirect_uri": "kakao0://oauth"], "KOE006"),
            (["redirect_uri": kakao.nativeRedirectURI + "/"], "KOE006"),
            (["response_type": "token"], "KOE201"),
            (["scope": "friends"], "KOE205"),
            (["code_challenge_method": "plain"], "KOE204"),
        ] as [([String: String?], String)])
    func aWrongRequestIsAPageThatLeadsNowhere(changes: [String: String?], code: String) async throws {
        try await withEmulator { emulator in
            let page = try await Wire(emulator).get(Self.authorize, Self.request.with(changes))
            #expect(page.isDeadEnd)
            #expect(page.text.contains(code))
        }
    }

    @Test func aCodeWorksOnce() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            #expect(try await wire.post(Self.token, Self.exchange(code)).status == 200)
            let second = try await wire.post(Self.token, Self.exchange(code))
            #expect(second.status == 400)
            #expect(second["error"] == "invalid_grant")
            #expect(second["error_code"] == "KOE320")
        }
    }

    @Test func aCodeExpires() async throws {
        let clock = ManualClock()
        try await withEmulator(EmulatorConfiguration(at: clock)) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            clock.advance(by: .seconds(301))
            #expect(try await wire.post(Self.token, Self.exchange(code))["error_code"] == "KOE320")
        }
    }

    @Test(
        arguments: [
            (["client_id": "unknown"], 401, "invalid_client", "KOE101"),
            (["redirect_uri": "kakao0://oauth"], 400, "invalid_grant", "KOE303"),
            (["redirect_uri": nil], 400, "invalid_grant", "KOE303"),
            (["code_verifier": "x" + Pair.verifier.dropFirst()], 400, "invalid_grant", "KOE320"),
            (["code_verifier": nil], 400, "invalid_grant", "KOE320"),
            (["ios_bundle_id": "com.example.other"], 400, "misconfigured", "KOE009"),
            (["grant_type": "password"], 400, "unsupported_grant_type", "KOE310"),
            (["client_id": kakao.restAPIKey], 401, "invalid_client", "KOE010"),
            (["client_id": kakao.restAPIKey, "client_secret": kakao.restSecret], 400, "invalid_grant", "KOE320"),
        ] as [([String: String?], Int, String, String)])
    func aWrongExchangeIsRefused(
        changes: [String: String?], status: Int, error: String, code: String
    ) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let form = Self.exchange(try await Self.code(wire)).with(changes)
            let answer = try await wire.post(Self.token, form)
            #expect(answer.status == status)
            #expect(answer["error"] == error)
            #expect(answer["error_code"] == code)
        }
    }

    @Test func aVerifierForACodeWithoutChallengeIsRefused() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire, ["code_challenge": nil, "code_challenge_method": nil])
            #expect(try await wire.post(Self.token, Self.exchange(code))["error"] == "invalid_grant")
        }
    }

    @Test func aRefreshTokenIsReplacedOnlyInItsLastMonth() async throws {
        let clock = ManualClock()
        try await withEmulator(EmulatorConfiguration(at: clock)) { emulator in
            let wire = Wire(emulator)
            let first = try await wire.post(Self.token, Self.exchange(try await Self.code(wire)))
            func refresh(_ token: String?) async throws -> AuthHTTPResponse {
                try await wire.post(
                    Self.token,
                    ["grant_type": "refresh_token", "client_id": Self.kakao.nativeAppKey, "refresh_token": token])
            }
            let early = try await refresh(first["refresh_token"])
            #expect(early.status == 200)
            #expect(early["refresh_token"] == nil)
            clock.advance(by: .seconds(31 * 86_400))
            let late = try await refresh(first["refresh_token"])
            #expect(late["refresh_token"] != nil)
            #expect(try await refresh(first["refresh_token"])["error_code"] == "KOE322")
            #expect(try await refresh(late["refresh_token"]).status == 200)
            #expect(try await refresh(nil)["error_code"] == "KOE319")
        }
    }

    @Test func withoutOpenIDThereIsNoIDToken() async throws {
        var configuration = EmulatorConfiguration()
        configuration.kakao.isOpenIDEnabled = false
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let answer = try await wire.post(Self.token, Self.exchange(try await Self.code(wire)))
            #expect(answer.status == 200)
            #expect(answer["access_token"] != nil)
            #expect(answer["id_token"] == nil)
        }
    }
}
