import AuthStreams
import Foundation
import Testing

/// Changes of the session: what goes to the server, and what becomes of its answer.
@Suite struct ServerChangeTests {
    private typealias Fixture = ServerFixture

    private let changed = AuthHTTPResponse.json(#"{"user":{"id":"u1","displayName":"New"}}"#)

    // MARK: Requests

    @Test func eachIsOneRequestToItsEndpoint() async throws {
        let transport = AnsweringTransport(ServerChange.allCases.map { $0 == .anonymous ? Fixture.signedIn : changed })
        let repository = Fixture.repository(transport)
        for change in ServerChange.allCases { try await change.run(repository) }
        let requests = transport.requests
        #expect(
            requests.map(\.line) == [
                "POST https://api.example.com/v1/auth/links", "DELETE https://api.example.com/v1/auth/links/kakao",
                "POST https://api.example.com/v1/auth/reauthenticate", "POST https://api.example.com/v1/auth/anonymous",
                "POST https://api.example.com/v1/auth/sign-out-everywhere",
                "POST https://api.example.com/v1/auth/revoke-access",
            ])
        #expect(
            requests.map { $0.headers[.authorization] != nil } == [true, true, true, false, true, true])
        #expect(requests.compactMap { $0.headers[.authorization] }.allSatisfy { $0 == "Bearer old+access" })
        // The credential is what a sign-in would send, and nothing else goes anywhere.
        let signIn = AnsweringTransport([Fixture.signedIn])
        _ = try await Fixture.repository(signIn).signIn(with: Fixture.credential)
        let credential = try #require(signIn.requests.first?.json)
        let none = AuthJSON?.none
        #expect(requests.map(\.json) == [credential, none, credential, none, none, credential])
    }

    @Test(arguments: ServerChange.allCases) func whatTheServerHasNotIsRefusedBeforeAnyRequest(
        change: ServerChange
    ) async throws {
        var contract = ServerContract()
        (contract.link, contract.unlink, contract.reauthenticate) = (nil, nil, nil)
        (contract.signInAnonymously, contract.signOutEverywhere, contract.revokeAccess) = (nil, nil, nil)
        let repository = Fixture.repository(AnsweringTransport([]), contract)
        let error = try await serverFailure { () throws(AuthError) in try await change.run(repository) }
        #expect(error.code == .unsupportedProvider)
        #expect(error.explanation.contains("contract"))
        #expect(!repository.revokesAccess(at: .google))
    }

    @Test(arguments: [ServerChange.link, .reauthenticate]) func aProviderWithoutARouteIsRefusedBeforeAnyRequest(
        change: ServerChange
    ) async throws {
        let repository = Fixture.repository(AnsweringTransport([]), accepting: [.kakao])
        let error = try await serverFailure { () throws(AuthError) in try await change.run(repository) }
        #expect(error.code == .unsupportedProvider)
        #expect(error.provider == .google)
    }

    @Test func whereAccessCanBeRevokedIsConfiguration() async throws {
        var contract = ServerContract()
        contract.revocableProviders = [.kakao]
        let repository = Fixture.repository(AnsweringTransport([]), contract)
        #expect(repository.revokesAccess(at: .kakao) && !repository.revokesAccess(at: .google))
        let error = try await serverFailure { () throws(AuthError) in
            try await ServerChange.revokeAccess.run(repository)
        }
        #expect(error.code == .unsupportedProvider)
    }

    @Test(arguments: [
        ("auth/links/{provider}", "a/b", "/v1/auth/links/a%2Fb", false),
        ("auth/links/{provider}", "한 글", "/v1/auth/links/%ED%95%9C%20%EA%B8%80", false),
        ("/me/{provider}/unlink", "apple.com", "/v1/me/apple.com/unlink", false),
        ("auth/unlink", "apple.com", "/v1/auth/unlink", true),
    ])
    func aProviderIsOnePartOfThePathOrInTheBody(
        path: String, provider: String, expected: String, isInBody: Bool
    ) async throws {
        var contract = ServerContract()
        contract.unlink = .init(.post, path)
        let transport = AnsweringTransport([changed])
        _ = try await Fixture.repository(transport, contract).unlink(
            ProviderID(rawValue: provider), from: Fixture.session)
        let request = try #require(transport.requests.first)
        #expect(request.url.path(percentEncoded: true) == expected)
        #expect(request.json == (isInBody ? ["provider": .string(provider)] : AuthJSON?.none))
    }

    @Test(arguments: ["", ".", ".."]) func whatNamesNoProviderIsNotSent(provider: String) async throws {
        let repository = Fixture.repository(AnsweringTransport([]))
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.unlink(ProviderID(rawValue: provider), from: Fixture.session)
        }
        #expect(error.code == .unsupportedProvider)
    }

    // MARK: Answers

    @Test(arguments: [ServerChange.everywhere, .revokeAccess]) func a2xxThatDoesNotSayDoneIsNotDone(
        change: ServerChange
    ) async {
        for answer in [AuthHTTPResponse(status: 204), .json("{}")] { #expect(await change.error(after: answer) == nil) }
        for answer in [
            AuthHTTPResponse(status: 200), AuthHTTPResponse(status: 202), .json("{}", status: 202),
            .json(#"{"error":"invalid_token"}"#), .json("OK"),
        ] {
            #expect(await change.error(after: answer)?.code == .invalidResponse)
        }
    }

    @Test(arguments: [ServerChange.link, .unlink, .reauthenticate])
    func withoutTokensTheSessionGoesOnWithItsOwn(change: ServerChange) async throws {
        var expected = Fixture.session
        expected.user = AuthUser(id: "u1", displayName: "New")
        expected.isNewUser = false
        #expect(try await change.session(after: changed) == expected)
    }

    @Test(arguments: [ServerChange.link, .unlink, .reauthenticate])
    func theTokensOfAnAnswerReplaceTheSessions(change: ServerChange) async throws {
        let date: [HeaderName: String] = [.date: "Sun, 06 Nov 1994 08:49:37 GMT"]
        let both = #"{"accessToken":"at","refreshToken":"rt","expiresIn":60,"user":{"id":"u1"}}"#
        let session = try #require(try await change.session(after: .json(both, headers: date)))
        #expect(session.accessToken == Secret("at") && session.refreshToken == Secret("rt"))
        #expect(session.expiresAt == Fixture.now.addingTimeInterval(60))
        #expect(session.issuedAt == Date(timeIntervalSince1970: 784_111_777))
        let access = try await change.session(after: .json(#"{"accessToken":"at","user":{"id":"u1"}}"#))
        #expect(access?.refreshToken == Secret("old+refresh"))
        // A new refresh token that nothing can be done with now would be lost.
        let refresh = await change.error(after: .json(#"{"refreshToken":"rt","user":{"id":"u1"}}"#))
        #expect(refresh?.code == .invalidResponse)
    }

    @Test func anAnonymousUsersSessionIsTheNewIdentitysFromThenOn() async throws {
        var session = Fixture.session
        session.provider = .anonymous
        let repository = Fixture.repository(AnsweringTransport([changed, changed]))
        #expect(try await repository.link(Fixture.credential, to: session).provider == .google)
        #expect(try await repository.link(Fixture.credential, to: Fixture.session).provider == .kakao)
    }

    @Test func anAnonymousSignInIsASession() async throws {
        let answer = #"{"accessToken":"at","refreshToken":"rt","user":{"id":"u9","isAnonymous":true},"isNewUser":true}"#
        let session = try #require(try await ServerChange.anonymous.session(after: .json(answer, status: 201)))
        #expect(session.provider == .anonymous && session.user.isAnonymous && session.isNewUser)
        #expect(await ServerChange.anonymous.error(after: changed)?.code == .invalidResponse)
    }

    @Test(arguments: [
        (ServerChange.link, AuthError.Code.invalidResponse), (.unlink, .invalidResponse),
        (.reauthenticate, .credentialInUse),
    ])
    func anotherUsersAnswerIsNotKept(change: ServerChange, code: AuthError.Code) async throws {
        let error = await change.error(after: .json(#"{"accessToken":"at","user":{"id":"u2"}}"#))
        #expect(error?.code == code)
    }

    @Test func onlyAReauthenticationMayHaveNoAnswer() async throws {
        var expected = Fixture.session
        expected.isNewUser = false
        #expect(try await ServerChange.reauthenticate.session(after: AuthHTTPResponse(status: 204)) == expected)
        #expect(try await ServerChange.reauthenticate.session(after: .json("{}")) == expected)
        for change in [ServerChange.link, .unlink] {
            #expect(await change.error(after: AuthHTTPResponse(status: 204))?.code == .invalidResponse)
            #expect(await change.error(after: .json("{}"))?.code == .invalidResponse)
        }
    }

    /// The credential may be another user's, and a server that checks nothing else signs them in.
    @Test(arguments: [ServerChange.link, .unlink, .reauthenticate])
    func tokensThatDoNotSayWhoseTheyAreAreNotKept(change: ServerChange) async throws {
        for user in ["", #","user":null"#] {
            let error = await change.error(after: .json(#"{"accessToken":"at","refreshToken":"rt"\#(user)}"#))
            #expect(error?.code == .invalidResponse)
            #expect(error?.explanation.contains("'user'") == true)
        }
    }

    /// What stands in between answers so, too.
    @Test(arguments: ServerChange.allCases.filter { $0 != .everywhere && $0 != .revokeAccess })
    func a200WithNothingIsNoAnswer(change: ServerChange) async throws {
        for headers in [[:], [HeaderName.contentType: "text/html"], [.contentType: "application/json"]] {
            let error = await change.error(after: AuthHTTPResponse(status: 200, headers: headers))
            #expect(error?.code == .invalidResponse)
            #expect(error?.explanation.contains("between") == true)
        }
    }

    @Test(arguments: ServerChange.allCases) func aPageWithStatus200DidNothing(change: ServerChange) async throws {
        #expect(await change.error(after: .page(status: 200))?.code == .invalidResponse)
    }

    @Test(arguments: [ServerChange.link, .unlink]) func anErrorIn200DidNothing(change: ServerChange) async throws {
        #expect(await change.error(after: .json(#"{"error":"session_expired"}"#))?.code == .invalidResponse)
    }

    /// The old refresh token may be used up by now, so what is good in the answer is kept.
    @Test func anErrorBesideTheTokensOfARefreshLosesNoSession() async throws {
        let both = AuthHTTPResponse.json(#"{"error":"late","accessToken":"at","refreshToken":"rt"}"#)
        let next = try await Fixture.repository(AnsweringTransport([both])).refresh(Fixture.session)
        #expect(next.refreshToken == Secret("rt"))
        let alone = try await ServerOperation.refresh.error(after: .json(#"{"error":"invalid_grant"}"#))
        #expect(alone?.code == .invalidResponse)
    }
}
