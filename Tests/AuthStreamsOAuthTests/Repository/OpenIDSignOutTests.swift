import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

/// Ending tokens and sessions: RFC 7009, RP-Initiated Logout 1.0.
@Suite struct OpenIDSignOutTests {
    /// RFC 7009 section 2.2: the body of a 200 is ignored, also where a token was not known.
    @Test(arguments: ["", "<html>", #"{"error":"invalid_token"}"#, "{"])
    func bodyOfASuccessfulRevocationIsIgnored(body: String) async throws {
        var fixture = IssuerFixture()
        fixture.revocation = { .text(body) }
        let repository = fixture.repository()
        let session = try await repository.signIn(with: IssuerFixture.credential)
        await #expect(throws: Never.self) { try await repository.signOut(session) }
    }

    /// RFC 7009 section 2.2.1: after a 503 the token still works, and the issuer says when to ask again.
    @Test(arguments: [(503, AuthError.Code.server), (429, .rateLimited)])
    func failedRevocationSaysWhenToTryAgain(status: Int, code: AuthError.Code) async throws {
        var fixture = IssuerFixture()
        fixture.revocation = { .text("", status: status, headers: [.retryAfter: "7"]) }
        let repository = fixture.repository()
        let session = try await repository.signIn(with: IssuerFixture.credential)
        let error = await #expect(throws: AuthError.self) { try await repository.signOut(session) }
        #expect(error?.code == code && error?.retryAfter == .seconds(7))
        #expect(error?.classification.isTransient == true)
    }

    /// RFC 7009 section 2.2.1.
    @Test func typeOfTokenThatIsNotRevokedKeepsItsWord() async throws {
        var fixture = IssuerFixture()
        fixture.revocation = { try .json(["error": "unsupported_token_type"], status: 400) }
        let repository = fixture.repository()
        let session = try await repository.signIn(with: IssuerFixture.credential)
        let error = await #expect(throws: AuthError.self) { try await repository.signOut(session) }
        #expect(error?.serverCode == "unsupported_token_type")
    }

    /// RP-Initiated Logout 1.0 section 2: `logout_hint` and `ui_locales`.
    @Test func logOutPageGetsHintAndLanguages() async throws {
        var options = OpenIDProvider.Options()
        options.locales = ["ko", "en"]
        let repository = IssuerFixture().repository(options: options)
        let agent = ScriptedAgent { page, redirectURI in callback(redirectURI, ["state": page["state"] ?? ""]) }
        try await repository.endSession(
            redirect: .redirect(URL(literal: "com.example.app:/goodbye")), userAgent: agent,
            logoutHint: "minji@example.com"
        ).value
        let page = try #require(await agent.pages.first)
        #expect(page["ui_locales"] == "ko en" && page["logout_hint"] == "minji@example.com")
        #expect(page["id_token_hint"] == nil)
    }

    @Test func logOutPageReturnsToNoRedirectURIWithAFragment() async {
        let agent = ScriptedAgent { page, redirectURI in callback(redirectURI, ["state": page["state"] ?? ""]) }
        let page = IssuerFixture().repository().endSession(
            redirect: .redirect(URL(literal: "com.example.app:/goodbye#top")), userAgent: agent)
        let error = await #expect(throws: AuthError.self) { try await page.value }
        #expect(error?.code == .misconfigured)
        #expect(await agent.pages.isEmpty)
    }
}
