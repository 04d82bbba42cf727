import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct KakaoAPITests {
    private static let kakao = EmulatorConfiguration().kakao
    private static let code = "https://talk-apps.kakao.com/emulator/code"
    private static let request: [String: String?] = [
        "client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI, "nonce": "nonce-1",
        "code_challenge": Pair.challenge, "code_challenge_method": "S256", "decision": "approve",
    ]

    /// The tokens of a person who agreed in KakaoTalk.
    private static func tokens(_ wire: Wire, key: String = kakao.nativeAppKey) async throws -> AuthHTTPResponse {
        let changes: [String: String?] = ["client_id": key, "redirect_uri": "kakao\(key)://oauth"]
        let answer = try await wire.post(code, request.with(changes))
        let callback = try Callback(try #require(answer["redirect"]))
        return try await wire.kakaoTokens(
            callback["code"],
            ["client_id": key, "redirect_uri": "kakao\(key)://oauth", "code_verifier": Pair.verifier])
    }

    @Test func kakaoTalkGivesACodeThatIsGoodForTokens() async throws {
        try await withEmulator { emulator in
            let tokens = try await Self.tokens(Wire(emulator))
            #expect(tokens.status == 200)
            #expect(try tokens.claims("id_token")["sub"] == "1001")
            #expect(try tokens.claims("id_token")["nonce"] == "nonce-1")
        }
    }

    @Test(arguments: ["unknown", kakao.restAPIKey])
    func kakaoTalkAnswersThatItDoesNotKnowAKey(key: String) async throws {
        try await withEmulator { emulator in
            let answer = try await Wire(emulator).post(Self.code, Self.request.with(["client_id": key]))
            let callback = try #require(answer["redirect"])
            #expect(callback.hasSuffix("://oauth?error=invalid_client&error_code=KOE101"))
        }
    }

    @Test func kakaoTalkTellsARefusal() async throws {
        try await withEmulator { emulator in
            let answer = try await Wire(emulator).post(Self.code, Self.request.with(["decision": "deny"]))
            let prefix = Self.kakao.nativeRedirectURI
            #expect(answer["redirect"] == "\(prefix)?error=access_denied&error_description=User%20denied%20access")
        }
    }

    @Test(
        arguments: [
            ["redirect_uri": "kakao0://oauth"],
            ["code_challenge_method": "plain"], ["user": "9999"], ["decision": nil],
        ] as [[String: String?]])
    func kakaoTalkRefusesWhatIsNotRegistered(changes: [String: String?]) async throws {
        try await withEmulator { emulator in
            let answer = try await Wire(emulator).post(Self.code, Self.request.with(changes))
            #expect(answer.status == 400)
            #expect(answer["error"] != nil)
            #expect(answer["redirect"] == nil)
        }
    }

    /// The endpoint that the issuer's metadata names.
    @Test func userInfoSaysWhatTheIDTokenSays() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let tokens = try await Self.tokens(wire)
            let metadata = try await wire.get("https://kauth.kakao.com/.well-known/openid-configuration")
            let endpoint = try #require(metadata["userinfo_endpoint"].flatMap(URL.init(string:)))
            let address = "https://kapi.kakao.com/v1/oidc/userinfo"
            #expect(endpoint.path().hasSuffix("/kapi.kakao.com/v1/oidc/userinfo"))
            let info = try #require(try await wire.get(address, bearer: tokens["access_token"]).json?.object)
            let claims = try tokens.claims("id_token")
            for name in ["sub", "nickname", "picture", "email"] { #expect(info[name] == claims[name], "\(name)") }
            #expect(info["sub"] == "1001" && info["iss"] == nil)
            #expect(try await wire.get(address, bearer: "nobody's").status == 401)
        }
    }

    @Test func aTokenOfAnotherAppIsKnownByItsNumber() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let tokens = try await Self.tokens(wire, key: Self.kakao.otherNativeAppKey)
            let info = try await wire.get(
                "https://kapi.kakao.com/v1/user/access_token_info", bearer: tokens["access_token"])
            #expect(info.json?["app_id"] == 7_654_321)
        }
    }

    @Test func anUnknownAndAnExpiredTokenAreMinus401() async throws {
        let clock = ManualClock()
        try await withEmulator(EmulatorConfiguration(at: clock)) { emulator in
            let wire = Wire(emulator)
            let token = try await Self.tokens(wire)["access_token"]
            clock.advance(by: .seconds(43_200))
            for (bearer, message) in [
                (nil, "this access token does not exist"), ("nobody's", "this access token does not exist"),
                (token, "this access token is already expired"),
            ] {
                let answer = try await wire.get("https://kapi.kakao.com/v2/user/me", bearer: bearer)
                #expect(answer.status == 401)
                #expect(answer.json == ["msg": .string(message), "code": -401])
            }
        }
    }

    @Test(arguments: ["logout", "unlink"])
    func loggingOutAndUnlinkingEndTheTokens(call: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let tokens = try await Self.tokens(wire)
            let others = try await Self.tokens(wire)
            let answer = try await wire.post("https://kapi.kakao.com/v1/user/\(call)", bearer: tokens["access_token"])
            #expect(answer.json == ["id": 1001])
            let me = "https://kapi.kakao.com/v2/user/me"
            #expect(try await wire.get(me, bearer: tokens["access_token"]).json?["code"] == -401)
            // Logging out is for one pair of tokens, unlinking for all of the app's.
            #expect(try await wire.get(me, bearer: others["access_token"]).status == (call == "logout" ? 200 : 401))
            let refresh = try await wire.post(
                "https://kauth.kakao.com/oauth/token",
                [
                    "grant_type": "refresh_token", "client_id": Self.kakao.nativeAppKey,
                    "refresh_token": tokens["refresh_token"],
                ])
            #expect(refresh["error_code"] == "KOE322")
        }
    }
}
