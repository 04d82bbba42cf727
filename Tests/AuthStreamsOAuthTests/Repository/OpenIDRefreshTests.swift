import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// Refreshing by the rules: RFC 6749 sections 5.2 and 6, OpenID Connect Core section 12.2.
@Suite struct OpenIDRefreshTests {
    private func session(_ fixture: IssuerFixture = IssuerFixture()) async throws -> AuthSession {
        try await fixture.repository().signIn(with: IssuerFixture.credential)
    }

    /// RFC 6749 section 6: the scope may only narrow, and an absent one is that of before.
    @Test(
        arguments: [
            ("openid profile admin", ["openid", "profile"], ["openid", "profile"]),
            ("profile openid", ["openid", "profile"], ["profile", "openid"]),
            ("openid", ["openid", "profile"], ["openid"]),
            ("", ["openid", "profile"], []), (nil, ["openid", "profile"], ["openid", "profile"]), (nil, nil, nil),
            // What was granted before is not known, so the issuer's word counts.
            ("openid email admin", nil, ["openid", "email", "admin"]),
        ] as [(String?, [String]?, [String]?)])
    func scopeOfARefreshOnlyNarrows(answer: String?, before: [String]?, after: [String]?) async throws {
        var (fixture, session) = (IssuerFixture(), try await session())
        session.openID?.scopes = before
        fixture.tokenMembers = ["scope": answer.map { .string($0) } ?? .null]
        #expect(try await fixture.repository().refresh(session).openID?.scopes == after)
    }

    /// RFC 6749 section 5.2: `invalid_grant` alone ends the session; each word is kept.
    @Test(arguments: StandardErrors.ofTheTokenEndpoint)
    func errorOfARefreshKeepsItsWord(word: String, status: Int, code: AuthError.Code) async throws {
        var fixture = IssuerFixture()
        let session = try await session()
        fixture.refusal = try .json(["error": .string(word), "error_description": "refresh-1"], status: status)
        let repository = fixture.repository()
        let error = try #require(await #expect(throws: AuthError.self) { try await repository.refresh(session) })
        #expect(error.code == (word == "invalid_grant" ? .sessionExpired : code) && error.serverCode == word)
        #expect((error.classification.sessionEnd == .expired) == (word == "invalid_grant"))
        expectNoLeak(of: ["refresh-1"], in: error)
    }

    /// OpenID Connect Core sections 3.1.3.8 and 12.2: `at_hash` is that of the new access token.
    @Test(arguments: [("access-2", true), ("access-1", false)])
    func hashInARefreshedIDTokenIsOfTheNewAccessToken(hashed: String, isTaken: Bool) async throws {
        var fixture = IssuerFixture()
        let hash = Base64URL.encode(SHA256.hash(hashed.utf8).prefix(16))
        fixture.refreshed = IssuerFixture.firstToken.merging(["name": "Changed", "at_hash": .string(hash)]) { $1 }
        let next = try await fixture.repository().refresh(try await session())
        #expect(next.user.displayName == (isTaken ? "Changed" : "Minji"))
        #expect(next.refreshToken == Secret("refresh-2"), "The old one is used up.")
    }

    /// RFC 6749 section 5.1 requires it.
    @Test func missingTypeOfARefreshedTokenIsReported() async throws {
        var fixture = IssuerFixture()
        fixture.tokenMembers = ["token_type": .null]
        let warnings = Lock<[AuthError.Code]>([])
        let next = try await fixture.repository().refresh(try await session()) { error in
            warnings.withLock { $0.append(error.code) }
        }
        #expect(next.accessToken == Secret("access-2") && warnings.withLock { $0 } == [.invalidResponse])
    }

    @Test(.enabled(if: Signatures.isAvailable), arguments: ["other bytes", "none"])
    func refreshedIDTokenThatTheIssuerDidNotSignUpdatesNothing(signature: String) async throws {
        var fixture = IssuerFixture()
        fixture.refreshed = IssuerFixture.firstToken.merging(["name": "Changed"]) { $1 }
        fixture.sign = { claims in
            let parts = try SignedTokens.token(claims).split(separator: ".").map(String.init)
            if signature == "none" { return "\(Base64URL.encode(Data(#"{"alg":"none"}"#.utf8))).\(parts[1])." }
            let other = try SignedTokens.token(claims.merging(["name": "Other"]) { $1 }).split(separator: ".")
            return "\(parts[0]).\(parts[1]).\(other[2])"
        }
        let first = try await session()
        let warnings = Lock<[AuthError.Code]>([])
        let next = try await fixture.repository().refresh(first) { error in
            warnings.withLock { $0.append(error.code) }
        }
        #expect(next.user == first.user && next.openID == first.openID)
        #expect(warnings.withLock { $0 } == [.invalidIDToken])
        #expect(next.accessToken == Secret("access-2") && next.refreshToken == Secret("refresh-2"))
    }

    /// OpenID Connect Core section 12.2: the audience includes that of the sign-in. A further one must be trusted
    /// (section 3.1.3.7, rule 3).
    @Test(
        arguments: [
            ("app", ["app", "api"], true), ("app", ["app", "stranger"], false),
            (["app", "api"], ["app", "api"], true),
            (["app", "api"], "app", false),
        ] as [(AuthJSON, AuthJSON, Bool)])
    func audienceOfARefreshedIDTokenIncludesTheFirst(first: AuthJSON, next: AuthJSON, isTaken: Bool) async throws {
        var fixture = IssuerFixture()
        fixture.trustedAudiences = ["api"]
        fixture.first = ["aud": first]
        fixture.refreshed = IssuerFixture.firstToken.merging(["aud": next, "name": "Changed"]) { $1 }
        let refreshed = try await fixture.repository().refresh(try await session(fixture))
        #expect(refreshed.user.displayName == (isTaken ? "Changed" : "Minji"))
    }

    /// RFC 6749 section 2.3.1 and RFC 7009 section 2.1: the client proves itself with each request to its endpoints.
    @Test(
        arguments: [
            (.publicClient, nil, ["client_id": "app"]), (.basic(Secret("s:ü")), "app:s%3A%C3%BC", [:]),
            (.post(Secret("s:ü")), nil, ["client_id": "app", "client_secret": "s:ü"]),
        ] as [(ClientAuthentication, String?, [String: String])])
    func clientProvesItselfWithEachRequest(
        authentication: ClientAuthentication, pair: String?, fields: [String: String]
    ) async throws {
        var fixture = IssuerFixture()
        fixture.authentication = authentication
        let transport = fixture.transport
        let repository = fixture.repository(transport)
        let session = try await repository.signIn(with: IssuerFixture.credential)
        try await repository.signOut(try await repository.refresh(session))
        let sent = zip(transport.requests, transport.forms).filter { $0.0.method == .post }
        #expect(
            sent.map { $0.1["grant_type"] ?? $0.1["token_type_hint"] } == [
                "authorization_code", "refresh_token", "refresh_token",
            ])
        for (request, form) in sent {
            let header = pair.map { "Basic \(Data($0.utf8).base64EncodedString())" }
            #expect(request.headers[.authorization] == header)
            #expect(form.filter { $0.key.hasPrefix("client_") } == fields)
        }
    }
}
