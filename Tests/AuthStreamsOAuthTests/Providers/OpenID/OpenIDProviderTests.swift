import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// An issuer, played: metadata, a page, a token endpoint and keys that a test can change.
private struct OpenIDFixture: Sendable {
    static let issuer = "https://id.example/realms/app"

    let secrets = AuthorizationSecrets()
    let recorder = StepRecorder()
    var clientID = "app"
    var issuer = Self.issuer
    var authentication = ClientAuthentication.none
    var options = OpenIDProvider.Options()
    /// Changes to the metadata; `null` takes a member away.
    var metadata: [String: JSONValue] = [:]
    /// Changes to the ID token's claims.
    var claims: [String: JSONValue] = [:]
    /// Changes to the token endpoint's answer; `null` takes a member away.
    var members: [String: JSONValue] = [:]
    var callbackFields: @Sendable (_ state: String) -> KeyValuePairs<String, String> = {
        ["code": "secret-code", "state": $0, "iss": Self.issuer]
    }

    var agent: ScriptedAgent {
        ScriptedAgent { [callbackFields] page, redirectURI in
            callback(redirectURI, callbackFields(page["state"] ?? ""))
        }
    }

    var transport: ScriptedTransport {
        let claims = SignedTokens.claims(
            ["iss": .string(Self.issuer), "aud": .string("app"), "nonce": .string(secrets.nonce.reveal())]
                .merging(self.claims) { $1 })
        let document: [String: JSONValue] = [
            "issuer": .string(Self.issuer), "authorization_endpoint": "https://id.example/auth?tenant=7",
            "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
            "authorization_response_iss_parameter_supported": true,
        ]
        return ScriptedTransport { [metadata, members] request in
            switch request.url.path() {
            case "/realms/app/.well-known/openid-configuration":
                return try .json(.object(document.merging(metadata) { $1 }.filter { $0.value != .null }))
            case "/keys": return try SignedTokens.keys()
            case "/token":
                let answer: [String: JSONValue] = [
                    "access_token": "secret-access", "expires_in": 300, "token_type": "bearer",
                    "refresh_token": "secret-refresh", "id_token": .string(try SignedTokens.token(claims)),
                ]
                return try .json(.object(answer.merging(members) { $1 }.filter { $0.value != .null }))
            default: return .text("", status: 404)
            }
        }
    }

    func signIn(
        _ request: AuthRequest = AuthRequest(), agent: ScriptedAgent? = nil, transport: ScriptedTransport? = nil
    ) async throws(AuthError) -> Credential {
        var request = request
        request.onStep = recorder.record
        var provider = OpenIDProvider(
            "keycloak", issuer: issuer, clientID: clientID, authentication: authentication,
            redirect: .redirect(URL(literal: "com.example.app:/callback")), options: options,
            userAgent: agent ?? self.agent, transport: transport ?? self.transport, clock: SignedTokens.clock)
        provider.makeSecrets = { [secrets] in secrets }
        return try await provider.authenticate(request).value
    }
}

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
        fixture.options.parameters = [
            "domain_hint": "example.com", "state": "mine", "redirect_uri": "https://evil.example", "scope": "all",
        ]
        fixture.claims = ["auth_time": 1_800_000_000, "acr": "silver"]
        let agent = fixture.agent
        _ = try await fixture.signIn(
            AuthRequest(
                purpose: .reauthenticate, prompts: [.consent], loginHint: "a+b@example.com", extraScopes: ["phone"]),
            agent: agent)
        let page = try #require(await agent.pages.first)
        #expect(page["max_age"] == "600" && page["acr_values"] == "gold silver" && page["ui_locales"] == "ko en")
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
        ] as [([String: JSONValue], AuthError.Code)])
    func tokenThatBreaksARuleIsRefused(claims: [String: JSONValue], code: AuthError.Code) async {
        var fixture = OpenIDFixture()
        fixture.options.maximumAge = .seconds(600)
        fixture.options.acrValues = ["gold"]
        fixture.claims = ["auth_time": 1_800_000_000, "acr": "gold"].merging(claims) { $1 }
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == code && error?.step == .exchanging)
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
            (["authorization_endpoint": "https://id.example/auth?state=1"], .misconfigured),
            (["authorization_endpoint": "https://id.example/auth?redirect_uri=x"], .misconfigured),
        ] as [([String: JSONValue], AuthError.Code)])
    func metadataThatBreakARuleShowNothing(metadata: [String: JSONValue], code: AuthError.Code) async {
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

    @Test func realmOfKeycloakIsAnIssuer() async throws {
        let fixture = OpenIDFixture()
        let transport = fixture.transport
        let provider = OpenIDProvider.keycloak(
            realm: "app", at: URL(literal: "https://id.example"), clientID: "app", redirect: .loopback(path: "/"),
            userAgent: fixture.agent, transport: transport)
        #expect(provider.id == "keycloak" && provider.methodKinds == [.web])
        // The played issuer knows another nonce; where its metadata were looked for is what counts.
        await #expect(throws: AuthError.self) { try await provider.authenticate().value }
        #expect(transport.requests.contains { $0.url.path() == "/token" })
    }
}
