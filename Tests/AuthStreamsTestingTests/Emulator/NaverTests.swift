import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct NaverTests {
    private static let naver = EmulatorConfiguration().naver
    private static let authorize = "https://nid.naver.com/oauth2.0/authorize"
    private static let token = "https://nid.naver.com/oauth2.0/token"
    private static let me = "https://openapi.naver.com/v1/nid/me"
    private static let request: [String: String?] = [
        "client_id": naver.clientID, "redirect_uri": "authstreamsnaver://authorize", "response_type": "code",
        "state": "state/+=1",
    ]
    private static let app: [String: String?] = [
        "client_id": naver.clientID, "callback_scheme": naver.urlScheme, "response_type": "code",
        "decision": "approve",
    ]

    private static func exchange(_ code: String?) -> [String: String?] {
        [
            "grant_type": "authorization_code", "client_id": naver.clientID, "client_secret": naver.clientSecret,
            "code": code, "state": "state/+=1",
        ]
    }

    private static func tokens(_ wire: Wire) async throws -> AuthHTTPResponse {
        let callback = try await wire.approve(try await wire.get(authorize, request))
        return try await wire.post(token, exchange(callback["code"]))
    }

    @Test(arguments: ["GET", "POST"])
    func anApprovedSignInEndsInTokensByEitherMethod(method: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let callback = try await wire.approve(try await wire.get(Self.authorize, Self.request), user: "naver-1002")
            #expect(callback.target == "authstreamsnaver://authorize")
            #expect(callback["state"] == "state/+=1")
            let form = Self.exchange(callback["code"])
            let isGet = method == "GET"
            let answer = isGet ? try await wire.get(Self.token, form) : try await wire.post(Self.token, form)
            #expect(answer.json?["expires_in"] == .string("3600"))
            #expect(answer["token_type"] == "bearer")
            #expect(answer["refresh_token"] != nil)
            let me = try await wire.get(Self.me, bearer: answer["access_token"])
            #expect(me["resultcode"] == "00")
            #expect(me.json?["response"]?["id"] == "naver-1002")
            let verify = try await wire.get("https://openapi.naver.com/v1/nid/verify", bearer: answer["access_token"])
            #expect(verify["resultcode"] == "00")
            #expect(verify.json?["response"] == nil)
        }
    }

    @Test func aRefusalGoesBackWithTheState() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let callback = try await wire.deny(try await wire.get(Self.authorize, Self.request))
            #expect(callback["error"] == "access_denied")
            #expect(callback["state"] == "state/+=1")
            #expect(callback["code"] == nil)
        }
    }

    @Test(
        arguments: [
            ["client_id": "unknown"], ["client_id": nil], ["redirect_uri": "authstreamsnaver://other"],
            ["redirect_uri": nil], ["response_type": "token"], ["state": nil],
        ] as [[String: String?]])
    func aWrongRequestIsAPageThatLeadsNowhere(changes: [String: String?]) async throws {
        try await withEmulator { emulator in
            let page = try await Wire(emulator).get(Self.authorize, Self.request.with(changes))
            #expect(page.isDeadEnd)
        }
    }

    @Test(
        arguments: [
            (["client_secret": "wrong"], "unauthorized_client"),
            (["client_secret": nil], "unauthorized_client"),
            (["client_id": "unknown"], "unauthorized_client"),
            (["code": "unknown"], "invalid_request"),
            (["state": "another"], "invalid_request"),
            (["grant_type": "password"], "invalid_request"),
        ] as [([String: String?], String)])
    func aWrongExchangeIsAnErrorWithStatus200(changes: [String: String?], error: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let callback = try await wire.approve(try await wire.get(Self.authorize, Self.request))
            let answer = try await wire.post(Self.token, Self.exchange(callback["code"]).with(changes))
            #expect(answer.status == 200)
            #expect(answer["error"] == error)
            #expect(answer["error_description"] != nil)
            #expect(answer["access_token"] == nil)
        }
    }

    @Test func aCodeWorksOnce() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let callback = try await wire.approve(try await wire.get(Self.authorize, Self.request))
            let first = try await wire.post(Self.token, Self.exchange(callback["code"]))
            #expect(first["access_token"] != nil)
            let second = try await wire.post(Self.token, Self.exchange(callback["code"]))
            #expect(second["error"] == "invalid_request")
        }
    }

    @Test func refreshingKeepsTheRefreshTokenAndDeletingAlwaysSucceeds() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let client: [String: String?] = [
                "client_id": Self.naver.clientID, "client_secret": Self.naver.clientSecret,
            ]
            let tokens = try await Self.tokens(wire)
            let refresh = client.with(["grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]])
            let refreshed = try await wire.post(Self.token, refresh)
            #expect(refreshed["access_token"] != nil)
            #expect(refreshed["refresh_token"] == nil)

            let delete = client.with(["grant_type": "delete", "service_provider": "NAVER"])
            for token in [refreshed["access_token"], "never issued"] {
                let answer = try await wire.post(Self.token, delete.with(["access_token": token]))
                #expect(answer["result"] == "success")
            }
            #expect(try await wire.get(Self.me, bearer: tokens["access_token"])["resultcode"] == "024")
            #expect(try await wire.post(Self.token, refresh)["error"] == "invalid_request")
        }
    }

    @Test func aTokenBreaksWhoEncodesFormsCarelessly() async throws {
        try await withEmulator { emulator in
            let tokens = try await Self.tokens(Wire(emulator))
            let token = try #require(tokens["access_token"])
            #expect(token.contains("+") && token.contains("/"))
        }
    }

    @Test func theProfileSaysWhatIsWrongWithTheToken() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let missing = try await wire.get(Self.me)
            #expect(missing.status == 401)
            #expect(missing["resultcode"] == "028")
            let wrong = try await wire.get(Self.me, bearer: "unknown")
            #expect(wrong.status == 401)
            #expect(wrong.json == ["resultcode": "024", "message": "Authentication failed"])
        }
    }

    @Test func theAppsCodeHasNoStateAndIsGoodForTokens() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let answer = try await wire.post("https://nid.naver.com/emulator/app-code", Self.app)
            let callback = try Callback(try #require(answer["redirect"]))
            #expect(callback.target == "authstreamsnaver://thirdPartyLoginResult")
            #expect(callback.parameters.keys.sorted() == ["authCode"])
            let form = Self.exchange(callback["authCode"]).with(["state": nil])
            #expect(try await wire.post(Self.token, form)["access_token"] != nil)
        }
    }

    @Test func theAppTellsARefusalAndAnErrorByNumber() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let url = "https://nid.naver.com/emulator/app-code"
            for (changes, code) in [(["decision": "deny"], "2"), (["response_type": "token"], "8")] {
                let answer = try await wire.post(url, Self.app.merging(changes) { _, new in new })
                let callback = try Callback(try #require(answer["redirect"]))
                #expect(callback["code"] == code)
                #expect(callback["error_detail"] != nil)
            }
            for changes in [["callback_scheme": "otherapp"], ["client_id": "unknown"], ["decision": ""]] {
                let answer = try await wire.post(url, Self.app.merging(changes) { _, new in new })
                #expect(answer.status == 400)
                #expect(answer["redirect"] == nil)
            }
        }
    }
}
