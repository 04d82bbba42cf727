import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct NaverOpenIDTests {
    private static let naver = EmulatorConfiguration().naver
    private static let authorize = "https://nid.naver.com/oauth2/authorize"
    private static let token = "https://nid.naver.com/oauth2/token"
    private static let request = NaverTests.request.with([
        "scope": "openid profile", "nonce": "nonce-1A", "code_challenge": Pair.challenge,
    ])

    private static func exchange(_ callback: Callback) -> [String: String?] {
        NaverTests.exchange(callback["code"]).with(["code_verifier": Pair.verifier])
    }

    private static func callback(_ wire: Wire, _ changes: [String: String?] = [:]) async throws -> Callback {
        try await wire.approve(try await wire.get(authorize, request.with(changes)))
    }

    @Test func discoveryNamesTheEndpointsOfOpenIDConnect() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let metadata = try await wire.get("https://nid.naver.com/.well-known/openid-configuration")
            let issuer = emulator.url(for: "https://nid.naver.com").absoluteString
            #expect(metadata["issuer"] == issuer)
            #expect(metadata["authorization_endpoint"] == "\(issuer)/oauth2/authorize")
            #expect(metadata["token_endpoint"] == "\(issuer)/oauth2/token")
            #expect(metadata["userinfo_endpoint"] == emulator.url(for: NaverTests.me).absoluteString)
            #expect(metadata.json?["code_challenge_methods_supported"] == ["S256"])
            let keys = try await wire.get(try #require(metadata["jwks_uri"]))
            #expect(metadata["jwks_uri"] == "\(issuer)/oauth2/jwks" && keys.json?["keys"]?.array?.count == 1)
            #expect(try await wire.get("https://nid.naver.com/.well-known/jwks.json").status == 404)
        }
    }

    @Test func idTokenHasEightClaimsAndNoProfile() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let form = Self.exchange(try await Self.callback(wire))
            let answer = try await wire.post(Self.token, form)
            #expect(answer.status == 200 && answer.json?["expires_in"] == 3600)
            let claims = try answer.claims("id_token")
            #expect(claims.object?.keys.sorted() == ["aud", "azp", "exp", "iat", "iss", "jti", "nonce", "sub"])
            #expect(claims["iss"]?.string == emulator.url(for: "https://nid.naver.com").absoluteString)
            #expect(claims["aud"]?.string == Self.naver.clientID && claims["azp"] == claims["aud"])
            #expect(claims["nonce"] == "nonce-1A" && claims["sub"] == "naver-1001")
            let key = try #require(JSONWebToken(Secret(answer["id_token"] ?? ""))).header["kid"]
            let keys = try await wire.get("https://nid.naver.com/oauth2/jwks").json?["keys"]?.array
            #expect(key != nil && keys?.first?["kid"] == key)
            let me = try await wire.get(NaverTests.me, bearer: answer["access_token"])
            #expect(me.json?["response"]?["id"] == "naver-1001")
            let refresh = form.with([
                "grant_type": "refresh_token", "refresh_token": answer["refresh_token"], "code": nil,
            ])
            let refreshed = try await wire.post(Self.token, refresh)
            #expect(refreshed["access_token"] != nil)
            #expect(try refreshed.claims("id_token")["sub"] == "naver-1001")
        }
    }

    @Test(
        arguments: [
            (["client_secret": "wrong"], 401, "invalid_client"), (["client_secret": nil], 401, "invalid_client"),
            (["code": "unknown"], 400, "invalid_grant"), (["code_verifier": "another"], 400, "invalid_grant"),
            (["code_verifier": nil], 400, "invalid_grant"), (["state": "another"], 400, "invalid_request"),
            (["grant_type": "delete"], 400, "unsupported_grant_type"),
        ] as [([String: String?], Int, String)])
    func wrongExchangeHasAStatus(changes: [String: String?], status: Int, error: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let form = Self.exchange(try await Self.callback(wire)).with(changes)
            let answer = try await wire.post(Self.token, form)
            #expect(answer.status == status && answer["error"] == error && answer["id_token"] == nil)
        }
    }

    @Test func secretIsNoPassword() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let password = Data("\(Self.naver.clientID):\(Self.naver.clientSecret)".utf8).base64EncodedString()
            let form = Self.exchange(try await Self.callback(wire))
            let basic = form.with(["client_id": nil, "client_secret": nil])
            let answer = try await wire.post(
                Self.token, basic, headers: [.authorization: "Basic \(password)"])
            #expect(answer.status == 401 && answer["error"] == "invalid_client")
            #expect(try await wire.get(Self.token, form).status == 405)
            #expect(try await wire.post(Self.token, form).status == 200, "The code is still valid.")
        }
    }

    @Test(
        arguments: [
            ["scope": nil], ["scope": "profile"], ["code_challenge_method": "plain"], ["state": nil],
        ] as [[String: String?]])
    func wrongRequestIsAPageThatLeadsNowhere(changes: [String: String?]) async throws {
        try await withEmulator { emulator in
            let page = try await Wire(emulator).get(Self.authorize, Self.request.with(changes))
            #expect(page.isDeadEnd)
        }
    }

    @Test func codesAndRefreshTokensAreOfOneSetOfEndpoints() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let unprotected = try await Self.callback(wire, ["code_challenge": nil])
            #expect(
                try await wire.post(NaverTests.token, NaverTests.exchange(unprotected["code"]))["error"]
                    == "invalid_request")
            let older = try await wire.approve(try await wire.get(NaverTests.authorize, Self.request))
            let answer = try await wire.post(Self.token, NaverTests.exchange(older["code"]))
            #expect(answer["error"] == "invalid_grant")
            let tokens = try await NaverTests.tokens(wire)
            #expect(tokens["id_token"] == nil)
            let refresh = NaverTests.exchange(nil).with([
                "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"],
            ])
            #expect(try await wire.post(Self.token, refresh)["error"] == "invalid_grant")
            #expect(try await wire.post(NaverTests.token, refresh)["access_token"] != nil)
        }
    }

    @Test func faultsAreOfTheIDTokenToo() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            emulator.inject(.wrongNonce, at: "nid.naver.com/oauth2/token")
            let form = Self.exchange(try await Self.callback(wire))
            #expect(try await wire.post(Self.token, form).claims("id_token")["nonce"] != "nonce-1A")
        }
    }
}
