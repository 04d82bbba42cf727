import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

/// The forms of redirect URIs: RFC 6749 section 3.1.2, RFC 8252 section 7, RFC 9700 section 2.6.
@Suite(.limitedParallelization) struct OpenIDRedirectTests {
    private static let wrong = [
        ("/callback", "is relative"), ("callback", "is relative"), ("com.example.app:/callback#top", "has a fragment"),
        ("https://app.example/callback#", "has a fragment"), ("http://app.example/callback", "plain http"),
        ("https:/callback", "no host"),
    ]

    /// RFC 6749 section 3.1.2: absolute, without a fragment. RFC 9700 section 2.6: no plain http but to this machine.
    @Test(arguments: wrong)
    func redirectURIThatBreaksARuleShowsNothing(text: String, rule: String) async throws {
        var fixture = OpenIDFixture()
        fixture.redirect = .redirect(try url(text))
        let agent = fixture.agent
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(agent: agent) }
        #expect(error?.code == .misconfigured && error?.explanation.contains(rule) == true)
        #expect(await agent.pages.isEmpty)
    }

    @Test func pathOfAListenerHasNoFragment() async {
        var fixture = OpenIDFixture()
        fixture.redirect = .loopback(path: "/callback#top")
        let agent = fixture.agent
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(agent: agent) }
        #expect(error?.code == .misconfigured && error?.explanation.contains("has a fragment") == true)
        #expect(await agent.pages.isEmpty)
    }

    /// An address that forwards the answer is what the provider redirects to.
    @Test(arguments: wrong) func relayThatBreaksARuleShowsNothing(text: String, rule: String) async throws {
        let (secrets, relay) = (AuthorizationSecrets(), try url(text))
        let agent = OpenIDFixture().agent
        let error = await #expect(throws: AuthError.self) {
            try await agent.grant(
                for: AuthorizationRequest(
                    endpoint: URL(literal: "https://id.example/auth"), clientID: "app", state: secrets.state),
                AuthRequest(), secrets: secrets, redirect: .redirect(URL(literal: "com.example.app:/callback")),
                relay: relay)
        }
        #expect(error?.code == .misconfigured && error?.explanation.contains(rule) == true)
        #expect(await agent.pages.isEmpty)
    }

    /// RFC 8252 sections 7.1 to 7.3: a scheme of the app, a claimed link, a listener. RFC 6749 section 4.1.3: the token
    /// request repeats it.
    @Test(arguments: [
        "com.example.app:/callback", "com.example.app:/callback?provider=keycloak", "https://app.example/callback",
        "http://127.0.0.1:4711/callback", "http://[::1]:4711/callback",
    ])
    func redirectURIIsSentAndRepeatedAsItStands(text: String) async throws {
        var fixture = OpenIDFixture()
        fixture.redirect = .redirect(try url(text))
        let page = Lock<[String: String]>([:])
        let agent = ScriptedAgent { parameters, _ in
            page.withLock { $0 = parameters }
            return "\(text)\(text.contains("?") ? "&" : "?")code=c&iss=https%3A%2F%2Fid.example%2Frealms%2Fapp&state="
                + (parameters["state"] ?? "")
        }
        let transport = fixture.transport
        _ = try await fixture.signIn(agent: agent, transport: transport)
        #expect(page.withLock { $0["redirect_uri"] } == text)
        #expect(transport.forms.last { !$0.isEmpty }?["redirect_uri"] == text)
    }

    /// `state` and PKCE bind the answer. The token request repeats the redirect URI that is registered.
    @MainActor
    @Test(arguments: [
        ("com.example.app://callback", "com.example.app://callback/"),
        ("com.example.app:/callback", "com.example.app:/callback/"),
    ])
    func slashThatTheIssuerAddsChangesNothing(text: String, answered: String) async throws {
        var fixture = OpenIDFixture()
        fixture.redirect = .redirect(try url(text))
        let (callbacks, transport) = (CallbackRouter(), fixture.transport)
        let fields: [(name: String, value: String)] = [
            ("code", "c"), ("iss", OpenIDFixture.issuer), ("state", fixture.secrets.state.reveal()),
        ]
        let answer = try url("\(answered)?\(FormCoding.encode(fields))")
        let opener = ScriptedOpener { _ in
            #expect(callbacks.handle(answer))
            return .unobservable
        }
        let provider = fixture.provider(
            agent: SystemBrowser(opener: opener, callbacks: callbacks), transport: transport)
        #expect(try await provider.authenticate().value.userID == "1001")
        #expect(transport.forms.last { !$0.isEmpty }?["redirect_uri"] == text)
    }

    /// RFC 8252 sections 7.1 and 7.2, RFC 9700 section 2.1: one slash after the scheme, and each character counts.
    @Test(arguments: [
        ("com.example.app:/callback", "com.example.app://callback"),
        ("com.example.app:/callback", "com.example.other:/callback"),
        ("https://app.example/callback", "com.example.app:/callback"),
        ("https://app.example/callback", "http://app.example/callback"),
        ("https://app.example/callback", "https://app.example.evil.example/callback"),
        ("https://app.example/callback", "https://app.example/callback/"),
    ])
    func answerAtAnotherPlaceRedeemsNothing(text: String, other: String) async throws {
        var fixture = OpenIDFixture()
        fixture.redirect = .redirect(try url(text))
        let agent = ScriptedAgent { page, _ in "\(other)?code=c&state=\(page["state"] ?? "")" }
        let transport = fixture.transport
        let error = await #expect(throws: AuthError.self) {
            try await fixture.signIn(agent: agent, transport: transport)
        }
        #expect(error?.code == .invalidResponse)
        #expect(!transport.requests.contains { $0.method == .post })
    }
}
