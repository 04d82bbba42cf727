import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

@testable import Providers

extension GitHubProvider {
    /// The provider of the app that the fake server knows.
    init(userAgent: any UserAgent, transport: any AuthHTTPTransport) {
        self.init(
            clientID: FakeServer.github.id, clientSecret: FakeServer.github.secret,
            redirect: .redirect(FakeServer.github.redirectURI), userAgent: userAgent, transport: transport)
    }
}

/// What GitHub's access token proves, and GitHub's own errors.
@Suite struct GitHubProviderTests {
    @Test func itKeepsEveryPromise() async throws {
        let report = try await contract(at: FakeServer(), of: GitHubProvider.init(userAgent:transport:)).verify()
        #expect(report.skipped.count == 2)  // it has one method kind alone
    }

    @Test func theAppsServerChecksTheAccessTokenAtGitHub() async throws {
        let server = FakeServer()
        let credential = try await signIn(at: server, by: GitHubProvider.init(userAgent:transport:))
        #expect(credential.idToken == nil)
        #expect(credential.userID == nil)
        let client = Data("\(FakeServer.github.id):\(FakeServer.github.secret.reveal())".utf8).base64EncodedString()
        let check = try #require(URL(string: "https://api.github.com/applications/\(FakeServer.github.id)/token"))
        let token = AuthJSON.string(try #require(credential.accessToken?.reveal()))
        let answer = try await server.send(
            AuthHTTPRequest(
                .post, check, headers: [.authorization: "Basic \(client)"],
                body: try JSONEncoder().encode(AuthJSON.object(["access_token": token]))))
        #expect(answer.status == 200)
    }

    // AddAProvider: an error of GitHub's own
    @Test func aWrongSecretIsAMistakeOfTheConfiguration() async {
        let error = await #expect(throws: AuthError.self) {
            try await signIn(at: FakeServer()) { userAgent, transport in
                GitHubProvider(
                    clientID: FakeServer.github.id, clientSecret: Secret("of another app"),
                    redirect: .redirect(FakeServer.github.redirectURI), userAgent: userAgent, transport: transport)
            }
        }
        #expect(error?.code == .misconfigured)
        #expect(error?.serverCode == "incorrect_client_credentials")
    }
    // AddAProvider end

    @Test func aReauthenticationIsRefusedBeforeAnythingIsShown() async {
        let server = FakeServer()
        let error = await #expect(throws: AuthError.self) {
            try await signIn(
                at: server, AuthRequest(purpose: .reauthenticate), by: GitHubProvider.init(userAgent:transport:))
        }
        #expect(error?.code == .unsupportedProvider)
        #expect(await server.requestCount == 0)
    }
}
