import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct OpenIDProviderTests {
    @Test func signInHandsOverTokenNonceAndPerson() async throws {
        let fixture = OpenIDFixture()
        let (agent, transport) = (fixture.agent, fixture.transport)
        let credential = try await fixture.signIn(agent: agent, transport: transport)
        #expect(credential.provider == "keycloak" && credential.userID == "1001" && credential.isBound)
        #expect(credential.rawNonce == fixture.secrets.nonce && credential.accessToken == Secret("secret-access"))
        #expect(credential.idToken != nil && credential.authorizationCode == nil)
        #expect(fixture.recorder.steps == [.presenting, .exchanging])
        #expect(
            await agent.pages == [
                [
                    "tenant": "7", "client_id": "app", "response_type": "code", "scope": "openid email profile",
                    "redirect_uri": "com.example.app:/callback", "state": fixture.secrets.state.reveal(),
                    "nonce": fixture.secrets.nonce.reveal(), "code_challenge": fixture.secrets.proofKey.challenge,
                    "code_challenge_method": "S256",
                ]
            ])
        #expect(
            transport.forms.first { !$0.isEmpty } == [
                "grant_type": "authorization_code", "client_id": "app", "code": "secret-code",
                "redirect_uri": "com.example.app:/callback",
                "code_verifier": fixture.secrets.proofKey.verifier.reveal(),
            ])
    }

    @Test func wishesReachThePage() async throws {
        var fixture = OpenIDFixture()
        fixture.options.maximumAge = .seconds(600)
        fixture.options.acrValues = ["gold", "silver"]
        fixture.options.locales = ["ko", "en"]
        fixture.options.parameters = ["domain_hint": "example.com"]
        fixture.claims = ["auth_time": 1_800_000_000, "acr": "silver"]
        let agent = fixture.agent
        _ = try await fixture.signIn(
            AuthRequest(
                purpose: .reauthenticate, prompts: [.consent], loginHint: "a+b@example.com", extraScopes: ["phone"]),
            agent: agent)
        let page = try #require(await agent.pages.first)
        #expect(page["max_age"] == "0" && page["acr_values"] == "gold silver" && page["ui_locales"] == "ko en")
        #expect(page["prompt"] == "consent login" && page["login_hint"] == "a+b@example.com")
        #expect(page["scope"] == "openid email profile phone" && page["domain_hint"] == "example.com")
        #expect(page["state"] == fixture.secrets.state.reveal())
        #expect(page["redirect_uri"] == "com.example.app:/callback")
    }

    @Test func clientProvesWhoItIs() async throws {
        var fixture = OpenIDFixture()
        fixture.authentication = .basic(Secret("s"))
        let transport = fixture.transport
        _ = try await fixture.signIn(transport: transport)
        let request = try #require(transport.requests.first { $0.method == .post })
        #expect(request.headers[.authorization] == "Basic \(Data("app:s".utf8).base64EncodedString())")
        #expect(transport.forms.allSatisfy { $0["client_id"] == nil && $0["client_secret"] == nil })
    }

    @Test(
        arguments: [
            (["code": "secret-code", "state": "other", "iss": OpenIDFixture.issuer], .stateMismatch),
            (["code": "secret-code", "iss": OpenIDFixture.issuer], .stateMismatch),
            (["code": "secret-code", "state": "", "iss": "https://evil.example"], .issuerMismatch),
            (["code": "secret-code", "state": ""], .issuerMismatch),
            (["error": "access_denied", "state": "", "iss": "https://evil.example"], .issuerMismatch),
            (["error": "access_denied", "state": "", "iss": OpenIDFixture.issuer], .accessDenied),
            (["state": "", "iss": OpenIDFixture.issuer], .invalidResponse),
        ] as [(KeyValuePairs<String, String>, AuthError.Code)])
    func callbackThatBreaksARuleRedeemsNothing(
        fields: KeyValuePairs<String, String>, code: AuthError.Code
    ) async throws {
        var fixture = OpenIDFixture()
        // An empty state stands for the right one.
        fixture.callbackFields = { state in
            let right = fields.map { ($0.key, $0.key == "state" && $0.value.isEmpty ? state : $0.value) }
            return right.count == 3
                ? [right[0].0: right[0].1, right[1].0: right[1].1, right[2].0: right[2].1]
                : [right[0].0: right[0].1, right[1].0: right[1].1]
        }
        let transport = fixture.transport
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(transport: transport) }
        #expect(error?.code == code && error?.provider == "keycloak")
        #expect(!transport.requests.contains { $0.method == .post })
    }

    @Test(
        arguments: [
            (["iss": "https://id.example/realms/other"], .issuerMismatch), (["aud": "other"], .invalidIDToken),
            (["nonce": "other"], .nonceMismatch), (["nonce": .null], .nonceMismatch), (["sub": .null], .invalidIDToken),
            (["iat": .null], .invalidIDToken), (["exp": 1_799_999_000], .invalidIDToken),
            (["at_hash": "AAAA"], .invalidIDToken), (["auth_time": .null], .invalidIDToken),
            (["auth_time": 1_799_990_000], .invalidIDToken), (["acr": "bronze"], .invalidIDToken),
        ] as [([String: AuthJSON], AuthError.Code)])
    func tokenThatBreaksARuleIsRefused(claims: [String: AuthJSON], code: AuthError.Code) async {
        var fixture = OpenIDFixture()
        fixture.options.maximumAge = .seconds(600)
        fixture.options.acrValues = ["gold"]
        fixture.claims = ["auth_time": 1_800_000_000, "acr": "gold"].merging(claims) { $1 }
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == code && error?.step == .exchanging)
    }

    /// OpenID Connect Core 3.1.3.7, rules 3 to 5. Zitadel names the whole project.
    @Test(
        arguments: [
            (["other-app", "project-9"], "app", true), ([], "app", false), (["project-9"], "app", false),
            (["other-app", "project-9"], "other-app", false), (["other-app", "project-9"], nil, false),
        ] as [(trusted: Set<String>, party: String?, isTaken: Bool)], [OpenIDProvider.Redeemer.app, .repository])
    func furtherAudiencesAreThoseThatTheConfigurationTrusts(
        row: (trusted: Set<String>, party: String?, isTaken: Bool), redeemer: OpenIDProvider.Redeemer
    ) async throws {
        var fixture = OpenIDFixture()
        fixture.redeemer = redeemer
        fixture.trustedAudiences = row.trusted
        fixture.claims = ["aud": ["app", "other-app", "project-9"], "azp": row.party.map { .string($0) } ?? .null]
        if row.isTaken {
            #expect(try await fixture.userID() == "1001")
        } else {
            let error = await #expect(throws: AuthError.self) { try await fixture.userID() }
            #expect(error?.code == .invalidIDToken)
        }
    }

    /// RFC 6749 section 5.1 requires it. The token is used as a bearer token, and the app is told once.
    @Test func missingTypeOfTheTokenIsReportedOnce() async throws {
        var fixture = OpenIDFixture()
        fixture.members = ["token_type": .null]
        let (provider, warnings) = (fixture.provider(), Lock<[AuthError]>([]))
        for _ in 0..<2 {
            let request = AuthRequest(onWarning: { warning in warnings.withLock { $0.append(warning) } })
            #expect(try await provider.authenticate(request).value.accessToken == Secret("secret-access"))
        }
        // Beside the one of a system that verifies no signatures.
        let reported = warnings.withLock { $0.filter { $0.explanation.contains("token_type") } }
        #expect(reported.map(\.code) == [.invalidResponse])
        for warning in reported { expectNoLeak(of: ["secret-"], in: warning) }
    }

    @Test(arguments: [(OpenIDFixture.issuer, true), ("https://other.example", false)])
    func hintOfAnotherIssuerIsNotSent(issuer: String, isSent: Bool) async throws {
        let hint = try SignedTokens.token(SignedTokens.claims(["iss": .string(issuer)]))
        let agent = OpenIDFixture().agent
        _ = try? await OpenIDFixture().signIn(AuthRequest(idTokenHint: Secret(hint)), agent: agent)
        #expect(await agent.pages.first?["id_token_hint"] == (isSent ? hint : nil))
    }

    @Test func answerWithoutAnIDTokenIsRefused() async {
        var fixture = OpenIDFixture()
        fixture.members = ["id_token": .null]
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == .invalidResponse)
    }

    @Test(
        arguments: [
            (["issuer": "https://id.example/realms/other"], .issuerMismatch),
            (["token_endpoint": "http://id.example/token"], .invalidResponse),
            (["token_endpoint": .null], .invalidResponse), (["authorization_endpoint": .null], .invalidResponse),
            // Nothing could be checked.
            (["jwks_uri": .null], .misconfigured),
            (["authorization_endpoint": "https://id.example/auth?state=1"], .misconfigured),
            (["authorization_endpoint": "https://id.example/auth?redirect_uri=x"], .misconfigured),
        ] as [([String: AuthJSON], AuthError.Code)])
    func metadataThatBreakARuleShowNothing(metadata: [String: AuthJSON], code: AuthError.Code) async {
        var fixture = OpenIDFixture()
        fixture.metadata = metadata
        let agent = fixture.agent
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(agent: agent) }
        #expect(error?.code == code && error?.provider == "keycloak")
        #expect(await agent.pages.isEmpty)
    }

    @Test func mistakesOfTheConfigurationAreExplainedBeforeAnythingIsSent() async {
        for change in [{ $0.clientID = "" }, { $0.issuer = "http://id.example" }]
            as [@Sendable (inout OpenIDFixture) -> Void]
        {
            var fixture = OpenIDFixture()
            change(&fixture)
            let (agent, transport) = (fixture.agent, fixture.transport)
            let error = await #expect(throws: AuthError.self) {
                try await fixture.signIn(agent: agent, transport: transport)
            }
            #expect(error?.code == .misconfigured)
            #expect(await agent.pages.isEmpty && transport.requests.isEmpty)
        }
    }

    /// With `max_age=0` the issuer must say that the person logged in during the attempt.
    @Test(arguments: [(1_800_000_000, true), (1_799_999_000, false), (nil, false)] as [(Int64?, Bool)])
    func reauthenticationIsProven(logIn: Int64?, isTaken: Bool) async throws {
        var fixture = OpenIDFixture()
        fixture.options.maximumAge = .seconds(86_400)
        fixture.claims = logIn.map { ["auth_time": .integer($0)] } ?? [:]
        let request = AuthRequest(purpose: .reauthenticate)
        if isTaken {
            _ = try await fixture.signIn(request)
        } else {
            let error = await #expect(throws: AuthError.self) { try await fixture.signIn(request) }
            #expect(error?.code == .invalidIDToken && error?.explanation.contains("auth_time") == true)
        }
    }

    @Test func systemWithoutALibraryIsSaidOnce() async throws {
        let fixture = OpenIDFixture()
        var client = OAuthClient(
            "keycloak", issuer: OpenIDFixture.issuer, clientID: "app", transport: fixture.transport,
            clock: SignedTokens.clock)
        client.canVerify = false
        var provider = OpenIDProvider(
            client, redirect: .redirect(URL(literal: "com.example.app:/callback")), userAgent: fixture.agent)
        provider.makeSecrets = { [secrets = fixture.secrets] in secrets }
        let warnings = Lock<[AuthError]>([])
        for _ in 0..<2 {
            let request = AuthRequest(onWarning: { warning in warnings.withLock { $0.append(warning) } })
            #expect(try await provider.authenticate(request).value.userID == "1001")
        }
        #expect(warnings.withLock { $0.map(\.code) } == [.misconfigured])
    }

    @Test func codeIsLeftToTheRepository() async throws {
        var fixture = OpenIDFixture()
        fixture.redeemer = .repository
        let transport = fixture.transport
        let credential = try await fixture.signIn(AuthRequest(extraScopes: ["calendar"]), transport: transport)
        var code = Credential.AuthorizationCode(
            code: Secret("secret-code"), redirectURI: URL(literal: "com.example.app:/callback"),
            codeVerifier: fixture.secrets.proofKey.verifier, scopes: ["openid", "email", "profile", "calendar"])
        code.issuer = OpenIDFixture.issuer
        #expect(credential.authorizationCode == code)
        #expect(credential.rawNonce == fixture.secrets.nonce && credential.idToken == nil && credential.isBound)
        #expect(!transport.requests.contains { $0.method == .post })
        #expect(fixture.recorder.steps == [.presenting])
    }

    @Test(
        arguments: [
            "response_mode", "request", "request_uri", "registration", "claims", "", "state", "redirect_uri", "scope",
            "prompt", "ui_locales",
        ])
    func parameterThatIsTheProvidersOwnOrChangesTheAnswerIsRefused(name: String) async {
        var fixture = OpenIDFixture()
        fixture.options.parameters = [name: "x"]
        let agent = fixture.agent
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(agent: agent) }
        #expect(error?.code == .misconfigured)
        #expect(await agent.pages.isEmpty)
    }

    /// The metadata are fetched once; the keys again when the issuer signs with another one.
    @Test(.enabled(if: Signatures.isAvailable))
    func rotatedKeyIsFoundAtOnce() async throws {
        let fixture = OpenIDFixture()
        let (published, signing) = (Lock("one"), Lock("one"))
        let other = fixture.transport
        let transport = ScriptedTransport { request in
            switch request.url.path() {
            case "/keys":
                let key = (SignedTokens.rsaKey.object ?? [:]).merging(["kid": .string(published.withLock { $0 })]) {
                    $1
                }
                return try SignedTokens.keys([.object(key)])
            case "/token":
                let claims = SignedTokens.claims([
                    "iss": .string(OpenIDFixture.issuer), "aud": "app",
                    "nonce": .string(fixture.secrets.nonce.reveal()),
                ])
                let token = try SignedTokens.token(claims, header: ["kid": .string(signing.withLock { $0 })])
                return try .json(["access_token": "secret-access", "id_token": .string(token)])
            default: return try await other.send(request)
            }
        }
        var provider = OpenIDProvider(
            "keycloak", issuer: OpenIDFixture.issuer, clientID: "app",
            redirect: .redirect(URL(literal: "com.example.app:/callback")), userAgent: fixture.agent,
            transport: transport, clock: SignedTokens.clock)
        provider.makeSecrets = { [secrets = fixture.secrets] in secrets }
        for id in ["one", "two"] {
            published.withLock { $0 = id }
            signing.withLock { $0 = id }
            _ = try await provider.authenticate().value
        }
        #expect(transport.requests.filter { $0.url.path() == "/keys" }.count == 2)
        #expect(transport.requests.filter { $0.url.path().hasSuffix("openid-configuration") }.count == 1)

        signing.withLock { $0 = "forged" }
        let error = await #expect(throws: AuthError.self) { try await provider.authenticate().value }
        #expect(error?.code == .invalidIDToken)
    }
}
