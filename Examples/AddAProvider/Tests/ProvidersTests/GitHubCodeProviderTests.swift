// swift-format-ignore-file: NeverForceUnwrap

import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

@testable import Providers

/// A code that only the app's server can redeem, because it has the secret.
@Suite struct GitHubCodeProviderTests {
    private static let server = AuthorizationServerMetadata(
        authorizationEndpoint: URL(string: "https://github.com/login/oauth/authorize")!,
        tokenEndpoint: URL(string: "https://github.com/login/oauth/access_token")!)

    static let makeProvider: @Sendable (any UserAgent, any AuthHTTPTransport) -> GitHubCodeProvider = {
        GitHubCodeProvider(
            client: OAuthClient("github", metadata: server, clientID: FakeServer.github.id, transport: $1),
            redirect: .redirect(FakeServer.github.redirectURI), userAgent: $0)
    }

    @Test func itKeepsEveryPromise() async throws {
        let report = try await contract(at: FakeServer(), of: Self.makeProvider).verify()
        #expect(report.skipped.count == 2)  // it has one method kind alone
    }

    @Test func theAppsServerRedeemsTheCode() async throws {
        let github = FakeServer()
        let code = try #require(try await signIn(at: github, by: Self.makeProvider).authorizationCode)
        let endpoint = TokenEndpoint(url: try #require(Self.server.tokenEndpoint), transport: github)
        let answer = try await endpoint.redeem(
            code: code.code, clientID: FakeServer.github.id, authentication: .post(FakeServer.github.secret),
            redirectURI: code.redirectURI, verifier: code.codeVerifier)
        #expect(await github.issued(accessToken: answer.accessToken.reveal()))
    }
}
