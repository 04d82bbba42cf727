import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// What each error word of the standards becomes. The issuer's own word is kept beside our code.
@MainActor
@Suite(.limitedParallelization) struct OpenIDErrorTests {
    /// RFC 6749 section 4.1.2.1 and OpenID Connect Core section 3.1.2.6, over real HTTP.
    @Test(arguments: StandardErrors.ofThePage)
    func errorOfThePageKeepsItsWord(word: String, code: AuthError.Code) async throws {
        try await withEmulator { emulator in
            emulator.inject(.error(word), at: .issuerAuthorize)
            let transport = URLSessionTransport.untimed()
            let provider = OpenIDProvider(
                .keycloak(
                    realm: "main", at: emulator.url(for: "https://id.pulseboard.example"),
                    clientID: emulator.configuration.issuer.clientID, redirect: .loopback(path: "/callback/openid")),
                userAgent: SystemBrowser(opener: ScriptedBrowser(transport: transport)), transport: transport)
            let error = await #expect(throws: AuthError.self) { try await provider.authenticate().value }
            #expect(error?.code == code)
            #expect(error?.serverCode == word)
            #expect(error?.step == .presenting)
            #expect(!emulator.journal.entries.contains { $0.method == "POST" }, "Nothing is redeemed.")
        }
    }

    /// RFC 6749 section 5.2, in answer to a code.
    @Test(arguments: StandardErrors.ofTheTokenEndpoint)
    func errorOfTheTokenEndpointKeepsItsWord(word: String, status: Int, code: AuthError.Code) async throws {
        var fixture = OpenIDFixture()
        fixture.refusal = try .json(
            ["error": .string(word), "error_description": "secret-code", "error_uri": "https://id.example/secret"],
            status: status)
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == code && error.serverCode == word && error.step == .exchanging)
        expectNoLeak(of: ["secret-", "id.example/secret"], in: error)
    }
}
