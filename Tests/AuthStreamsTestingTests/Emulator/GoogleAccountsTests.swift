import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct GoogleAccountsTests {
    private static let google = EmulatorConfiguration().google
    private static let authorize = "https://accounts.google.com/o/oauth2/v2/auth"
    private static let token = "https://oauth2.googleapis.com/token"
    private static let redirectURI = "http://127.0.0.1:51234/callback"
    private static let iOSRedirectURI = "com.googleusercontent.apps.1001-ios:/oauth2callback"
    private static let request: [String: String?] = [
        "client_id": google.desktop.id, "redirect_uri": redirectURI, "response_type": "code",
        "scope": "openid email profile", "state": "state-1", "nonce": "nonce-1", "code_challenge": Pair.challenge,
        "code_challenge_method": "S256",
    ]

    private static func exchange(_ code: String?) -> [String: String?] {
        [
            "grant_type": "authorization_code", "client_id": google.desktop.id,
            "client_secret": google.desktop.secret, "redirect_uri": redirectURI, "code": code,
            "code_verifier": Pair.verifier,
        ]
    }

    private static func code(_ wire: Wire, _ changes: [String: String?] = [:]) async throws -> String {
        let callback = try await wire.approve(try await wire.get(authorize, request.with(changes)))
        return try #require(callback["code"])
    }

    @Test func anApprovedSignInEndsInTokensOfThatPerson() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let user = Self.google.users[1]
            let callback = try await wire.approve(try await wire.get(Self.authorize, Self.request), user: user.id)
            #expect(callback.target == Self.redirectURI)
            #expect(callback["state"] == "state-1")

            let answer = try await wire.post(Self.token, Self.exchange(callback["code"]))
            #expect(answer.status == 200)
            #expect(answer["token_type"] == "Bearer")
            #expect(answer.json?["expires_in"] == 3599)
            let names = ["userinfo.email", "userinfo.profile"].map { "https://www.googleapis.com/auth/\($0)" }
            #expect(answer["scope"] == (names + ["openid"]).joined(separator: " "))
            let claims = try answer.claims("id_token")
            #expect(claims["iss"]?.string == emulator.url(for: "https://accounts.google.com").absoluteString)
            #expect(claims["aud"]?.string == Self.google.desktop.id)
            #expect(claims["azp"]?.string == Self.google.desktop.id)
            #expect(claims["sub"]?.string == user.id)
            #expect(claims["nonce"] == "nonce-1")
            #expect(claims["email_verified"] == true)

            let info = try await wire.get(
                "https://openidconnect.googleapis.com/v1/userinfo", bearer: answer["access_token"])
            #expect(info["sub"] == user.id)
            #expect(info["given_name"] == "Alex")
        }
    }

    @Test func aPhonesClientHasNoSecret() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let client: [String: String?] = ["client_id": Self.google.iOS.id, "redirect_uri": Self.iOSRedirectURI]
            let code = try await Self.code(wire, client)
            let form = Self.exchange(code).with(client).with(["client_secret": nil])
            #expect(try await wire.post(Self.token, form).status == 200)
        }
    }

    @Test func aServersClientMayAuthenticateByHeader() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let redirectURI: [String: String?] = ["redirect_uri": "https://app.example/google"]
            let code = try await Self.code(wire, redirectURI.with(["client_id": Self.google.web.id]))
            let form = Self.exchange(code).with(redirectURI).with(["client_id": nil, "client_secret": nil])
            let credentials = Data("\(Self.google.web.id):\(Self.google.web.secret ?? "")".utf8).base64EncodedString()
            let answer = try await wire.post(Self.token, form, headers: [.authorization: "Basic \(credentials)"])
            #expect(answer.status == 200)
        }
    }

    @Test func aServerNamedAsAudienceGetsTheTokenAndACode() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            let answer = try await wire.post(
                Self.token, Self.exchange(code).with(["audience": Self.google.web.id]))
            #expect(try answer.claims("id_token")["aud"]?.string == Self.google.web.id)
            #expect(try answer.claims("id_token")["azp"]?.string == Self.google.desktop.id)
            let server = try await wire.post(
                Self.token,
                [
                    "grant_type": "authorization_code", "client_id": Self.google.web.id,
                    "client_secret": Self.google.web.secret, "code": answer["server_code"],
                ])
            #expect(server["refresh_token"] != nil)
        }
    }

    @Test func anAudienceIsAServerOfTheSameProjectOrRefusedBeforeTheCodeIsUsed() async throws {
        var configuration = EmulatorConfiguration()
        let stranger = EmulatorConfiguration.Google.Client(
            id: "2002-web.apps.googleusercontent.com", secret: "s",
            kind: .web(redirectURIs: ["https://other.example/google"]))
        configuration.google.others = [stranger]
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            for audience in [stranger.id, "unknown", Self.google.iOS.id, Self.google.desktop.id] {
                let answer = try await wire.post(Self.token, Self.exchange(code).with(["audience": audience]))
                #expect(answer.status == 400)
                #expect(answer["error"] == "invalid_audience")
            }
            let audience: [String: String?] = ["audience": Self.google.web.id]
            #expect(try await wire.post(Self.token, Self.exchange(code).with(audience)).status == 200)
        }
    }

    @Test func aRefusalGoesBackWithTheState() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let callback = try await wire.deny(try await wire.get(Self.authorize, Self.request))
            let issuer = emulator.url(for: "https://accounts.google.com").absoluteString
            #expect(callback.parameters == ["error": "access_denied", "state": "state-1", "iss": issuer])
        }
    }

    @Test(
        arguments: [
            (["client_id": "unknown"], "invalid_client", 401),
            (["redirect_uri": "http://127.0.0.1.evil.example/callback"], "redirect_uri_mismatch", 400),
            (["redirect_uri": "https://127.0.0.1:51234/callback"], "redirect_uri_mismatch", 400),
            (["client_id": google.iOS.id], "redirect_uri_mismatch", 400),
            (
                ["client_id": google.iOS.id, "redirect_uri": "com.googleusercontent.apps.1001-ios://oauth2callback"],
                "redirect_uri_mismatch", 400
            ),
            (["client_id": google.web.id], "redirect_uri_mismatch", 400),
            (["response_type": "token"], "invalid_request", 400),
            (["scope": nil], "invalid_request", 400),
            (["code_challenge_method": "S512"], "invalid_request", 400),
        ] as [([String: String?], String, Int)])
    func aWrongRequestIsAPageThatLeadsNowhere(
        changes: [String: String?], code: String, status: Int
    ) async throws {
        try await withEmulator { emulator in
            let page = try await Wire(emulator).get(Self.authorize, Self.request.with(changes))
            #expect(page.isDeadEnd)
            #expect(page.status == status)
            #expect(page.text.contains(code))
        }
    }

    @Test func aCodeWorksOnceAndNotForLong() async throws {
        let clock = ManualClock()
        try await withEmulator(EmulatorConfiguration(at: clock)) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            #expect(try await wire.post(Self.token, Self.exchange(code)).status == 200)
            let second = try await wire.post(Self.token, Self.exchange(code))
            #expect(second.status == 400)
            #expect(second["error"] == "invalid_grant")
            let late = try await Self.code(wire)
            clock.advance(by: .seconds(301))
            #expect(try await wire.post(Self.token, Self.exchange(late))["error"] == "invalid_grant")
        }
    }

    @Test(
        arguments: [
            (["client_id": "unknown"], 401, "invalid_client"),
            (["client_id": nil], 400, "invalid_request"),
            (["client_secret": "wrong"], 401, "invalid_client"),
            (["client_secret": nil], 400, "invalid_request"),
            (["code_verifier": "x" + Pair.verifier.dropFirst()], 400, "invalid_grant"),
            (["code_verifier": nil], 400, "invalid_grant"),
            (["redirect_uri": "http://127.0.0.1:51235/callback"], 400, "redirect_uri_mismatch"),
            (["grant_type": "password"], 400, "unsupported_grant_type"),
            (["code": nil], 400, "invalid_request"),
            (["client_id": google.web.id, "client_secret": google.web.secret], 400, "invalid_grant"),
        ] as [([String: String?], Int, String)])
    func aWrongExchangeIsRefused(changes: [String: String?], status: Int, error: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let form = Self.exchange(try await Self.code(wire)).with(changes)
            let answer = try await wire.post(Self.token, form)
            #expect(answer.status == status)
            #expect(answer["error"] == error)
        }
    }

    @Test func aVerifierForACodeWithoutChallengeIsRefused() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire, ["code_challenge": nil, "code_challenge_method": nil])
            #expect(try await wire.post(Self.token, Self.exchange(code))["error"] == "invalid_grant")
        }
    }

    @Test func refreshingKeepsTheRefreshTokenUntilItIsRevoked() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let tokens = try await wire.post(Self.token, Self.exchange(try await Self.code(wire)))
            let refresh = Self.exchange(nil).with([
                "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"],
            ])
            let refreshed = try await wire.post(Self.token, refresh)
            #expect(refreshed.status == 200)
            #expect(refreshed["refresh_token"] == nil)

            let revoke = "https://oauth2.googleapis.com/revoke"
            #expect(try await wire.post(revoke, ["token": tokens["access_token"]]).status == 200)
            let again = try await wire.post(revoke, ["token": tokens["access_token"]])
            #expect(again.status == 400)
            #expect(again["error"] == "invalid_token")
            #expect(try await wire.post(Self.token, refresh)["error"] == "invalid_grant")
            let info = try await wire.get(
                "https://openidconnect.googleapis.com/v1/userinfo", bearer: refreshed["access_token"])
            #expect(info.status == 401)
            #expect(info["error"] == "invalid_token")
        }
    }
}
