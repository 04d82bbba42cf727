import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// Parameters that are sent to the issuer before the page is shown: RFC 9126.
@Suite(.limitedParallelization) struct OpenIDPushedRequestTests {
    private static let requestURI = "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c"
    private static let answer: AuthJSON = ["request_uri": .string(requestURI), "expires_in": 60]

    private func fixture(status: Int = 201, _ answer: AuthJSON = Self.answer) throws -> OpenIDFixture {
        var fixture = OpenIDFixture()
        fixture.metadata = [
            "pushed_authorization_request_endpoint": "https://id.example/par",
            "require_pushed_authorization_requests": true,
        ]
        fixture.pushed = try .json(answer, status: status)
        // The page's URL does not have the state any more.
        fixture.callbackFields = { [state = fixture.secrets.state.reveal()] _ in
            ["code": "secret-code", "state": state, "iss": OpenIDFixture.issuer]
        }
        return fixture
    }

    @Test(arguments: [201, 200]) func pageHasTheRequestURIAlone(status: Int) async throws {
        let fixture = try fixture(status: status)
        let (agent, transport) = (fixture.agent, fixture.transport)
        #expect(try await fixture.signIn(agent: agent, transport: transport).userID == "1001")
        #expect(await agent.pages == [["tenant": "7", "client_id": "app", "request_uri": Self.requestURI]])
        #expect(
            transport.forms.first { !$0.isEmpty } == [
                "client_id": "app", "response_type": "code", "scope": "openid email profile",
                "redirect_uri": "com.example.app:/callback", "state": fixture.secrets.state.reveal(),
                "nonce": fixture.secrets.nonce.reveal(), "code_challenge": fixture.secrets.proofKey.challenge,
                "code_challenge_method": "S256",
            ])
        #expect(transport.forms.last { !$0.isEmpty }?["redirect_uri"] == "com.example.app:/callback")
    }

    /// Where the metadata have an endpoint, unless the configuration declines and the metadata do not require it.
    @Test(
        arguments: [
            (true, true, false, true), (true, false, true, true), (true, false, false, false),
            (false, false, true, false),
        ])
    func parametersArePushedWhereTheIssuerTakesThem(
        hasEndpoint: Bool, isRequired: Bool, isConfigured: Bool, isPushed: Bool
    ) async throws {
        var fixture = try fixture()
        if !hasEndpoint { fixture.metadata["pushed_authorization_request_endpoint"] = .null }
        fixture.metadata["require_pushed_authorization_requests"] = .bool(isRequired)
        fixture.pushesAuthorizationRequests = isConfigured
        let agent = fixture.agent
        _ = try await fixture.signIn(agent: agent)
        #expect(await agent.pages.map { $0["request_uri"] != nil } == [isPushed])
        #expect(await agent.pages.map { $0["state"] == nil } == [isPushed])
    }

    @Test func issuerThatRequiresItWithoutAnEndpointShowsNothing() async throws {
        var fixture = try fixture()
        fixture.metadata["pushed_authorization_request_endpoint"] = .null
        let agent = fixture.agent
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(agent: agent) }
        #expect(error?.code == .invalidResponse && error?.explanation.contains("overrides") == true)
        #expect(await agent.pages.isEmpty)
    }

    /// Section 2: as at the token endpoint.
    @Test(
        arguments: [
            (.basic(Secret("s:ü")), "app:s%3A%C3%BC", nil), (.post(Secret("s:ü")), nil, "s:ü"),
            (.publicClient, nil, nil),
        ] as [(ClientAuthentication, String?, String?)])
    func clientProvesWhoItIs(authentication: ClientAuthentication, pair: String?, secret: String?) async throws {
        var fixture = try fixture()
        fixture.authentication = authentication
        let transport = fixture.transport
        _ = try await fixture.signIn(transport: transport)
        let request = try #require(transport.requests.first { $0.url.path() == "/par" })
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        let fields = try #require(FormCoding.decode(body))
        #expect(request.method == .post && request.headers[.contentType] == FormCoding.contentType)
        #expect(request.headers[.authorization] == pair.map { "Basic \(Data($0.utf8).base64EncodedString())" })
        #expect(fields.filter { $0.name == "client_id" }.map(\.value) == ["app"])
        #expect(fields.first { $0.name == "client_secret" }?.value == secret)
    }

    @Test(
        arguments: [
            (201, [:], .invalidResponse), (201, ["request_uri": "", "expires_in": 60], .invalidResponse),
            (201, ["request_uri": 7, "expires_in": 60], .invalidResponse),
            (201, ["request_uri": "urn:x y\n", "expires_in": 60], .invalidResponse),
            (200, ["request_uri": "urn:x"], .invalidResponse),
            (201, ["request_uri": "urn:x", "expires_in": 0], .invalidResponse),
            (400, ["error": "invalid_request", "error_description": "No redirect_uri."], .misconfigured),
            (401, ["error": "invalid_client"], .misconfigured), (403, ["error": "access_denied"], .misconfigured),
            (400, ["error": "policy_violation"], .misconfigured), (400, ["error": "invalid_scope"], .misconfigured),
            (302, [:], .invalidResponse), (405, [:], .invalidResponse), (413, [:], .invalidResponse),
            (429, [:], .rateLimited), (503, ["error": "temporarily_unavailable"], .server),
        ] as [(Int, AuthJSON, AuthError.Code)])
    func requestThatIsNotTakenShowsNothing(status: Int, answer: AuthJSON, code: AuthError.Code) async throws {
        let fixture = try fixture(status: status, answer)
        let (agent, transport) = (fixture.agent, fixture.transport)
        let error = try #require(
            await #expect(throws: AuthError.self) { try await fixture.signIn(agent: agent, transport: transport) })
        #expect(error.code == code && error.step == .presenting && error.provider == "keycloak")
        #expect(error.serverCode == answer["error"]?.string)
        #expect(await agent.pages.isEmpty)
        expectNoLeak(of: [fixture.secrets.state.reveal(), fixture.secrets.nonce.reveal()], in: error)
    }

    /// The server may quote the request.
    @Test func errorShowsNothingOfTheRequest() async throws {
        var fixture = try fixture()
        fixture.authentication = .post(Secret("client-secret"))
        let secrets = fixture.secrets
        let description = "\(secrets.state.reveal()) \(secrets.nonce.reveal()) client-secret"
        fixture.pushed = try .json(
            ["error": "invalid_request", "error_description": .string(description)], status: 400)
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        expectNoLeak(of: [secrets.state.reveal(), secrets.nonce.reveal(), "client-secret"], in: error)
    }

    /// The redirect URI is known once the listener is open.
    @Test func parametersOfAPageThatAnswersToAListenerArePushed() async throws {
        var fixture = try fixture()
        fixture.redirect = .loopback(path: "/callback")
        let (opener, transport) = (ScriptedOpener(), fixture.transport)
        let provider = fixture.provider(agent: SystemBrowser(opener: opener), transport: transport)
        let attempt = Task { try await provider.authenticate().value }
        let start = try #require(await opener.first.value())
        var browser = LoopbackVisitor(port: UInt16(try #require(start.port)), start: start.path())
        let page = try await browser.begin()
        let query = FormCoding.encode([("client_id", "app"), ("request_uri", Self.requestURI)])
        #expect(headerField("Location", of: page) == "https://id.example/auth?tenant=7&\(query)")
        let pushed = try #require(transport.forms.first { !$0.isEmpty })
        #expect(pushed["redirect_uri"] == "http://\(browser.authority)/callback")
        let fields = FormCoding.encode([
            ("code", "secret-code"), ("state", fixture.secrets.state.reveal()), ("iss", OpenIDFixture.issuer),
        ])
        _ = try await browser.get("/callback?\(fields)")
        #expect(try await attempt.value.userID == "1001")
    }
}
