import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

/// What a person agrees to at Kakao, and what the app's client and server see of it.
@Suite struct KakaoConsentTests {
    private static let kakao = EmulatorConfiguration().kakao
    private static let api = "https://kapi.kakao.com"
    private static let authorize = "https://kauth.kakao.com/oauth/authorize"
    private static let page: [String: String?] = [
        "client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI, "response_type": "code",
    ]
    private static let adminKey: [HeaderName: String] = [.authorization: "KakaoAK \(kakao.adminKey)"]

    private static func target(_ id: String = "1001") -> [String: String?] {
        ["target_id_type": "user_id", "target_id": id]
    }

    /// The tokens of a person who agrees on the page.
    private static func tokens(
        _ wire: Wire, _ changes: [String: String?] = [:], user: String? = nil, without leftOut: Set<String> = []
    ) async throws -> AuthHTTPResponse {
        let answer = try await wire.approve(
            try await wire.get(authorize, page.with(changes)), user: user, without: leftOut)
        return try await wire.kakaoTokens(answer["code"])
    }

    // MARK: The admin key

    @Test(arguments: ["/v2/user/me", "/v2/user/revoke/scopes", "/v1/user/logout", "/v1/user/unlink"])
    func theAdminKeyReachesOnlyLinkedPeople(path: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let unlinked: AuthJSON = ["msg": "NotRegisteredUserException", "code": -101]
            func call(_ id: String) async throws -> AuthHTTPResponse {
                let form = Self.target(id).with(["scopes": #"["account_email"]"#])
                return try await wire.post(Self.api + path, form, headers: Self.adminKey)
            }
            for id in ["1001", "9999"] {
                let answer = try await call(id)
                #expect(answer.status == 400 && answer.json == unlinked)
            }
            _ = try await Self.tokens(wire)
            let answer = try await call("1001")
            #expect(answer.status == 200 && answer.json?["id"] == 1001)
            guard path.hasSuffix("unlink") else { return }
            #expect(try await call("1001").json == unlinked)
        }
    }

    @Test func theAdminKeyLogsAPersonOutOfEveryDevice() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let devices = [try await Self.tokens(wire), try await Self.tokens(wire)]
            let other = try await Self.tokens(wire, user: "1002")
            let answer = try await wire.post("\(Self.api)/v1/user/logout", Self.target(), headers: Self.adminKey)
            #expect(answer.json == ["id": 1001])
            for device in devices {
                let me = try await wire.get("\(Self.api)/v2/user/me", bearer: device["access_token"])
                #expect(me.status == 401 && me.headers["www-authenticate"] == "Bearer error=invalid_token")
            }
            #expect(try await wire.get("\(Self.api)/v2/user/me", bearer: other["access_token"]).status == 200)
            // The link stays.
            let me = try await wire.get("\(Self.api)/v2/user/me", Self.target(), headers: Self.adminKey)
            #expect(me.json?["kakao_account"]?["email"] == "minji@kakao.example")
        }
    }

    @Test func aWrongAdminKeyIsMinus401() async throws {
        try await withEmulator { emulator in
            let answer = try await Wire(emulator).get(
                "\(Self.api)/v2/user/me", Self.target(), headers: [.authorization: "KakaoAK wrong"])
            #expect(answer.status == 401 && answer.json == ["msg": "wrong appKey(wrong) format", "code": -401])
            #expect(answer.headers["www-authenticate"] == "Bearer error=invalid_token")
        }
    }

    // MARK: Consents

    @Test func aWithdrawalShowsAtOnce() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let token = try await Self.tokens(wire)["access_token"]
            let revoke = "\(Self.api)/v2/user/revoke/scopes"
            let answer = try await wire.post(revoke, ["scopes": #"["account_email"]"#], bearer: token)
            let email: AuthJSON = [
                "id": "account_email", "display_name": "카카오계정(이메일)", "type": "PRIVACY", "using": true, "agreed": false,
            ]
            #expect(answer.json?["id"] == 1001 && answer.json?["scopes"]?.array?.first == email)
            #expect(answer.json?["scopes"]?.array?.count == 3)
            let me = try await wire.get("\(Self.api)/v2/user/me", bearer: token)
            #expect(me.json?["kakao_account"]?["email_needs_agreement"] == true)
            #expect(me.json?["kakao_account"]?["email"] == nil)
            #expect(me.json?["kakao_account"]?["profile"]?["nickname"] == "김민지")
            #expect(try await wire.get("\(Self.api)/v1/oidc/userinfo", bearer: token).json?["email"] == nil)
            // A log-in that names no scope does not ask for it again.
            #expect(try await Self.tokens(wire).claims("id_token")["email"] == nil)
            let again = try await wire.post(revoke, ["scopes": "account_email"], bearer: token)
            let reason = "There is no scopes to revoke. check out if given scope id([account_email]) is correct again."
            #expect(again.status == 400 && again.json == ["msg": .string(reason), "code": -2])
        }
    }

    @Test func aRequiredScopeIsNotWithdrawn() async throws {
        var configuration = EmulatorConfiguration()
        configuration.kakao.requiredScopes = ["account_email"]
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let token = try await Self.tokens(wire)["access_token"]
            let answer = try await wire.post(
                "\(Self.api)/v2/user/revoke/scopes", ["scopes": #"["account_email", "profile_image"]"#], bearer: token)
            let reason = "[account_email] is not revocable. check out if it's set as required on developers.kakao.com"
            #expect(answer.status == 403 && answer.json == ["msg": .string(reason), "code": -3])
        }
    }

    @Test func theListSaysWhatIsAgreedToAndRevocable() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let token = try await Self.tokens(wire, without: ["profile_image"])["access_token"]
            func list(_ filter: String?) async throws -> [AuthJSON] {
                let answer = try await wire.get("\(Self.api)/v2/user/scopes", ["scopes": filter], bearer: token)
                return answer.json?["scopes"]?.array ?? []
            }
            let all = try await list(nil)
            #expect(all.compactMap { $0["id"] } == ["account_email", "profile_image", "profile_nickname"])
            #expect(all.compactMap { $0["agreed"] } == [true, false, true])
            #expect(all.map { $0["revocable"] } == [true, nil, false])
            for filter in [#"["profile_image", "account_email"]"#, "profile_image,account_email"] {
                #expect(try await list(filter) == Array(all.prefix(2)))
            }
        }
    }

    @Test func aFurtherConsentIsAddedToTheEarlierOnes() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let first = try await Self.tokens(wire, without: ["account_email", "profile_image"])
            #expect(first["scope"] == "openid profile_nickname" && first["id_token"] != nil)
            let second = try await Self.tokens(wire, ["scope": "account_email"])
            #expect(second["scope"] == "account_email profile_nickname" && second["id_token"] == nil)
            // The earlier token sees it, too.
            let me = try await wire.get("\(Self.api)/v2/user/me", bearer: first["access_token"])
            #expect(me.json?["kakao_account"]?["email"] == "minji@kakao.example")
        }
    }

    @Test func aRequestThatMayNotAskNeedsASessionAndEveryConsent() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            func silent(_ cookie: String?, _ changes: [String: String?] = [:]) async throws -> Callback {
                let request = Self.page.with(["prompt": "none"]).with(changes)
                let headers: [HeaderName: String] = cookie.map { ["Cookie": "a=b; \($0)"] } ?? [:]
                return try Callback(try await wire.get(Self.authorize, request, headers: headers))
            }
            let answer = try await wire.answer(
                try await wire.get(Self.authorize, Self.page), "approve", without: ["account_email"])
            let session = answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init)
            let refused = ["error": "login_required", "error_description": "user login is required."]
            #expect(try await silent(nil).parameters == refused)
            let unlinked = ["error": "consent_required", "error_description": "user consent required."]
            #expect(try await silent(session).parameters == unlinked)
            _ = try await wire.kakaoTokens(try Callback(answer)["code"])
            let granted = try await wire.kakaoTokens(try await silent(session)["code"])
            #expect(granted["scope"] == "openid profile_image profile_nickname")
            #expect(try await silent(session, ["scope": "account_email"]).parameters == unlinked)
            let logOut = "https://kauth.kakao.com/oauth/logout"
            let request: [String: String?] = [
                "client_id": Self.kakao.restAPIKey, "logout_redirect_uri": Self.kakao.logoutRedirectURIs[0],
                "state": "s",
            ]
            let out = try await wire.get(logOut, request)
            #expect(out.status == 302 && out.headers["location"] == "https://app.example/kakao?state=s")
            let ended = out.headers["set-cookie"]?.split(separator: ";").first.map(String.init)
            #expect(try await silent(ended).parameters == refused)
            let elsewhere = try await wire.get(logOut, request.with(["logout_redirect_uri": "https://evil.example"]))
            #expect(elsewhere.isDeadEnd && elsewhere.text.contains("KOE007"))
        }
    }

    @Test func kakaoTalkTakesTheScopesThatThePersonAgreesTo() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let form: [String: String?] = [
                "client_id": Self.kakao.nativeAppKey, "redirect_uri": Self.kakao.nativeRedirectURI,
                "decision": "approve", "items": "profile_image",
            ]
            let answer = try await wire.post("https://talk-apps.kakao.com/emulator/code", form)
            let tokens = try await wire.kakaoTokens(try Callback(try #require(answer["redirect"]))["code"])
            #expect(tokens["scope"] == "openid profile_image profile_nickname")
        }
    }

    // MARK: A missing consent

    @Test func aTicketOpensThePageForTheMissingConsent() async throws {
        var configuration = EmulatorConfiguration()
        configuration.kakao.scopes.insert("friends")
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            _ = try await Self.tokens(wire, user: "1002")
            let token = try await Self.tokens(wire, without: ["friends", "account_email"])["access_token"]
            let missing = try await wire.get("\(Self.api)/v1/api/talk/friends", bearer: token)
            #expect(
                missing.json == [
                    "msg": "insufficient scopes.", "code": -402, "required_scopes": ["friends"],
                    "allowed_scopes": ["profile_image", "profile_nickname"],
                ])
            #expect(missing.status == 403)
            let form = ["client_id": Self.kakao.nativeAppKey, "access_token": token]
            let ticket = try await wire.post("https://kauth.kakao.com/api/agt", form)["agt"]
            let request = Self.page.with(["agt": ticket, "scope": "friends"])
            let page = try await wire.get(Self.authorize, request)
            #expect(page.text.contains("김민지") && !page.text.contains("Alex"))
            let tokens = try await wire.kakaoTokens(try await wire.approve(page)["code"])
            #expect(tokens["scope"] == "friends profile_image profile_nickname")
            let friends = try await wire.get("\(Self.api)/v1/api/talk/friends", bearer: tokens["access_token"])
            #expect(friends.json?["total_count"] == 1 && friends.json?["elements"]?.array?.first?["id"] == 1002)
            // A ticket works once, and only for the person whom its page shows.
            #expect(try await wire.get(Self.authorize, request).text.contains("KOE204"))
            let other = try await wire.post("https://kauth.kakao.com/api/agt", form)["agt"]
            let second = try await wire.get(Self.authorize, request.with(["agt": other]))
            let html = try #require(HTMLPage(second.text).forms.first)
            let button = html.buttons.first { $0.value == "approve" }
            let fields = try #require(html.fields(pressing: button, choosing: nil))
            let changed = fields.map { ($0.name, $0.name == "user" ? "1002" : $0.value) }
            let answer = try await wire.post(
                "https://kauth.kakao.com/emulator/consent", Dictionary(changed) { first, _ in first })
            #expect(answer.isDeadEnd)
            #expect(try await wire.post("https://kauth.kakao.com/api/agt", ["access_token": token]).status == 400)
        }
    }

    @Test func ticketIsNoCodeAndCodeIsNoTicket() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let key = Self.kakao.nativeAppKey
            let token = try await Self.tokens(wire)["access_token"]
            let form = ["client_id": key, "access_token": token]
            let ticket = try await wire.post("https://kauth.kakao.com/api/agt", form)["agt"]
            #expect(ticket != nil)
            for address in [Self.kakao.nativeRedirectURI, "agt \(key)"] {
                let answer = try await wire.kakaoTokens(ticket, ["redirect_uri": address])
                #expect(answer["error_code"] == "KOE320")
            }
            let callback = try await wire.approve(try await wire.get(Self.authorize, Self.page))
            let page = try await wire.get(Self.authorize, Self.page.with(["agt": callback["code"]]))
            #expect(page.text.contains("KOE204"))
            let tokens = try await wire.kakaoTokens(callback["code"])
            #expect(tokens.status == 200)
        }
    }

    @Test func codeDoesNotOutliveTheLink() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            _ = try await Self.tokens(wire)
            let callback = try await wire.approve(try await wire.get(Self.authorize, Self.page))
            await emulator.kakao.unlink("1001")
            let answer = try await wire.kakaoTokens(callback["code"])
            #expect(answer["error_code"] == "KOE320")
            #expect(!emulator.kakao.isLinked("1001"))
        }
    }

    @Test func withdrawalCountsForCodesThatWereIssuedBefore() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let token = try await Self.tokens(wire)["access_token"]
            let callback = try await wire.approve(try await wire.get(Self.authorize, Self.page))
            let withdrawal = try await wire.post(
                "\(Self.api)/v2/user/revoke/scopes", ["scopes": #"["account_email"]"#], bearer: token)
            #expect(withdrawal.status == 200)
            let tokens = try await wire.kakaoTokens(callback["code"])
            #expect(tokens["scope"] == "openid profile_image profile_nickname")
        }
    }

    // MARK: What a person's data has

    @Test func propertyKeysChooseTheData() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let token = try await Self.tokens(wire)["access_token"]
            func me(_ keys: String) async throws -> AuthHTTPResponse {
                try await wire.post("\(Self.api)/v2/user/me", ["property_keys": keys], bearer: token)
            }
            #expect(
                try await me(#"["kakao_account.email"]"#).json == [
                    "id": 1001,
                    "kakao_account": [
                        "has_email": true, "email_needs_agreement": false, "is_email_valid": true,
                        "is_email_verified": true, "email": "minji@kakao.example",
                    ],
                ])
            #expect(
                try await me(#"["properties.nickname"]"#).json == ["id": 1001, "properties": ["nickname": "김민지"]])
            let profile = try await me(#"["kakao_account.profile", "id"]"#).json?["kakao_account"]
            #expect(profile?["profile"]?["nickname"] == "김민지" && profile?["email"] == nil)
            let unknown = try await me(#"["kakao_account.shoes"]"#)
            let reason = "user property not found ([kakao_account.shoes] for appId=1234567)"
            #expect(unknown.status == 400 && unknown.json == ["msg": .string(reason), "code": -201])
            #expect(try await me("kakao_account.email").json?["code"] == -2)
        }
    }

    @Test func anUnverifiedAddressIsInNoIDToken() async throws {
        var configuration = EmulatorConfiguration()
        configuration.kakao.users[0].isEmailVerified = false
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            for (user, isVerified) in [("1001", false), ("1002", true)] {
                let tokens = try await Self.tokens(wire, user: user)
                let claims = try tokens.claims("id_token")
                #expect((claims["email"] != nil) == isVerified && claims["email_verified"] == nil)
                let info = try await wire.get("\(Self.api)/v1/oidc/userinfo", bearer: tokens["access_token"])
                #expect(info.json?["email"] != nil && info.json?["email_verified"] == .bool(isVerified))
            }
        }
    }

    @Test func anIDTokenCanBeReadAtKakao() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let address = "https://kauth.kakao.com/oauth/tokeninfo"
            let tokens = try await Self.tokens(wire)
            let claims = try tokens.claims("id_token")
            #expect(try await wire.post(address, ["id_token": tokens["id_token"]]).json == claims)
            let bad = try await wire.post(address, ["id_token": "a.b.c"])
            #expect(bad.status == 400 && bad["error"] == "invalid_token" && bad["error_code"] == "KOE400")
            let metadata = try await wire.get("https://kauth.kakao.com/.well-known/openid-configuration")
            let names = metadata.json?["claims_supported"]?.array?.compactMap(\.string) ?? []
            #expect(Set(names).isSuperset(of: try #require(claims.object).keys))
        }
    }
}
