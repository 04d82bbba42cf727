import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

@Suite struct AppleAccountTests {
    private static let apple = EmulatorConfiguration().apple
    private static let authorize = "https://appleid.apple.com/auth/authorize"
    private static let token = "https://appleid.apple.com/auth/token"

    /// The request of an app, with the relay where this emulator serves it.
    private static func request(_ wire: Wire) -> [String: String?] {
        [
            "client_id": apple.servicesID, "redirect_uri": relay(wire), "response_type": "code id_token",
            "response_mode": "form_post", "scope": "name email", "state": "state-1", "nonce": "hashed-nonce",
        ]
    }

    private static func relay(_ wire: Wire) -> String {
        wire.emulator.url(for: "https://apple-relay.example/callback").absoluteString
    }

    /// Answers the page, and continues as a browser does: the next page posts itself to the relay.
    ///
    /// - Parameter choice: The value of a radio button, such as that of a person or `hide`.
    private static func callback(
        _ wire: Wire, _ page: AuthHTTPResponse, _ decision: String, choosing choice: String? = nil
    ) async throws -> Callback {
        let post = try await wire.answer(page, decision, user: choice)
        let form = try #require(HTMLPage(post.text).forms.first)
        #expect(form.action == relay(wire))
        let fields = try #require(form.fields(pressing: nil, choosing: nil))
        return try Callback(
            try await wire.post(relay(wire), Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }))
    }

    private static func signIn(_ wire: Wire) async throws -> Callback {
        try await callback(wire, try await wire.get(authorize, request(wire)), "approve")
    }

    private static func exchange(_ wire: Wire, _ code: String?) -> [String: String?] {
        [
            "grant_type": "authorization_code", "client_id": apple.servicesID, "code": code,
            "client_secret": apple.clientSecret(for: apple.servicesID, now: Date()), "redirect_uri": relay(wire),
        ]
    }

    @Test func theAnswerIsPostedToTheRelayAndHandedToTheApp() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let callback = try await Self.signIn(wire)
            #expect(callback.target == Self.apple.relayCallback)
            #expect(callback.parameters.keys.sorted() == ["code", "id_token", "state", "user"])
            #expect(callback["state"] == "state-1")
            let claims = try #require(JSONWebToken(Secret(callback["id_token"] ?? ""))).claims
            #expect(claims["iss"]?.string == emulator.url(for: "https://appleid.apple.com").absoluteString)
            #expect(claims["aud"]?.string == Self.apple.servicesID)
            #expect(claims["sub"]?.string == Self.apple.users[0].id)
            #expect(claims["nonce"] == "hashed-nonce")
            #expect(claims["nonce_supported"] == true)
            #expect(claims["email"]?.string == Self.apple.users[0].email)
            #expect(claims["email_verified"] == .string("true"))
        }
    }

    @Test func nameAndEmailAreToldOnce() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let first = try #require(try await Self.signIn(wire)["user"])
            let profile = try JSONDecoder().decode(AuthJSON.self, from: Data(first.utf8))
            #expect(
                profile == [
                    "name": ["firstName": "민지", "lastName": "김"], "email": "minji.kim@icloud.example",
                ])
            #expect(try await Self.signIn(wire)["user"] == nil)
        }
    }

    /// Text on the web, and the same address in each token and for the app's own client.
    @Test func hiddenAddressIsAnotherOneThatStays() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            func email(_ token: String?) throws -> [AuthJSON?] {
                let claims = try #require(JSONWebToken(Secret(token ?? ""))).claims
                return [claims["email"], claims["is_private_email"]]
            }
            let page = try await wire.get(Self.authorize, Self.request(wire))
            let first = try await Self.callback(wire, page, "approve", choosing: "hide")
            let profile = try #require(AuthJSON(json: Data((first["user"] ?? "").utf8)))
            let address = try #require(profile["email"]?.string)
            #expect(address.hasSuffix("@private.icloud.example") && address != Self.apple.users[0].email)
            let hidden: [AuthJSON?] = [.string(address), "true"]
            #expect(try email(first["id_token"]) == hidden)
            let tokens = try await wire.post(Self.token, Self.exchange(wire, first["code"]))
            #expect(try email(tokens["id_token"]) == hidden)
            // The page's default is to share.
            #expect(try email(try await Self.signIn(wire)["id_token"]) == hidden)
            let sheet = try await wire.post(
                "https://appleid.apple.com/emulator/sheet",
                ["client_id": Self.apple.bundleID, "scope": "email", "email": "share"])
            #expect(try email(sheet["identityToken"]) == [.string(address), true])
            #expect(sheet["email"] == address)
        }
    }

    @Test func relayAddressIsOfThePersonAndTheTeam() async throws {
        var addresses: [String?] = []
        for (team, user) in [("TEAM1", 0), ("TEAM1", 0), ("TEAM1", 1), ("TEAM2", 0)] {
            var configuration = EmulatorConfiguration()
            configuration.apple.teamID = team
            let person = configuration.apple.users[user].id
            try await withEmulator(configuration) { emulator in
                let sheet = try await Wire(emulator).post(
                    "https://appleid.apple.com/emulator/sheet",
                    ["client_id": Self.apple.bundleID, "user": person, "scope": "email", "email": "hide"])
                addresses.append(sheet["email"])
            }
        }
        #expect(addresses[0] != nil && addresses[0] == addresses[1] && Set(addresses).count == 3)
    }

    @Test func requestWithoutEmailAsksForNoChoice() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let asked = try await wire.get(Self.authorize, Self.request(wire))
            #expect(asked.text.contains("Hide my email"))
            let other = try await wire.get(Self.authorize, Self.request(wire).with(["scope": "name"]))
            #expect(other.status == 200 && !other.text.contains("Hide my email"))
        }
    }

    @Test func choiceOfTheAddressIsMadeWhenItIsFirstAskedFor() async throws {
        var configuration = EmulatorConfiguration()
        configuration.apple.users.removeLast()
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let nameAlone = try await wire.get(Self.authorize, Self.request(wire).with(["scope": "name"]))
            _ = try await Self.callback(wire, nameAlone, "approve")
            let page = try await wire.get(Self.authorize, Self.request(wire))
            let hidden = try await Self.callback(wire, page, "approve", choosing: "hide")
            let claims = try #require(JSONWebToken(Secret(hidden["id_token"] ?? ""))).claims
            #expect(claims["email"]?.string?.hasSuffix("@private.icloud.example") == true)
            let later = try await wire.get(Self.authorize, Self.request(wire))
            #expect(later.status == 200 && !later.text.contains("Hide my email"))
        }
    }

    @Test func afterRevocationNameAndEmailAreToldAgain() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let code = try await Self.signIn(wire)["code"]
            let tokens = try await wire.post(Self.token, Self.exchange(wire, code))
            let unused = try await Self.signIn(wire)["code"]
            let form: [String: String?] = Self.exchange(wire, nil).with([
                "grant_type": nil, "redirect_uri": nil, "token": tokens["refresh_token"],
                "token_type_hint": "refresh_token",
            ])
            for _ in 1...2 {
                let revoked = try await wire.post("https://appleid.apple.com/auth/revoke", form)
                #expect(revoked.status == 200)
                #expect(revoked.body.isEmpty)
            }
            let refresh = Self.exchange(wire, nil).with([
                "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"],
            ])
            #expect(try await wire.post(Self.token, refresh)["error"] == "invalid_grant")
            let late = try await wire.post(Self.token, Self.exchange(wire, unused))
            #expect(late["error"] == "invalid_grant")
            #expect(try await Self.signIn(wire)["user"] != nil)
        }
    }

    @Test func aRefusalIsUserCancelledAuthorize() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let page = try await wire.get(Self.authorize, Self.request(wire))
            let callback = try await Self.callback(wire, page, "deny")
            #expect(callback.parameters == ["error": "user_cancelled_authorize", "state": "state-1"])
        }
    }

    @Test func withoutScopesTheAnswerMayBeInTheQuery() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let changes: [String: String?] = ["scope": nil, "response_type": "code", "response_mode": "query"]
            let page = try await wire.get(Self.authorize, Self.request(wire).with(changes))
            let callback = try await wire.approve(page)
            #expect(callback.target == Self.relay(wire))
            #expect(callback.parameters.keys.sorted() == ["code", "state"])
        }
    }

    @Test(
        arguments: [
            (["client_id": "com.example.other"], "invalid_client"),
            (["client_id": apple.bundleID], "invalid_client"),
            (["redirect_uri": "https://evil.example/callback"], "redirect"),
            (["response_type": "id_token"], "unsupported_response_type"),
            (["response_mode": "query", "response_type": "code"], "form_post"),
            (["response_mode": nil], "form_post"),
            (["response_mode": "query", "scope": nil], "Invalid response mode"),
            (["scope": "name phone"], "invalid_scope"),
        ] as [([String: String?], String)])
    func aWrongRequestIsAPageThatLeadsNowhere(changes: [String: String?], message: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let page = try await wire.get(Self.authorize, Self.request(wire).with(changes))
            #expect(page.isDeadEnd)
            #expect(page.text.contains(message))
        }
    }

    @Test func aServerExchangesTheCodeOnce() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let form = Self.exchange(wire, try await Self.signIn(wire)["code"])
            let answer = try await wire.post(Self.token, form)
            #expect(answer.status == 200)
            #expect(answer["token_type"] == "Bearer")
            #expect(answer.json?["expires_in"] == 3600)
            #expect(try answer.claims("id_token")["nonce"] == "hashed-nonce")
            let second = try await wire.post(Self.token, form)
            #expect(second.status == 400)
            #expect(second["error"] == "invalid_grant")
        }
    }

    @Test func aCodeExpiresAfterFiveMinutes() async throws {
        let clock = ManualClock()
        let configuration = EmulatorConfiguration(at: clock)
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.signIn(wire)["code"]
            clock.advance(by: .seconds(300))
            let secret = Self.apple.clientSecret(for: Self.apple.servicesID, now: configuration.clock.date)
            let form = Self.exchange(wire, code).with(["client_secret": secret])
            #expect(try await wire.post(Self.token, form)["error"] == "invalid_grant")
        }
    }

    @Test(
        arguments: [
            (["client_secret": nil], "invalid_client"),
            (["client_secret": "secret"], "invalid_client"),
            (["client_secret": apple.clientSecret(for: apple.bundleID, now: .now)], "invalid_client"),
            (["client_secret": apple.clientSecret(for: apple.servicesID, now: .now - 600)], "invalid_client"),
            (
                ["client_secret": apple.clientSecret(for: apple.servicesID, now: .now, lifetime: 15_877_000)],
                "invalid_client"
            ),
            (["redirect_uri": nil], "invalid_grant"),
            (["code": "unknown"], "invalid_grant"),
            (["code": nil], "invalid_request"),
            (["grant_type": "password"], "unsupported_grant_type"),
            (
                // Lives long: it is made before the first test begins.
                [
                    "client_id": apple.bundleID,
                    "client_secret": apple.clientSecret(for: apple.bundleID, now: .now, lifetime: 1_000_000),
                ],
                "invalid_grant"
            ),
            (
                // Made long ago, for longer than six months, of which fewer are left.
                [
                    "client_id": apple.bundleID,
                    "client_secret": apple.clientSecret(
                        for: apple.bundleID, now: .now - 2_000_000, lifetime: 16_777_000),
                ],
                "invalid_grant"
            ),
        ] as [([String: String?], String)])
    func aWrongExchangeIsA400(changes: [String: String?], error: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let form = Self.exchange(wire, try await Self.signIn(wire)["code"]).with(changes)
            let answer = try await wire.post(Self.token, form)
            #expect(answer.status == 400)
            #expect(answer["error"] == error)
        }
    }

    @Test func theRelayGoesNowhereElse() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let answer = try await wire.post(
                Self.relay(wire), ["code": "c", "state": "s", "redirect_uri": "https://evil.example", "next": "x"])
            let callback = try Callback(answer)
            #expect(callback.target == Self.apple.relayCallback)
            #expect(callback.parameters == ["code": "c", "state": "s"])
        }
    }
}
