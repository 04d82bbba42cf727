import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// The prompt `none` (OpenID Connect Core 3.1.2.1 and 3.1.2.6).
@Suite struct OpenIDSilentRequestTests {
    @Test(arguments: ["login_required", "consent_required", "account_selection_required", "interaction_required"])
    func refusalSaysWhatTheIssuerHasToAsk(word: String) async throws {
        var fixture = OpenIDFixture()
        fixture.callbackFields = { ["error": word, "state": $0, "iss": OpenIDFixture.issuer] }
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(AuthRequest(prompts: [.none])) }
        #expect(error?.code == .requiresRecentSignIn && error?.serverCode == word)
        #expect(error?.explanation.contains("Sign in without it") == true)
    }

    /// Asked, the person decides.
    @Test func consentThatThePersonRefusedIsTheirOwn() async throws {
        var fixture = OpenIDFixture()
        fixture.callbackFields = { ["error": "consent_required", "state": $0, "iss": OpenIDFixture.issuer] }
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == .accessDenied)
    }

    @Test func pageAsksNothing() async throws {
        let fixture = OpenIDFixture()
        let agent = fixture.agent
        _ = try await fixture.signIn(AuthRequest(prompts: [.none]), agent: agent)
        #expect(await agent.pages.first?["prompt"] == "none")
    }

    @Test(arguments: [
        AuthRequest(prompts: [.none, .login]), AuthRequest(prompts: [.consent, .none]),
        AuthRequest(purpose: .reauthenticate, prompts: [.none]),
    ])
    func questionBesideItIsAMistake(request: AuthRequest) async throws {
        let fixture = OpenIDFixture()
        let agent = fixture.agent
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(request, agent: agent) }
        #expect(error?.code == .misconfigured)
        #expect(await agent.pages.isEmpty)
    }
}
