import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct OpenIDRepositoryTests {
    // MARK: Signing in

    @Test func issuersTokensAreTheSession() async throws {
        let fixture = IssuerFixture()
        let transport = fixture.transport
        let session = try await fixture.repository(transport).signIn(with: IssuerFixture.credential)
        #expect(session.accessToken == Secret("access-1") && session.refreshToken == Secret("refresh-1"))
        #expect(session.expiresAt == SignedTokens.now.addingTimeInterval(300) && session.provider == "keycloak")
        #expect(session.user.id == "1001" && session.user.displayName == "Minji")
        #expect(session.user.claims == ["iss": .string(IssuerFixture.issuer), "roles": ["editor"]])
        #expect(session.openID?.subject == "1001")
        #expect(session.openID?.authenticatedAt == Date(timeIntervalSince1970: 1_799_999_990))
        #expect(session.openID?.scopes == ["openid", "profile"])
        #expect(
            transport.forms.first { !$0.isEmpty } == [
                "grant_type": "authorization_code", "client_id": "app", "code": "code", "code_verifier": "v",
                "redirect_uri": "com.example.app:/callback",
            ])
    }

    /// RFC 6749 section 5.1: an answer without `scope` grants what was requested.
    @Test(
        arguments: [
            ("openid", ["openid", "calendar"], ["openid"]), (nil, ["openid", "calendar"], ["openid", "calendar"]),
            (nil, nil, nil),
        ] as [(String?, [String]?, [String]?)])
    func sessionKnowsItsScopes(answer: String?, requested: [String]?, granted: [String]?) async throws {
        var (fixture, credential) = (IssuerFixture(), IssuerFixture.credential)
        fixture.tokenMembers = ["scope": answer.map { .string($0) } ?? .null]
        credential.authorizationCode?.scopes = requested
        #expect(try await fixture.repository().signIn(with: credential).openID?.scopes == granted)
    }

    /// RFC 6749 section 5.1: the token is used until the issuer refuses it.
    @Test func answerWithoutExpiryIsASession() async throws {
        var fixture = IssuerFixture()
        fixture.tokenMembers = ["expires_in": .null]
        let session = try await fixture.repository().signIn(with: IssuerFixture.credential)
        #expect(session.expiresAt == nil && !session.isExpired(at: .distantFuture))
    }

    @Test func userInformationCompletesTheUser() async throws {
        var fixture = IssuerFixture()
        fixture.userInfo = {
            try .json([
                "sub": "1001", "email": "m@example.com", "email_verified": true, "picture": "https://x.example/p",
            ])
        }
        let transport = fixture.transport
        let user = try await fixture.repository(transport).signIn(with: IssuerFixture.credential).user
        #expect(user.email == "m@example.com" && user.isEmailVerified && user.displayName == "Minji")
        #expect(user.photoURL == URL(literal: "https://x.example/p"))
        #expect(user.providers == [.init(id: "keycloak", userID: "1001", email: "m@example.com")])
        let request = try #require(transport.requests.last)
        #expect(request.headers[.authorization] == "Bearer access-1" && request.url.query() == nil)
    }

    @Test func userInformationOfAnotherPersonIsRefused() async {
        var fixture = IssuerFixture()
        fixture.userInfo = { try .json(["sub": "1002", "email": "e@evil.example"]) }
        let repository = fixture.repository()
        let error = await #expect(throws: AuthError.self) {
            try await repository.signIn(with: IssuerFixture.credential)
        }
        #expect(error?.code == .invalidResponse && error?.provider == "keycloak")
    }

    /// The code is used up, and the ID token says who it is. A refused access token must not lead to a second use of the
    /// code.
    @Test(arguments: [200, 401, 403, 404, 500, 503])
    func userInformationThatFailsDoesNotLoseTheSession(status: Int) async throws {
        var fixture = IssuerFixture()
        fixture.userInfo = { .text("<html>", status: status) }
        #expect(try await fixture.repository().signIn(with: IssuerFixture.credential).user.displayName == "Minji")
    }

    @Test func credentialWithoutACodeSaysWhatToDo() async {
        let transport = IssuerFixture().transport
        let error = await #expect(throws: AuthError.self) {
            try await IssuerFixture().repository(transport).signIn(
                with: Credential(provider: "keycloak", idToken: Secret("t")))
        }
        #expect(error?.code == .misconfigured && error?.explanation.contains("redeemer: .repository") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test func nonceAndMethodOfTheAttemptAreChecked() async {
        var options = OpenIDProvider.Options()
        options.acrValues = ["gold"]
        let strict = IssuerFixture().repository(options: options)
        let acr = await #expect(throws: AuthError.self) { try await strict.signIn(with: IssuerFixture.credential) }
        #expect(acr?.code == .invalidIDToken)
        var other = IssuerFixture.credential
        other.rawNonce = Secret("other")
        let credential = other
        let repository = IssuerFixture().repository()
        let nonce = await #expect(throws: AuthError.self) { try await repository.signIn(with: credential) }
        #expect(nonce?.code == .nonceMismatch)
    }

    // MARK: Refreshing

    private func session(_ fixture: IssuerFixture = IssuerFixture()) async throws -> AuthSession {
        try await fixture.repository().signIn(with: IssuerFixture.credential)
    }

    @Test func refreshReplacesTheTokensAndTheClaims() async throws {
        var fixture = IssuerFixture()
        fixture.refreshed = IssuerFixture.firstToken.merging(["nonce": .null, "name": "Minji Kim"]) { $1 }
        let first = try await session()
        let transport = fixture.transport
        let next = try await fixture.repository(transport).refresh(first)
        #expect(next.accessToken == Secret("access-2") && next.refreshToken == Secret("refresh-2"))
        #expect(next.user.displayName == "Minji Kim" && next.user.id == "1001")
        #expect(next.openID?.idToken == first.openID?.idToken, "Later ID tokens are compared with the first.")
        #expect(
            transport.forms.first { !$0.isEmpty }
                == ["grant_type": "refresh_token", "client_id": "app", "refresh_token": "refresh-1"])
    }

    /// OpenID Connect Core section 12.2.
    @Test(arguments: [[:], ["nonce": .null], ["auth_time": .null]] as [[String: AuthJSON]])
    func idTokenOfTheSameSignInUpdatesTheUser(changes: [String: AuthJSON]) async throws {
        var fixture = IssuerFixture()
        fixture.refreshed = IssuerFixture.firstToken.merging(["name": "Changed"]) { $1 }.merging(changes) { $1 }
        let next = try await fixture.repository().refresh(try await session())
        #expect(next.user.displayName == "Changed")
    }

    /// The old refresh token is used up by then, so the new one is kept.
    @Test(
        arguments: [
            ["nonce": "other"], ["auth_time": 1_799_999_991], ["azp": .null], ["aud": "other"],
            ["aud": ["app", "api"]], ["exp": 1_799_000_000], ["iat": .null],
        ] as [[String: AuthJSON]])
    func idTokenThatBreaksARuleUpdatesNothing(changes: [String: AuthJSON]) async throws {
        var fixture = IssuerFixture()
        fixture.refreshed = IssuerFixture.firstToken.merging(["name": "Changed"]) { $1 }.merging(changes) { $1 }
        let first = try await session()
        let next = try await fixture.repository().refresh(first)
        #expect(next.user == first.user && next.openID == first.openID)
        #expect(next.refreshToken == Secret("refresh-2") && next.accessToken == Secret("access-2"))
    }

    @Test(arguments: [["sub": "1002"], ["iss": "https://other.example"], ["sub": .null]] as [[String: AuthJSON]])
    func answerOfAnotherPersonEndsTheSession(changes: [String: AuthJSON]) async throws {
        var fixture = IssuerFixture()
        fixture.refreshed = IssuerFixture.firstToken.merging(changes) { $1 }
        let transport = fixture.transport
        let first = try await session()
        let error = await #expect(throws: AuthError.self) { try await fixture.repository(transport).refresh(first) }
        #expect(error?.code == .sessionExpired)
        #expect(transport.forms.last?["token"] == "refresh-2", "Its tokens are ended.")
    }

    private enum Call: CaseIterable {
        case refresh, reload, reauthenticate, signOut, deleteAccount, adopt
    }

    /// An update of the app may configure another issuer under the same provider: it must not receive the tokens of the
    /// sessions that the previous one began.
    @Test(arguments: ["another provider", "another issuer", "no issuer"])
    func tokensGoToTheirOwnIssuerAlone(whose: String) async throws {
        var other = try await session()
        switch whose {
        case "another provider": other.provider = "google.com"
        case "another issuer": other.user.claims["iss"] = "https://elsewhere.example"
        default: other.user.claims["iss"] = nil
        }
        let (transport, session) = (IssuerFixture().transport, other)
        let repository = IssuerFixture().repository(transport) { _ in Issue.record("The token was sent.") }
        for call in Call.allCases {
            let error = await #expect(throws: AuthError.self, "\(call)") {
                switch call {
                case .refresh: _ = try await repository.refresh(session)
                case .reload: _ = try await repository.reload(session)
                case .reauthenticate: _ = try await repository.reauthenticate(session, with: IssuerFixture.credential)
                case .signOut: try await repository.signOut(session)
                case .deleteAccount: try await repository.deleteAccount(session)
                case .adopt:
                    _ = try await repository.adopt(
                        AdoptableSession(
                            refreshToken: Secret("left"), user: session.user, provider: session.provider))
                }
            }
            // An adoptable session is for the app to describe. A sign-out that ended no token is reported.
            let isUnsaid = call == .adopt && whose == "no issuer" || call == .signOut
            #expect(error?.code == (isUnsaid ? .misconfigured : .sessionExpired), "\(call)")
            #expect(error?.classification.sessionEnd == (isUnsaid ? nil : .expired), "\(call)")
        }
        #expect(transport.requests.isEmpty)
    }

    /// OpenID Connect Core section 5.7. One client may accept several issuers, such as the tenants of one server.
    @Test func personIsIssuerAndSubject() async throws {
        var fixture = IssuerFixture()
        fixture.otherIssuers = ["https://id.example/other"]
        let session = try await session(fixture)
        fixture.first = ["iss": "https://id.example/other"]
        let repository = fixture.repository()
        let error = await #expect(throws: AuthError.self) {
            try await repository.reauthenticate(session, with: IssuerFixture.credential)
        }
        #expect(error?.code == .credentialInUse)
        let others = try await repository.signIn(with: IssuerFixture.credential)
        #expect(others.user.id == session.user.id && others.user != session.user)
        #expect(try await repository.refresh(others).user == others.user)
    }

    /// Such as one that an earlier version of the library has written again.
    @Test func sessionWithoutItsIDTokenGetsOne() async throws {
        var (fixture, first) = (IssuerFixture(), try await session())
        fixture.refreshed = IssuerFixture.firstToken.merging(["nonce": .null]) { $1 }
        first.openID = nil
        #expect(try await fixture.repository().refresh(first).openID?.subject == "1001")
        fixture.refreshed?["iss"] = "https://other.example"
        let (repository, session) = (fixture.repository(), first)
        let error = await #expect(throws: AuthError.self) { try await repository.refresh(session) }
        #expect(error?.code == .sessionExpired)
    }

    // MARK: Adopting

    private let adoptable = AdoptableSession(
        refreshToken: Secret("left"), user: AuthUser(id: "1001", claims: ["iss": .string(IssuerFixture.issuer)]))

    @Test(arguments: [true, false]) func refreshTokenOfAnotherSDKIsAdopted(hasIDToken: Bool) async throws {
        var fixture = IssuerFixture()
        fixture.refreshed = hasIDToken ? IssuerFixture.firstToken.merging(["nonce": .null]) { $1 } : nil
        fixture.userInfo = { try .json(["sub": "1001", "email": "m@example.com"]) }
        let session = try await fixture.repository().adopt(adoptable)
        #expect(session.user.id == "1001" && session.user.email == "m@example.com")
        #expect(session.user.claims["iss"] == .string(IssuerFixture.issuer))
        #expect(session.refreshToken == Secret("refresh-2") && (session.openID != nil) == hasIDToken)
    }

    /// The adoptable token is used up by then.
    @Test func keysThatCannotBeFetchedLoseNoAdoption() async throws {
        var fixture = IssuerFixture()
        fixture.refreshed = IssuerFixture.firstToken.merging(["nonce": .null]) { $1 }
        fixture.keys = { .text("", status: 503) }
        let warnings = Lock<[AuthError]>([])
        let session = try await fixture.repository().adopt(adoptable) { warning in
            warnings.withLock { $0.append(warning) }
        }
        #expect(session.user.id == "1001" && session.refreshToken == Secret("refresh-2"))
        #expect(warnings.withLock { $0 }.map(\.code) == (Signatures.isAvailable ? [.server] : []))
    }

    /// The old refresh token is used up by then.
    @Test func keysThatCannotBeFetchedLoseNoTokens() async throws {
        var fixture = IssuerFixture()
        fixture.refreshed = IssuerFixture.firstToken.merging(["name": "Changed"]) { $1 }
        fixture.keys = { throw AuthError(.network, "Down.") }
        let next = try await fixture.repository().refresh(try await session())
        #expect(next.refreshToken == Secret("refresh-2"))
        #expect(next.user.displayName == (Signatures.isAvailable ? "Minji" : "Changed"))
    }

    @Test func answerWithoutRefreshTokenKeepsTheOldOne() async throws {
        var fixture = IssuerFixture()
        fixture.tokenMembers = ["refresh_token": .null, "scope": .null, "expires_in": .null]
        let next = try await fixture.repository().refresh(try await session())
        #expect(next.refreshToken == Secret("refresh-1") && next.accessToken == Secret("access-2"))
        #expect(next.openID?.scopes == ["openid", "profile"] && next.expiresAt == nil)
    }

    @Test(
        arguments: [
            ("invalid_grant", 400, .sessionExpired), ("invalid_client", 401, .misconfigured),
            ("temporarily_unavailable", 400, .server), ("invalid_grant", 503, .server),
        ] as [(String, Int, AuthError.Code)])
    func onlyInvalidGrantEndsTheSession(error: String, status: Int, code: AuthError.Code) async throws {
        let first = try await session()
        let other = IssuerFixture().transport
        let transport = ScriptedTransport { request in
            guard request.method == .post else { return try await other.send(request) }
            return try .json(["error": .string(error), "error_description": "refresh-1"], status: status)
        }
        let thrown = await #expect(throws: AuthError.self) {
            try await IssuerFixture().repository(transport).refresh(first)
        }
        #expect(thrown?.code == code && thrown?.provider == "keycloak")
        #expect((thrown?.classification.sessionEnd != nil) == (code == .sessionExpired))
    }

    /// What the app's signer throws is no answer of the issuer, whatever it says.
    @Test func errorBeforeTheRequestEndsNoSession() async throws {
        let first = try await session()
        var fixture = IssuerFixture()
        fixture.authentication = .privateKeyJWT { _ throws(AuthError) in
            throw AuthError(.invalidCredential, "The key is gone.", serverCode: "invalid_grant")
        }
        let repository = fixture.repository()
        let thrown = await #expect(throws: AuthError.self) { try await repository.refresh(first) }
        #expect(thrown?.code == .invalidCredential && thrown?.classification.sessionEnd == nil)
    }

    // MARK: Ending

    @Test func signOutEndsTheRefreshToken() async throws {
        let transport = IssuerFixture().transport
        var session = try await session()
        try await IssuerFixture().repository(transport).signOut(session)
        #expect(
            transport.forms.last == ["client_id": "app", "token": "refresh-1", "token_type_hint": "refresh_token"])
        session.refreshToken = nil
        try await IssuerFixture().repository(transport).signOut(session)
        #expect(
            transport.forms.last?["token"] == "access-1" && transport.forms.last?["token_type_hint"] == "access_token")
    }

    @Test func issuerWithoutRevocationIsNotAsked() async throws {
        var fixture = IssuerFixture()
        fixture.metadata = ["revocation_endpoint": .null]
        let transport = fixture.transport
        try await fixture.repository(transport).signOut(try await session())
        #expect(transport.requests.allSatisfy { $0.method == .get })
    }

    @Test(
        arguments: [
            (400, "{\"error\":\"unsupported_token_type\"}", .invalidCredential), (503, "", .server),
            (429, "", .rateLimited), (302, "", .invalidResponse),
            (401, "{\"error\":\"invalid_client\"}", .misconfigured),
        ] as [(Int, String, AuthError.Code)])
    func failureOfTheRevocationIsExplained(status: Int, body: String, code: AuthError.Code) async throws {
        var fixture = IssuerFixture()
        fixture.revocation = { .text(body, status: status) }
        let session = try await session()
        let error = await #expect(throws: AuthError.self) { try await fixture.repository().signOut(session) }
        #expect(error?.code == code)
    }

    @Test func logOutPageRecognizesTheSessionThatEnded() async throws {
        let fixture = IssuerFixture()
        let (repository, session) = (fixture.repository(), try await session())
        try await repository.signOut(session)
        let agent = ScriptedAgent { page, redirectURI in callback(redirectURI, ["state": page["state"] ?? ""]) }
        let goodbye = AuthorizationPage.Redirect.redirect(URL(literal: "com.example.app:/goodbye"))
        for _ in 0..<2 { try await repository.endSession(redirect: goodbye, userAgent: agent).value }
        let pages = await agent.pages
        #expect(pages[0]["id_token_hint"] == session.openID?.idToken.reveal() && pages[1]["id_token_hint"] == nil)
        #expect(pages[0]["client_id"] == "app" && pages[0]["theme"] == "dark")
        #expect(pages[0]["post_logout_redirect_uri"] == "com.example.app:/goodbye")
        #expect(pages[0]["redirect_uri"] == nil && pages[0]["response_type"] == nil && pages[0]["state"] != nil)
    }

    @Test(arguments: [["state": "other"], [:]] as [KeyValuePairs<String, String>])
    func logOutPageThatReturnsWithoutTheStateIsRefused(fields: KeyValuePairs<String, String>) async {
        let agent = ScriptedAgent { _, redirectURI in callback(redirectURI, fields) }
        let page = IssuerFixture().repository().endSession(
            redirect: .redirect(URL(literal: "com.example.app:/goodbye")), userAgent: agent)
        let error = await #expect(throws: AuthError.self) { try await page.value }
        #expect(error?.code == .stateMismatch)
    }

    @Test func issuerWithoutLogOutPageShowsNothing() async {
        var fixture = IssuerFixture()
        fixture.metadata = ["end_session_endpoint": .null]
        let agent = ScriptedAgent { _, redirectURI in callback(redirectURI, [:]) }
        let page = fixture.repository().endSession(redirect: .loopback(path: "/"), userAgent: agent)
        let error = await #expect(throws: AuthError.self) { try await page.value }
        #expect(error?.code == .unsupportedProvider)
        #expect(await agent.pages.isEmpty)
    }

    // MARK: Re-authenticating and deleting

    /// The page may have been open for ten minutes, and clocks differ by one.
    @Test(
        arguments: [(0, true), (-600, true), (-660, true), (-661, false), (-10_000, false), (nil, false)]
            as [(Int64?, Bool)])
    func oldLogInIsNoReauthentication(seconds: Int64?, isTaken: Bool) async throws {
        let session = try await session()
        var answering = IssuerFixture()
        answering.first = ["auth_time": seconds.map { .integer(1_800_000_000 + $0) } ?? .null]
        let repository = answering.repository()
        if isTaken {
            let proven = try await repository.reauthenticate(session, with: IssuerFixture.credential)
            #expect(proven.user.id == "1001")
        } else {
            let error = await #expect(throws: AuthError.self) {
                try await repository.reauthenticate(session, with: IssuerFixture.credential)
            }
            #expect(error?.code == .invalidIDToken && error?.explanation.contains("auth_time") == true)
        }
    }

    /// Many issuers give a refresh token at the first consent only.
    @Test func reauthenticationWithoutRefreshTokenKeepsTheSession() async throws {
        let session = try await session()
        var fixture = IssuerFixture()
        fixture.tokenMembers = ["refresh_token": .null]
        let proven = try await fixture.repository().reauthenticate(session, with: IssuerFixture.credential)
        #expect(proven.refreshToken == session.refreshToken && proven.accessToken == session.accessToken)
        #expect(proven.openID == session.openID)
    }

    @Test func accountIsDeletedByTheIssuersOwnAPI() async throws {
        let session = try await session()
        let token = Lock<Secret?>(nil)
        try await IssuerFixture().repository(deletion: { secret in token.withLock { $0 = secret } }).deleteAccount(
            session)
        #expect(token.withLock { $0 } == Secret("access-1"))
        let error = await #expect(throws: AuthError.self) {
            try await IssuerFixture().repository().deleteAccount(session)
        }
        #expect(error?.code == .unsupportedProvider)
    }

    @Test func reloadTellsTheUserAsTheyAreNow() async throws {
        let session = try await session()
        func reload(
            _ session: AuthSession, _ userInfo: (@Sendable () throws -> AuthHTTPResponse)?
        ) async -> Result<AuthSession, AuthError> {
            var fixture = IssuerFixture()
            fixture.userInfo = userInfo
            do throws(AuthError) { return .success(try await fixture.repository().reload(session)) } catch {
                return .failure(error)
            }
        }
        func code(_ result: Result<AuthSession, AuthError>) -> AuthError.Code? {
            if case .failure(let error) = result { error.code } else { nil }
        }
        let reloaded = try await reload(session) {
            try .json(["sub": "1001", "name": "Minji Kim", "roles": ["owner"]])
        }.get()
        #expect(reloaded.user.displayName == "Minji Kim" && reloaded.user.claims["roles"] == ["owner"])
        #expect(reloaded.user.claims["iss"] == .string(IssuerFixture.issuer))
        #expect(reloaded.accessToken == session.accessToken && reloaded.openID == session.openID)
        #expect(code(await reload(session) { try .json(["sub": "1002", "name": "Eve"]) }) == .invalidResponse)
        #expect(code(await reload(session) { .text("", status: 401) }) == .invalidCredential)
        #expect(code(await reload(session, nil)) == .unsupportedProvider)
    }

    // MARK: Storing

    @Test func recordKeepsTheSignInAtTheIssuer() async throws {
        let session = try await session()
        let record = SessionRecord(KeptSession(.established(session), at: .init(id: .init(rawValue: "1"))))
        let read = try JSONDecoder().decode(SessionRecord.self, from: JSONEncoder().encode(record))
        #expect(read.session?.session == session)
    }
}
