import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// When the user information is asked, and how it refuses: OpenID Connect Core section 5.3, RFC 6750 section 3.1.
@Suite struct OpenIDUserInfoTests {
    /// RFC 6750 section 3.1: the status decides, and the word in `WWW-Authenticate` is kept.
    @Test(
        arguments: [
            (
                401, "Bearer realm=\"id\", error=\"invalid_token\", error_description=\"secret\"", .invalidCredential,
                "invalid_token"
            ),
            (401, "DPoP algs=\"ES256\", Bearer error=invalid_token", .invalidCredential, "invalid_token"),
            (401, "Bearer", .invalidCredential, nil), (401, nil, .invalidCredential, nil),
            (403, "Bearer error=\"insufficient_scope\", scope=\"openid\"", .accessDenied, "insufficient_scope"),
            (403, nil, .accessDenied, nil),
            (400, "Bearer error=\"invalid_request\"", .invalidResponse, "invalid_request"),
            (401, "Bearer error=\"<of its own>\"", .invalidCredential, "_of_its_own_"),
        ] as [(Int, String?, AuthError.Code, String?)])
    func refusalKeepsItsWord(status: Int, challenge: String?, code: AuthError.Code, word: String?) async throws {
        let session = try await IssuerFixture().repository().signIn(with: IssuerFixture.credential)
        var answering = IssuerFixture()
        answering.userInfo = { .text("", status: status, headers: challenge.map { ["WWW-Authenticate": $0] } ?? [:]) }
        let fixture = answering
        let error = try #require(
            await #expect(throws: AuthError.self) { try await fixture.repository().reload(session) })
        #expect(error.code == code && error.serverCode == word)
        #expect(error.classification.refusesAccessToken == (status == 401))
        expectNoLeak(of: ["secret", "access-1"], in: error)
    }

    /// OpenID Connect Core section 5.3.2: without `sub` the claims may be anyone's.
    @Test(arguments: [#"{"name":"Eve"}"#, #"{"sub":null,"name":"Eve"}"#, #"{"sub":1001,"name":"Eve"}"#])
    func claimsWithoutASubjectAreRefused(body: String) async throws {
        var fixture = IssuerFixture()
        let session = try await fixture.repository().signIn(with: IssuerFixture.credential)
        fixture.userInfo = { .text(body) }
        let (repository, client) = (fixture.repository(), fixture.provider(fixture.transport).client)
        let reloaded = await #expect(throws: AuthError.self) { try await repository.reload(session) }
        let read = await #expect(throws: AuthError.self) {
            try await client.userInfo(session.accessToken, subject: nil)
        }
        #expect(reloaded?.code == .invalidResponse && read?.code == .invalidResponse)
    }

    /// The ID token says who it is.
    @Test func signInLeavesOutClaimsWithoutASubject() async throws {
        var fixture = IssuerFixture()
        fixture.userInfo = { try .json(["name": "Changed", "email": "other@example.com"]) }
        let warnings = Lock<[AuthError]>([])
        var credential = IssuerFixture.credential
        credential.warnings = .init { warning in warnings.withLock { $0.append(AuthError(wrapping: warning)) } }
        let user = try await fixture.repository().signIn(with: credential).user
        #expect(user.displayName == "Minji" && user.email == nil)
        #expect(warnings.withLock { $0 }.map(\.code) == [.invalidResponse])
    }

    /// The name that the person signs in with, such as for a screen that shows both.
    @Test func userNameIsAClaimBesideTheName() async throws {
        var fixture = IssuerFixture()
        fixture.userInfo = { try .json(["sub": "1001", "name": "Minji Kim", "preferred_username": "minji"]) }
        let user = try await fixture.repository().signIn(with: IssuerFixture.credential).user
        #expect(user.displayName == "Minji Kim" && user.claims["preferred_username"] == "minji")
    }

    /// The issuer's side of every certification test of a refusal fails if this request follows.
    @Test(
        arguments: [
            ["iss": "https://other.example"], ["sub": .null], ["aud": "other"], ["iat": .null], ["nonce": "other"],
            ["exp": 1_799_000_000], ["at_hash": "AAAA"],
        ] as [[String: AuthJSON]])
    func nothingIsAskedAfterARefusedIDToken(claims: [String: AuthJSON]) async {
        var refused = IssuerFixture()
        refused.first = claims
        refused.userInfo = { try .json(["sub": "1001"]) }
        let (fixture, transport) = (refused, refused.transport)
        await #expect(throws: AuthError.self) {
            try await fixture.repository(transport).signIn(with: IssuerFixture.credential)
        }
        #expect(transport.requests.contains { $0.url.path() == "/token" })
        #expect(!transport.requests.contains { $0.url.path() == "/me" })
    }
}
