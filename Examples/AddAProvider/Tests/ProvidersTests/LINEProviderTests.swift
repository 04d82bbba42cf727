import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

@testable import Providers

extension LINEProvider {
    /// The provider of the channel that the fake server knows.
    init(userAgent: any UserAgent, transport: any AuthHTTPTransport) {
        self.init(
            channelID: FakeServer.line.id, channelSecret: FakeServer.line.secret,
            redirect: .redirect(FakeServer.line.redirectURI), userAgent: userAgent, transport: transport)
    }
}

/// What LINE's ID token proves, and which one is refused.
@Suite struct LINEProviderTests {
    // ProviderPromises: LINE's contract
    @Test func itKeepsEveryPromise() async throws {
        let report = try await contract(at: FakeServer(), of: LINEProvider.init(userAgent:transport:)).verify()
        #expect(report.skipped.count == 2)  // it has one method kind alone
    }
    // ProviderPromises end

    @Test func theAppsServerChecksTheAccessTokenAtLINE() async throws {
        let server = FakeServer()
        let token = try #require(try await signIn(at: server).accessToken?.reveal())
        let verify = try #require(URL(string: "https://api.line.me/oauth2/v2.1/verify?access_token=\(token)"))
        let answer = try await server.send(AuthHTTPRequest(.get, verify))
        let channel = try JSONDecoder().decode(AuthJSON.self, from: answer.body)["client_id"]
        #expect(channel?.string == FakeServer.line.id)
    }

    @Test func theCredentialHasTheIDTokenAndThePerson() async throws {
        let credential = try await signIn(at: FakeServer())
        #expect(credential.userID == FakeServer.lineUserID)
        #expect(credential.idToken != nil)
        #expect(credential.rawNonce != nil)
    }

    @Test func aTokenThatLINEsKeySignsIsAcceptedToo() async throws {
        #expect(try await signIn(at: FakeServer(signer: .es256)).userID == FakeServer.lineUserID)
    }

    @Test func aTokenThatAnotherSecretSignsIsRefused() async {
        let error = await #expect(throws: AuthError.self) {
            try await signIn(at: FakeServer(signer: .hs256(Secret("another secret"))))
        }
        #expect(error?.code == .invalidIDToken)
    }

    @Test func aReauthenticationNeedsANewLogIn() async throws {
        let request = AuthRequest(purpose: .reauthenticate)
        _ = try await signIn(at: FakeServer(), request)
        let error = await #expect(throws: AuthError.self) { try await signIn(at: FakeServer(age: 3600), request) }
        #expect(error?.code == .invalidIDToken)
    }

    private func signIn(
        at server: FakeServer, _ request: AuthRequest = AuthRequest()
    ) async throws(AuthError) -> Credential {
        try await ProvidersTests.signIn(at: server, request, by: LINEProvider.init(userAgent:transport:))
    }
}
