import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct GoogleProviderTests {
    @Test func signInHandsOverTokenNonceAndPerson() async throws {
        let google = GoogleFixture()
        let (agent, transport) = (google.agent, google.transport)
        let credential = try await google.signIn(agent: agent, transport: transport)

        #expect(credential.provider == .google && credential.userID == "1001")
        #expect(credential.rawNonce == google.secrets.nonce && credential.accessToken == Secret("secret-access"))
        #expect(credential.idToken != nil && credential.authorizationCode == nil)
        #expect(google.recorder.steps == [.presenting, .exchanging])

        let page = try #require(await agent.pages.first)
        #expect(
            page == [
                "client_id": GoogleFixture.clientID, "response_type": "code", "scope": "openid email profile",
                "redirect_uri": "http://127.0.0.1:4711/oauth2callback", "state": google.secrets.state.reveal(),
                "nonce": google.secrets.nonce.reveal(), "code_challenge": google.secrets.proofKey.challenge,
                "code_challenge_method": "S256",
            ])
        #expect(transport.requests.first?.url.absoluteString == "https://oauth2.googleapis.com/token")
        #expect(
            transport.forms.first == [
                "grant_type": "authorization_code", "code": "secret-code", "client_id": GoogleFixture.clientID,
                "client_secret": "client-secret", "redirect_uri": "http://127.0.0.1:4711/oauth2callback",
                "code_verifier": google.secrets.proofKey.verifier.reveal(),
            ])
    }

    @Test func mobileClientComesBackByItsReversedID() async throws {
        var google = GoogleFixture(clientSecret: nil)
        google.redirect = .reversedClientID
        let (agent, transport) = (google.agent, google.transport)
        _ = try await google.signIn(agent: agent, transport: transport)
        let redirectURI = "com.googleusercontent.apps.1234-abc:/oauth2callback"
        #expect(await agent.pages.first?["redirect_uri"] == redirectURI)
        #expect(transport.forms.first?["redirect_uri"] == redirectURI && transport.forms.first?["client_secret"] == nil)
    }

    @Test func wrongClientIDIsExplainedBeforeAnythingIsShown() async {
        for (clientID, redirect) in [("", GoogleProvider.Redirect.loopback), ("app", .reversedClientID)] {
            var google = GoogleFixture()
            (google.clientID, google.redirect) = (clientID, redirect)
            let (agent, transport) = (google.agent, google.transport)
            let error = await #expect(throws: AuthError.self) {
                try await google.signIn(agent: agent, transport: transport)
            }
            #expect(error?.code == .misconfigured && error?.provider == .google)
            #expect(await agent.pages.isEmpty && transport.requests.isEmpty)
        }
    }

    @Test func requestReachesThePage() async throws {
        var google = GoogleFixture(hostedDomain: "Example.com")
        google.claims = ["hd": "example.com"]
        let agent = google.agent
        _ = try await google.signIn(
            AuthRequest(
                purpose: .reauthenticate, prompts: [.login, .consent], loginHint: "a+b@example.com",
                extraScopes: ["email", "https://www.googleapis.com/auth/drive.file"]),
            agent: agent)
        let page = try #require(await agent.pages.first)
        #expect(page["prompt"] == "select_account consent" && page["login_hint"] == "a+b@example.com")
        #expect(page["scope"] == "openid email profile https://www.googleapis.com/auth/drive.file")
        #expect(page["hd"] == "Example.com")
    }

    @Test func nothingHappensBeforeTheStreamIsIterated() async {
        let google = GoogleFixture()
        let agent = google.agent
        _ = google.provider(agent, google.transport).authenticate()
        #expect(await agent.pages.isEmpty)
    }

    @Test func everyAttemptHasItsOwnStateAndChallenge() async {
        let google = GoogleFixture()
        let agent = google.agent
        let stream = google.provider(agent, google.transport).authenticate()
        for _ in 0..<2 {
            // The played Google knows another nonce, so the attempts fail; what they sent is what counts.
            for await result in stream { #expect(result.authError?.code == .nonceMismatch) }
        }
        for name in ["state", "nonce", "code_challenge"] {
            #expect(Set(await agent.pages.map { $0[name] }).count == 2)
        }
    }

    @Test func bothSpellingsOfTheIssuerAreTaken() async throws {
        for issuer in ["https://accounts.google.com", "accounts.google.com"] {
            #expect(try await GoogleFixture(claims: ["iss": .string(issuer)]).signIn().userID == "1001")
        }
    }

    @Test func emulatorDiffersByBaseAlone() {
        let endpoints = GoogleProvider.Endpoints.emulator(at: URL(literal: "http://127.0.0.1:9099"))
        #expect(endpoints.token.absoluteString == "http://127.0.0.1:9099/oauth2.googleapis.com/token")
        #expect(
            endpoints.authorization.absoluteString == "http://127.0.0.1:9099/accounts.google.com/o/oauth2/v2/auth")
        #expect(
            endpoints.issuers == [
                "http://127.0.0.1:9099/accounts.google.com", "127.0.0.1:9099/accounts.google.com",
            ])
    }
}
