import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// What Google grants, and what it tells of its tokens.
@Suite(.limitedParallelization) struct GoogleInformationTests {
    private static let google = EmulatorConfiguration().google
    private static let authorize = "https://accounts.google.com/o/oauth2/v2/auth"
    private static let tokenInfo = "https://oauth2.googleapis.com/tokeninfo"
    private static let api = "https://www.googleapis.com/auth/"
    private static let client: [String: String?] = [
        "client_id": google.desktop.id, "redirect_uri": "http://127.0.0.1:51234/callback",
    ]
    private static let request = client.with(["response_type": "code", "scope": "openid email profile"])

    /// The callback of a sign-in, and the answer of the token endpoint.
    private static func signIn(
        _ wire: Wire, _ changes: [String: String?] = [:]
    ) async throws -> (callback: Callback, tokens: AuthHTTPResponse) {
        let callback = try await wire.approve(try await wire.get(authorize, request.with(changes)))
        let exchange: [String: String?] = [
            "grant_type": "authorization_code", "client_secret": google.desktop.secret, "code": callback["code"],
        ]
        return (callback, try await wire.post("https://oauth2.googleapis.com/token", client.with(exchange)))
    }

    private static func words(_ text: String?) -> Set<String> {
        Set((text ?? "").split(separator: " ").map(String.init))
    }

    @Test(
        arguments: [
            ("openid", ["openid"], []),
            ("email", ["openid", "\(api)userinfo.email"], ["email"]),
            ("\(api)userinfo.profile", ["openid", "\(api)userinfo.profile"], ["profile"]),
            ("\(api)drive.file", ["\(api)drive.file"], []),
            (
                "profile email openid", ["openid", "\(api)userinfo.email", "\(api)userinfo.profile"],
                ["email", "profile"]
            ),
        ] as [(String, Set<String>, Set<String>)])
    func addressAndProfileAreGrantedByTheirLongNames(
        asked: String, granted: Set<String>, shortNames: Set<String>
    ) async throws {
        try await withEmulator { emulator in
            let (callback, tokens) = try await Self.signIn(Wire(emulator), ["scope": asked])
            #expect(Self.words(callback["scope"]) == granted.union(shortNames))
            #expect(Self.words(tokens["scope"]) == granted)
            let claims = tokens["id_token"].flatMap { JSONWebToken(Secret($0)) }?.claims
            #expect((claims != nil) == granted.contains("openid"))
            #expect((claims?["email"] != nil) == shortNames.contains("email"))
            #expect((claims?["given_name"] != nil) == shortNames.contains("profile"))
        }
    }

    @Test(arguments: [
        ("openid foo bar", "{valid=[openid], invalid=[bar, foo]}"), ("foo", "{invalid=[foo]}"), ("Email", "[Email]"),
    ])
    func unknownScopeIsAPageThatLeadsNowhere(asked: String, message: String) async throws {
        try await withEmulator { emulator in
            let page = try await Wire(emulator).get(Self.authorize, Self.request.with(["scope": asked]))
            #expect(page.isDeadEnd && page.text.contains("Error 400: invalid_scope"))
            #expect(page.text.contains("Some requested scopes were invalid."))
            #expect(page.text.contains(message))
        }
    }

    @Test func everyRedirectNamesTheIssuer() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let issuer = emulator.url(for: "https://accounts.google.com").absoluteString
            let approved = try await wire.approve(try await wire.get(Self.authorize, Self.request))
            let denied = try await wire.deny(try await wire.get(Self.authorize, Self.request))
            let unseen = try Callback(try await wire.get(Self.authorize, Self.request.with(["prompt": "none"])))
            #expect([approved, denied, unseen].map { $0["iss"] } == [issuer, issuer, issuer])
            let discovery = try await wire.get("https://accounts.google.com/.well-known/openid-configuration")
            #expect(discovery.json?["authorization_response_iss_parameter_supported"] == true)
        }
    }

    /// `oauthlib` listens there unless it is told otherwise.
    @Test func programMayNameItsListenerLocalhost() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            for address in ["http://localhost:8080/", "http://localhost"] {
                let callback = try await wire.approve(
                    try await wire.get(Self.authorize, Self.request.with(["redirect_uri": address])))
                #expect(callback.target == address)
            }
            for address in ["http://localhost.evil.example/", "https://localhost:8080/", "http://localhost:0/"] {
                let page = try await wire.get(Self.authorize, Self.request.with(["redirect_uri": address]))
                #expect(page.isDeadEnd)
            }
        }
    }

    // MARK: Consents

    /// A person's sign-in at the app's server.
    private static func signInAtServer(
        _ wire: Wire, _ changes: [String: String?], user: String? = nil
    ) async throws -> (callback: Callback, tokens: AuthHTTPResponse) {
        let server: [String: String?] = ["client_id": google.web.id, "redirect_uri": "https://app.example/google"]
        let page = try await wire.get(authorize, request.with(server).with(changes))
        let callback = try await wire.approve(page, user: user)
        let exchange: [String: String?] = [
            "grant_type": "authorization_code", "client_secret": google.web.secret, "code": callback["code"],
        ]
        return (callback, try await wire.post("https://oauth2.googleapis.com/token", server.with(exchange)))
    }

    @Test func serverGetsARefreshTokenOnlyOfflineAndWithAConsent() async throws {
        try await withEmulator { emulator in
            let (wire, other) = (Wire(emulator), Self.google.users[1].id)
            let offline: [String: String?] = ["access_type": "offline"]
            let rows: [(changes: [String: String?], user: String?, prompt: String, hasToken: Bool)] = [
                (offline, nil, "consent", true), (offline, nil, "none", false), (offline, other, "consent", true),
                (["prompt": "consent"], nil, "consent", false),
                (offline.with(["prompt": "select_account"]), nil, "none", false),
                (offline.with(["prompt": "select_account consent"]), nil, "consent", true),
                (offline.with(["approval_prompt": "force"]), nil, "consent", true),
                (offline.with(["scope": "openid \(Self.api)drive.file"]), nil, "consent", true),
            ]
            for row in rows {
                let (callback, tokens) = try await Self.signInAtServer(wire, row.changes, user: row.user)
                #expect(callback["prompt"] == row.prompt)
                #expect(tokens.status == 200)
                #expect((tokens["refresh_token"] != nil) == row.hasToken)
            }
            let tokens = try await Self.signInAtServer(wire, [:]).tokens
            let told = try await wire.get(Self.tokenInfo, ["access_token": tokens["access_token"]])
            #expect(told["access_type"] == "online")
            _ = try await wire.post("https://oauth2.googleapis.com/revoke", ["token": tokens["access_token"]])
            let again = try await Self.signInAtServer(wire, offline)
            #expect(again.callback["prompt"] == "consent" && again.tokens["refresh_token"] != nil)
        }
    }

    @Test func revocationEndsTheTokensOfEachClientOfTheProject() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let program = try await Self.signIn(wire).tokens["access_token"]
            let server = try await Self.signInAtServer(wire, [:]).tokens["access_token"]
            let before = try await wire.get(Self.tokenInfo, ["access_token": server])
            #expect(before.status == 200)
            _ = try await wire.post("https://oauth2.googleapis.com/revoke", ["token": program])
            let after = try await wire.get(Self.tokenInfo, ["access_token": server])
            #expect(after["error"] == "invalid_token")
        }
    }

    @Test func programGetsARefreshTokenAtEachSignIn() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            for prompt in ["consent", "none"] {
                let (callback, tokens) = try await Self.signIn(wire)
                #expect(callback["prompt"] == prompt && tokens["refresh_token"] != nil)
            }
        }
    }

    @Test func earlierScopesOfTheProjectAreIncludedIfAskedFor() async throws {
        try await withEmulator { emulator in
            let (wire, drive) = (Wire(emulator), "\(Self.api)drive.file")
            _ = try await Self.signIn(wire, ["scope": "openid \(drive)"])
            let included: [String: String?] = ["include_granted_scopes": "true", "scope": "email"]
            for (changes, isIncluded) in [(["scope": "email"], false), (included, true)] {
                let (callback, tokens) = try await Self.signInAtServer(wire, changes)
                #expect(Self.words(tokens["scope"]).contains(drive) == isIncluded)
                #expect(Self.words(callback["scope"]).contains(drive) == isIncluded)
            }
            let other = try await Self.signInAtServer(wire, included, user: Self.google.users[1].id).tokens
            #expect(!Self.words(other["scope"]).contains(drive))
        }
    }

    @Test func scopeThatThePersonLeavesOutIsNotGranted() async throws {
        try await withEmulator { emulator in
            let (wire, drive, files) = (Wire(emulator), "\(Self.api)drive.file", "\(Self.api)drive.readonly")
            func leaveOut(_ scopes: Set<String>, of asked: String, _ changes: [String: String?] = [:]) async throws
                -> Callback
            {
                let request = Self.request.with(["scope": asked]).with(changes)
                return try await wire.approve(try await wire.get(Self.authorize, request), without: scopes)
            }
            let first = try await leaveOut([drive], of: "openid \(drive) \(files)")
            #expect(Self.words(first["scope"]) == ["openid", files] && first["prompt"] == "consent")
            // It is asked for again, and what was agreed to before can be left out with a prompt alone.
            let second = try await leaveOut([], of: "openid \(drive)")
            #expect(Self.words(second["scope"]) == ["openid", drive] && second["prompt"] == "consent")
            let included: [String: String?] = ["include_granted_scopes": "true"]
            let third = try await leaveOut([files], of: "openid \(files)", included.with(["prompt": "consent"]))
            #expect(Self.words(third["scope"]) == ["openid", drive])
            let nothing = try await leaveOut([files], of: files)
            #expect(nothing["error"] == "access_denied" && nothing["code"] == nil)
        }
    }

    @Test(arguments: ["none consent", "Consent", "login"])
    func unknownPromptIsAPageThatLeadsNowhere(prompt: String) async throws {
        try await withEmulator { emulator in
            let page = try await Wire(emulator).get(Self.authorize, Self.request.with(["prompt": prompt]))
            #expect(page.isDeadEnd && page.text.contains("Error 400: invalid_request"))
        }
    }

    // MARK: Tokens

    /// Node's library sends the header, others the parameter.
    @Test func accessTokenIsToldInStrings() async throws {
        let clock = ManualClock()
        try await withEmulator(EmulatorConfiguration(at: clock)) { emulator in
            let wire = Wire(emulator)
            let token = try #require(try await Self.signIn(wire).tokens["access_token"])
            clock.advance(by: .seconds(100))
            let answers = [
                try await wire.get(Self.tokenInfo, ["access_token": token]),
                try await wire.post(Self.tokenInfo, ["access_token": token]),
                try await wire.post(Self.tokenInfo, bearer: token),
                try await wire.get("https://www.googleapis.com/oauth2/v3/tokeninfo", ["access_token": token]),
            ]
            for answer in answers {
                #expect(
                    answer.json == [
                        "azp": .string(Self.google.desktop.id), "aud": .string(Self.google.desktop.id),
                        "sub": .string(Self.google.users[0].id), "exp": "1750003599", "expires_in": "3499",
                        "scope": .string("\(Self.api)userinfo.email \(Self.api)userinfo.profile openid"),
                        "email": .string(Self.google.users[0].email ?? ""), "email_verified": "true",
                        "access_type": "offline",
                    ])
            }
            let narrow = try await Self.signIn(wire, ["scope": "\(Self.api)drive.file"]).tokens["access_token"]
            let told = try await wire.get(Self.tokenInfo, ["access_token": narrow]).json
            #expect(told?["sub"] == nil && told?["email"] == nil && told?["scope"]?.string == "\(Self.api)drive.file")
        }
    }

    @Test func idTokenIsToldInStringsWithItsHeader() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let token = try #require(try await Self.signIn(wire, ["nonce": "n"]).tokens["id_token"])
            let claims = try #require(JSONWebToken(Secret(token))?.claims.object)
            let told = try #require(try await wire.get(Self.tokenInfo, ["id_token": token]).json?.object)
            #expect(told.values.allSatisfy { $0.string != nil })
            #expect(Set(told.keys) == Set(claims.keys).union(["alg", "kid", "typ"]))
            #expect(told["email_verified"] == "true" && told["nonce"] == "n" && told["alg"] == "RS256")
            #expect(told["exp"]?.string == claims["exp"]?.lenientInteger.map(String.init))
        }
    }

    @Test func whatIsNoValidTokenIsNotTold() async throws {
        let clock = ManualClock()
        try await withEmulator(EmulatorConfiguration(at: clock)) { emulator in
            let wire = Wire(emulator)
            let tokens = try await Self.signIn(wire).tokens
            let (access, identity) = (tokens["access_token"], tokens["id_token"])
            let forged = identity.map { $0.dropLast(8) + "AAAAAAAA" }.map(String.init)
            clock.advance(by: .seconds(3601))
            let requests: [([String: String?], String)] = [
                (["access_token": access], "invalid_token"), (["access_token": "unknown"], "invalid_token"),
                (["access_token": tokens["refresh_token"]], "invalid_token"),
                (["id_token": identity], "invalid_token"), (["id_token": forged], "invalid_token"),
                ([:], "invalid_request"),
            ]
            for (query, error) in requests {
                let answer = try await wire.get(Self.tokenInfo, query)
                #expect(answer.status == 400)
                #expect(answer["error"] == error)
            }
        }
    }
}
