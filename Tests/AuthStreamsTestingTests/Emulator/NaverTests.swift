import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct NaverTests {
    private static let naver = EmulatorConfiguration().naver
    static let authorize = "https://nid.naver.com/oauth2.0/authorize"
    static let token = "https://nid.naver.com/oauth2.0/token"
    static let me = "https://openapi.naver.com/v1/nid/me"
    static let request: [String: String?] = [
        "client_id": naver.clientID, "redirect_uri": "authstreamsnaver://authorize", "response_type": "code",
        "state": "state/+=1",
    ]
    private static let app: [String: String?] = [
        "client_id": naver.clientID, "callback_scheme": naver.urlScheme, "response_type": "code",
        "decision": "approve",
    ]

    static func exchange(_ code: String?) -> [String: String?] {
        [
            "grant_type": "authorization_code", "client_id": naver.clientID, "client_secret": naver.clientSecret,
            "code": code, "state": "state/+=1",
        ]
    }

    static func tokens(_ wire: Wire) async throws -> AuthHTTPResponse {
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

    @Test func refreshTokenHasLettersAndDigits() async throws {
        try await withEmulator { emulator in
            let token = try #require(try await Self.tokens(Wire(emulator))["refresh_token"])
            #expect(token.count >= 64 && token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        }
    }

    @Test func requestMayBePosted() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let callback = try await wire.approve(try await wire.post(Self.authorize, Self.request))
            #expect(callback["code"] != nil && callback["state"] == "state/+=1")
        }
    }

    // MARK: Items

    private static let verify = "https://openapi.naver.com/v1/nid/verify"

    private static func fields(_ wire: Wire, _ token: String?) async throws -> [String] {
        try await wire.get(me, bearer: token).json?["response"]?.object?.keys.sorted() ?? []
    }

    private static func access(_ wire: Wire, _ page: AuthHTTPResponse, without items: Set<String> = []) async throws
        -> String?
    {
        let callback = try await wire.approve(page, without: items)
        return try await wire.post(token, exchange(callback["code"]))["access_token"]
    }

    /// The boxes on the page: each item with whether it is checked.
    private static func boxes(_ page: AuthHTTPResponse) -> [String: Bool] {
        let all = page.text.split(separator: "\n").filter { $0.contains(#"name="item""#) && $0.contains("naver-1001 ") }
        return Dictionary(
            all.compactMap { line in
                line.split(separator: "naver-1001 ").last?.split(separator: "\"").first.map {
                    (String($0), line.contains(" checked"))
                }
            }
        ) { $1 }
    }

    @Test func personSharesWhatTheyAgreeTo() async throws {
        var configuration = EmulatorConfiguration()
        configuration.naver.requiredItems = ["name", "email"]
        configuration.naver.additionalItems = ["nickname", "gender", "mobile"]
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let page = try await wire.get(Self.authorize, Self.request)
            #expect(Self.boxes(page) == ["nickname": true, "gender": true, "mobile": true])
            let first = try await Self.access(wire, page, without: ["gender", "name"])
            #expect(try await Self.fields(wire, first) == ["email", "id", "name", "nickname"])
            // They are asked once.
            let next = try await wire.get(Self.authorize, Self.request)
            #expect(Self.boxes(next).isEmpty)
            let second = try await Self.access(wire, next)
            #expect(try await Self.fields(wire, second) == ["email", "id", "name", "nickname"])
            let again = try await wire.get(Self.authorize, Self.request.with(["auth_type": "reprompt"]))
            #expect(Self.boxes(again) == ["nickname": true, "gender": false, "mobile": true])
            let answer = try await wire.answer(again, "approve", without: ["nickname"])
            #expect(answer.status == 303)
            #expect(try await Self.fields(wire, first) == ["email", "id", "name"], "It counts for every token.")
        }
    }

    @Test func repromptedItemIsShared() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let page = try await wire.get(Self.authorize, Self.request)
            let token = try await Self.access(wire, page, without: ["email"])
            #expect(try await !Self.fields(wire, token).contains("email"))
            let again = try await wire.get(Self.authorize, Self.request.with(["auth_type": "reprompt"]))
            let form = try #require(again.text.firstMatch(of: #/name="ticket" value="([^"]+)"/#)?.1)
            let answer = try await wire.post(
                "https://nid.naver.com/emulator/consent",
                ["ticket": String(form), "user": "naver-1001", "decision": "approve", "item": "naver-1001 email"])
            #expect(answer.status == 303)
            #expect(try await Self.fields(wire, token) == ["email", "id", "name"])
        }
    }

    @Test func verificationNamesTheItems() async throws {
        let clock = ManualClock()
        try await withEmulator(EmulatorConfiguration(at: clock)) { emulator in
            let wire = Wire(emulator)
            let page = try await wire.get(Self.authorize, Self.request)
            let token = try await Self.access(wire, page, without: ["age", "profile_image"])
            let answer = try await wire.get(Self.verify, ["info": "true"], bearer: token)
            #expect(
                answer.json?["response"] == [
                    // An hour after 2025-06-15T15:06:40Z, in Korea.
                    "token": .string(token ?? ""), "expire_date": "2025-06-16 01:06:40",
                    "allowed_profile": "profile/id,profile/naveremail,profile/gender,profile/name,profile/nickname",
                ])
            #expect(try await wire.get(Self.verify, ["info": "false"], bearer: token).json?["response"] == nil)
        }
    }

    @Test(arguments: [true, false])
    func endedLinkIsForgotten(byRevocation: Bool) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let page = try await wire.get(Self.authorize, Self.request)
            let token = try await Self.access(wire, page, without: ["email"])
            let unused = try await wire.approve(try await wire.get(Self.authorize, Self.request))
            if byRevocation {
                let form: [String: String?] = [
                    "client_id": Self.naver.clientID, "client_secret": Self.naver.clientSecret, "token": token,
                ]
                #expect(try await wire.post("https://nid.naver.com/oauth2.0/revoke", form).status == 200)
            } else {
                await emulator.naver.unlink("naver-1001")
            }
            let next = try await wire.get(Self.authorize, Self.request)
            #expect(Self.boxes(next)["email"] == true)
            let late = try await wire.post(Self.token, Self.exchange(unused["code"]))
            #expect(late["error"] == "invalid_request")
        }
    }

    @Test func appAsksForItemsToo() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            for (items, fields) in [
                ("email gender", ["email", "gender", "id", "name"]), ("age", ["email", "gender", "id", "name"]),
            ] {
                let app = try await wire.post(
                    "https://nid.naver.com/emulator/app-code", Self.app.with(["items": items]))
                let code = try Callback(try #require(app["redirect"]))["authCode"]
                let tokens = try await wire.post(Self.token, Self.exchange(code).with(["state": nil]))
                #expect(try await Self.fields(wire, tokens["access_token"]) == fields)
            }
        }
    }

    // MARK: Revocation

    @Test(arguments: ["access_token", "refresh_token"])
    func revocationEndsThePairWithAnyHint(name: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let tokens = try await Self.tokens(wire)
            let form: [String: String?] = [
                "client_id": Self.naver.clientID, "client_secret": Self.naver.clientSecret, "token": tokens[name],
                "token_type_hint": "access_token",
            ]
            for changes in [[:], ["token": "never issued"]] as [[String: String?]] {
                let answer = try await wire.post("https://nid.naver.com/oauth2.0/revoke", form.with(changes))
                #expect(answer.status == 200 && answer.body.isEmpty)
            }
            #expect(try await wire.get(Self.me, bearer: tokens["access_token"])["resultcode"] == "024")
            let refresh = Self.exchange(nil).with([
                "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"],
            ])
            #expect(try await wire.post(Self.token, refresh)["error"] == "invalid_request")
        }
    }

    @Test(
        arguments: [
            (["token": nil], 400, "invalid_request"), (["client_secret": nil], 400, "invalid_request"),
            (["client_secret": "wrong"], 401, "unauthorized_client"),
        ] as [([String: String?], Int, String)])
    func wrongRevocationHasAStatus(changes: [String: String?], status: Int, error: String) async throws {
        try await withEmulator { emulator in
            let form: [String: String?] = [
                "client_id": Self.naver.clientID, "client_secret": Self.naver.clientSecret, "token": "any",
            ]
            let answer = try await Wire(emulator).post("https://nid.naver.com/oauth2.0/revoke", form.with(changes))
            #expect(answer.status == status && answer["error"] == error && answer["error_description"] != nil)
        }
    }
}
