import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// What Firebase's Admin SDKs send to a project that they were told is an emulator's.
@Suite(.limitedParallelization) struct AdminAPITests {
    /// A server with an Admin SDK, and a client of the same project.
    private struct Project {
        let emulator: Emulator
        private let transport = URLSessionTransport.untimed()

        init(_ emulator: Emulator) { self.emulator = emulator }

        func send(
            _ method: AuthHTTPRequest.Method, _ path: String, _ body: AuthJSON? = nil, bearer: String? = "owner",
            origin: String? = nil
        ) async throws -> (status: Int, body: AuthJSON) {
            var headers: [HeaderName: String] = body == nil ? [:] : [.contentType: "application/json"]
            headers[.authorization] = bearer.map { "Bearer \($0)" }
            headers["Origin"] = origin
            let url = emulator.url(for: "https://identitytoolkit.googleapis.com\(path)")
            let answer = try await transport.send(AuthHTTPRequest(method, url, headers: headers, body: body?.data))
            return (answer.status, AuthJSON(json: answer.body) ?? .null)
        }

        /// `POST` below the project.
        @discardableResult func admin(_ method: String, _ body: AuthJSON) async throws -> AuthJSON {
            try await send(.post, "/v1/projects/authstreams-demo\(method)", body).body
        }

        func client(_ method: String, _ body: AuthJSON) async throws -> AuthJSON {
            try await send(.post, "/v1/accounts:\(method)?key=emulator-api-key", body, bearer: nil).body
        }

        func signIn(_ email: String, _ password: String) async throws -> AuthJSON {
            try await client(
                "signInWithPassword",
                ["email": .string(email), "password": .string(password), "returnSecureToken": true])
        }

        func user(_ id: String) async throws -> AuthJSON? {
            try await admin("/accounts:lookup", ["localId": [.string(id)]])["users"]?.array?.first
        }
    }

    private static func run(
        signsTokens: Bool = true, _ body: (Project) async throws -> Void
    ) async throws {
        var configuration = EmulatorConfiguration()
        configuration.firebase.signsTokens = signsTokens
        try await withEmulator(configuration) { try await body(Project($0)) }
    }

    private static func claims(_ token: AuthJSON?) throws -> AuthJSON {
        let text = try #require(token?.string)
        let token = try #require(JSONWebToken(Secret(text)))
        return token.claims
    }

    // MARK: Who may call

    @Test func callerNeedsACredentialOfTheProject() async throws {
        try await Self.run { project in
            let path = "/v1/projects/authstreams-demo/accounts:lookup"
            for (bearer, reason) in [(nil, "required"), ("other", "authError")] as [(String?, AuthJSON)] {
                let (status, body) = try await project.send(.post, path, ["localId": ["u1"]], bearer: bearer)
                #expect(status == 401 && body["error"]?["status"] == "UNAUTHENTICATED")
                #expect(body["error"]?["errors"]?.array?.first?["reason"] == reason)
            }
            for bearer in ["owner", "OWNER", "ya29.a0"] {
                let answer = try await project.send(.post, path, ["localId": ["u1"]], bearer: bearer)
                #expect(answer.status == 200)
            }
            let other = try await project.send(.post, "/v1/projects/other/accounts:lookup", ["localId": ["u1"]])
            #expect(other.body["error"]?["message"]?.string?.hasPrefix("PROJECT_NOT_FOUND") == true)
        }
    }

    /// A page of any site could delete the users of an emulator otherwise.
    @Test func pagesOfOtherSitesHaveNoAccess() async throws {
        try await Self.run { project in
            let path = "/v1/projects/authstreams-demo/accounts:batchGet"
            let answer = try await project.send(.get, path)
            let elsewhere = try await project.send(.get, path, origin: "https://site.example")
            #expect(answer.status == 200 && elsewhere.status == 403)
        }
    }

    // MARK: Users

    @Test func userIsMadeFoundChangedAndDeleted() async throws {
        try await Self.run { project in
            let made = try await project.admin(
                "/accounts",
                [
                    "localId": "u1", "email": "Kim@example.com", "password": "secret1", "displayName": "Kim",
                    "emailVerified": true,
                ])
            #expect(made["localId"] == "u1")
            for (body, code) in [
                (["localId": "u1"], "DUPLICATE_LOCAL_ID"), (["email": "kim@example.com"], "EMAIL_EXISTS"),
                (["email": "other@example.com", "password": "short"], "WEAK_PASSWORD"),
            ] as [(AuthJSON, String)] {
                let error = try await project.admin("/accounts", body)["error"]?["message"]?.string
                #expect(error?.hasPrefix(code) == true, "\(code)")
            }
            let found = try await project.admin(
                "/accounts:lookup", ["localId": ["u1", "unknown"], "email": ["KIM@example.com"]])
            #expect(found["users"]?.array?.count == 1, "Each user is named once, and unknown ones are left out.")
            #expect(found["users"]?.array?.first?["emailVerified"] == true)
            #expect(try await project.user("unknown") == nil)

            try await project.admin(
                "/accounts:update",
                ["localId": "u1", "photoUrl": "https://example.com/p.png", "deleteAttribute": ["DISPLAY_NAME"]])
            let changed = try await project.user("u1")
            #expect(changed?["photoUrl"] == "https://example.com/p.png" && changed?["displayName"] == nil)

            #expect(try await project.admin("/accounts:delete", ["localId": "u1"])["error"] == nil)
            let again = try await project.admin("/accounts:delete", ["localId": "u1"])
            #expect(again["error"]?["message"] == "USER_NOT_FOUND")
        }
    }

    /// What cannot be carried out whole changes nothing.
    @Test func changeThatIsRefusedChangesNothing() async throws {
        try await Self.run { project in
            try await project.admin("/accounts", ["localId": "u1", "email": "a@example.com", "password": "secret1"])
            try await project.admin("/accounts", ["localId": "u2", "email": "b@example.com"])
            let refused = try await project.admin(
                "/accounts:update", ["localId": "u1", "deleteProvider": ["password"], "email": "b@example.com"])
            #expect(refused["error"]?["message"] == "EMAIL_EXISTS")
            #expect(try await project.signIn("a@example.com", "secret1")["idToken"] != nil)
        }
    }

    @Test func usersAreListedInPages() async throws {
        try await Self.run { project in
            for id in ["c", "a", "b"] { try await project.admin("/accounts", ["localId": .string(id)]) }
            var (pages, next) = ([[String]](), "")
            repeat {
                let page = try await project.send(
                    .get, "/v1/projects/authstreams-demo/accounts:batchGet?maxResults=2&nextPageToken=\(next)"
                ).body
                pages.append(page["users"]?.array?.compactMap { $0["localId"]?.string } ?? [])
                next = page["nextPageToken"]?.string ?? ""
            } while !next.isEmpty
            #expect(pages == [["a", "b"], ["c"]])
            let wrong = try await project.send(
                .get, "/v1/projects/authstreams-demo/accounts:batchGet?maxResults=1001")
            #expect(wrong.status == 400)
        }
    }

    @Test func manyAreDeletedAtOnceIfTheyAreDisabledOrItIsForced() async throws {
        try await Self.run { project in
            for id in ["a", "b"] { try await project.admin("/accounts", ["localId": .string(id)]) }
            try await project.admin("/accounts:update", ["localId": "b", "disableUser": true])
            let answer = try await project.admin("/accounts:batchDelete", ["localIds": ["a", "b", "unknown"]])
            #expect(answer["errors"]?.array?.map { $0["index"] } == [0])
            #expect(project.emulator.firebase.users.map(\.id) == ["a"])
            #expect(try await project.admin("/accounts:batchDelete", ["localIds": ["a"], "force": true]) == [:])
        }
    }

    // MARK: Claims

    @Test func claimsAreInTheNextTokenAndACustomTokensComeFirst() async throws {
        try await Self.run(signsTokens: false) { project in
            try await project.admin("/accounts", ["localId": "u1", "email": "a@example.com", "password": "secret1"])
            try await project.admin(
                "/accounts:update", ["localId": "u1", "customAttributes": #"{"role":"admin","level":3}"#])
            let session = try await project.signIn("a@example.com", "secret1")
            let own = try Self.claims(session["idToken"])
            #expect(own["role"] == "admin")
            // As an Admin SDK makes one for an emulator.
            let now = Int64(Date().timeIntervalSince1970)
            let account: AuthJSON = "firebase-auth-emulator@example.com"
            let token = [
                ["alg": "none", "typ": "JWT"],
                [
                    "iss": account, "sub": account, "aud": .string(FirebaseTokens.customTokenAudience), "uid": "u1",
                    "iat": .integer(now), "exp": .integer(now + 3600), "claims": ["role": "guest"],
                ],
            ].map { Base64URL.encode(AuthJSON.object($0).data) }.joined(separator: ".")
            let signedIn = try await project.client(
                "signInWithCustomToken", ["token": .string(token + "."), "returnSecureToken": true])
            let claims = try Self.claims(signedIn["idToken"])
            #expect(claims["role"] == "guest" && claims["level"] == 3)
        }
    }

    @Test(
        arguments: [
            (#"["a"]"#, "INVALID_CLAIMS"), (#"{"sub":"x"}"#, "FORBIDDEN_CLAIM : sub"),
            (#"{"a":"\#(String(repeating: "x", count: 1000))"}"#, "CLAIMS_TOO_LARGE"),
        ] as [(String, AuthJSON)]) func wrongClaimsAreRefused(text: String, error: AuthJSON) async throws
    {
        try await Self.run { project in
            try await project.admin("/accounts", ["localId": "u1"])
            let answer = try await project.admin(
                "/accounts:update", ["localId": "u1", "customAttributes": .string(text)])
            #expect(answer["error"]?["message"] == error)
        }
    }

    // MARK: Sessions

    @Test func sessionsEndWithTheirDateThePasswordAndTheUser() async throws {
        let clock = ManualClock()
        var configuration = EmulatorConfiguration()
        configuration.clock = clock.authClock(startingAt: Date(timeIntervalSince1970: 1_800_000_000))
        try await withEmulator(configuration) { emulator in
            let project = Project(emulator)
            func refresh(_ session: AuthJSON) async throws -> AuthJSON? {
                let url = emulator.url(for: "https://securetoken.googleapis.com/v1/token?key=emulator-api-key")
                let body: AuthJSON = ["grantType": "refresh_token", "refreshToken": session["refreshToken"] ?? .null]
                let answer = try await URLSessionTransport.untimed().send(
                    AuthHTTPRequest(.post, url, headers: [.contentType: "application/json"], body: body.data))
                return AuthJSON(json: answer.body)?["error"]?["message"]
            }
            try await project.admin("/accounts", ["localId": "u1", "email": "a@example.com", "password": "secret1"])
            let first = try await project.signIn("a@example.com", "secret1")
            clock.advance(by: .seconds(10))
            let second = try await project.signIn("a@example.com", "secret1")
            try await project.admin("/accounts:update", ["localId": "u1", "validSince": 1_800_000_005])
            #expect(try await refresh(first) == "TOKEN_EXPIRED")
            #expect(try await refresh(second) == nil, "Its sign-in came later.")
            clock.advance(by: .seconds(10))
            try await project.admin("/accounts:update", ["localId": "u1", "password": "secret1"])
            #expect(try await refresh(second) == "TOKEN_EXPIRED")
            let third = try await project.signIn("a@example.com", "secret1")
            clock.advance(by: .seconds(10))
            try await project.admin("/accounts:delete", ["localId": "u1"])
            try await project.admin("/accounts", ["localId": "u1"])
            #expect(try await refresh(third) == "USER_NOT_FOUND", "Another user has the uid by now.")
        }
    }

    @Test func numbersBeyondEveryDateAreRefused() async throws {
        try await Self.run(signsTokens: false) { project in
            try await project.admin("/accounts", ["localId": "u1"])
            for number in [Int64.max, -1] {
                let answer = try await project.admin(
                    "/accounts:update", ["localId": "u1", "validSince": .integer(number)])
                #expect(answer["error"]?["code"] == 400)
            }
            let account: AuthJSON = "firebase-auth-emulator@example.com"
            let token = [
                ["alg": "none"],
                [
                    "iss": account, "sub": account, "aud": .string(FirebaseTokens.customTokenAudience), "uid": "u1",
                    "iat": .integer(.max), "exp": .integer(.min),
                ],
            ].map { Base64URL.encode(AuthJSON.object($0).data) }.joined(separator: ".")
            let answer = try await project.client("signInWithCustomToken", ["token": .string(token + ".")])
            #expect(answer["error"]?["message"]?.string?.hasPrefix("INVALID_CUSTOM_TOKEN") == true)
            #expect(try await project.user("u1") != nil)
        }
    }

    @Test(arguments: [true, false]) func sessionCookieHasTheClaimsOfItsToken(signsTokens: Bool) async throws {
        try await Self.run(signsTokens: signsTokens) { project in
            try await project.admin("/accounts", ["localId": "u1", "email": "a@example.com", "password": "secret1"])
            let token = try #require(try await project.signIn("a@example.com", "secret1")["idToken"])
            let cookie = try await project.admin(
                ":createSessionCookie", ["idToken": token, "validDuration": 600])["sessionCookie"]
            let claims = try Self.claims(cookie)
            #expect(claims["iss"] == "https://session.firebase.google.com/authstreams-demo")
            #expect(claims["user_id"] == "u1" && claims["aud"] == "authstreams-demo")
            #expect((claims["exp"]?.lenientInteger ?? 0) - (claims["iat"]?.lenientInteger ?? 0) == 600)
            #expect((cookie?.string?.hasSuffix(".") == true) == !signsTokens)
            for duration in [299, 1_209_601] as [AuthJSON] {
                let refused = try await project.admin(
                    ":createSessionCookie", ["idToken": token, "validDuration": duration])
                #expect(refused["error"]?["message"] == "INVALID_DURATION")
            }
        }
    }

    /// A project that signs takes no token without a signature.
    @Test func unsignedTokensCountWhereTheProjectMakesThem() async throws {
        try await Self.run(signsTokens: false) { project in
            try await project.admin("/accounts", ["localId": "u1", "email": "a@example.com", "password": "secret1"])
            let token = try #require(try await project.signIn("a@example.com", "secret1")["idToken"])
            #expect(JSONWebToken(Secret(token.string ?? ""))?.header["alg"] == "none")
            #expect(try await project.client("lookup", ["idToken": token])["users"]?.array?.count == 1)
            try await Self.run { other in
                try await other.admin("/accounts", ["localId": "u1"])
                let answer = try await other.client("lookup", ["idToken": token])
                #expect(answer["error"]?["message"] == "INVALID_ID_TOKEN")
            }
        }
    }
}
