import AuthStreams
import Foundation
import TestSupport
import Testing

/// The places of tokens, the names of providers and further members, as a contract says.
@Suite struct ServerDialectTests {
    private typealias Fixture = ServerFixture

    // MARK: Requests

    @Test func namesLeadIntoObjects() async throws {
        let transport = AnsweringTransport([Fixture.signedIn])
        var contract = ServerContract()
        contract.credential.provider = "social.type"
        contract.credential.idToken = "social.tokens.id"
        contract.credential.accessToken = "social.tokens.access"
        contract.credential.code = "social"  // already an object
        contract.credential.userID = "social.type.x"  // already a string
        contract.providerNames = [.google: "GOOGLE"]
        _ = try await Fixture.repository(transport, contract).signIn(with: Fixture.credential)
        let body = try #require(transport.requests.first?.json)
        #expect(
            body["social"] == [
                "type": "GOOGLE",
                "tokens": ["id": "provider+id/token=&.", "access": "provider+access/token="],
            ])
    }

    @Test func aPathNamesTheProviderByTheServersName() async throws {
        var contract = ServerContract()
        contract.signIn.path = "oauth/{provider}/login"
        contract.link?.path = "oauth/{provider}"
        contract.reauthenticate?.path = "oauth/{provider}/again"
        contract.revokeAccess?.path = "oauth/{provider}/revoke"
        contract.providerNames = [.google: "goo gle"]
        let transport = AnsweringTransport([Fixture.signedIn, Fixture.signedIn, Fixture.signedIn, .json("{}")])
        let repository = Fixture.repository(transport, contract)
        _ = try await repository.signIn(with: Fixture.credential)
        _ = try await repository.link(Fixture.credential, to: Fixture.session)
        _ = try await repository.reauthenticate(Fixture.session, with: Fixture.credential)
        try await repository.revokeAccess(with: Fixture.credential, of: Fixture.session)
        #expect(
            transport.requests.map { $0.url.absoluteString.replacing(Fixture.base.absoluteString, with: "") } == [
                "/oauth/goo%20gle/login", "/oauth/goo%20gle", "/oauth/goo%20gle/again", "/oauth/goo%20gle/revoke",
            ])
        #expect(transport.requests.allSatisfy { $0.json?["provider"] == nil })
    }

    @Test(arguments: ["", ".", ".."]) func aNameThatIsNoPathIsRefused(name: String) async throws {
        var contract = ServerContract()
        contract.signIn.path = "oauth/{provider}"
        contract.providerNames = [.google: name]
        let repository = Fixture.repository(AnsweringTransport([]), contract)
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.signIn(with: Fixture.credential)
        }
        #expect(error.code == .unsupportedProvider)
    }

    private func sent(_ change: (inout ServerContract) -> Void) async throws -> [AuthHTTPRequest] {
        var contract = ServerContract()
        change(&contract)
        let transport = AnsweringTransport([.json(#"{"accessToken":"at"}"#), AuthHTTPResponse(status: 204)])
        let repository = Fixture.repository(transport, contract)
        _ = try? await repository.refresh(Fixture.session)
        _ = try? await repository.signOut(Fixture.session)
        return transport.requests
    }

    @Test func aRefreshTokenMayGoAsBearer() async throws {
        let requests = try await sent { $0.refreshRequest.refreshToken = .bearer() }
        #expect(requests[0].headers[.authorization] == "Bearer old+refresh")
        #expect(requests[0].body == nil)
        // At a sign-out the access token is there.
        #expect(requests[1].headers[.authorization] == "Bearer old+access")
        #expect(requests[1].json == [:])
    }

    @Test func aSignOutWhoseAccessTokenIsRefusedGoesByTheRefreshTokenAlone() async throws {
        var contract = ServerContract()
        contract.refreshRequest.refreshToken = .bearer()
        let transport = AnsweringTransport([
            .problem("/invalid-access-token", status: 401), AuthHTTPResponse(status: 204),
        ])
        try await Fixture.repository(transport, contract).signOut(Fixture.session)
        #expect(
            transport.requests.map { $0.headers[.authorization] } == ["Bearer old+access", "Bearer old+refresh"])
    }

    @Test func aHeaderFieldMayHaveTheTokenAlone() async throws {
        let requests = try await sent { $0.refreshRequest.refreshToken = .header("X-Refresh") }
        #expect(requests.map { $0.headers["x-refresh"] } == ["old+refresh", "old+refresh"])
        #expect(requests.map { $0.headers[.authorization] } == [nil, "Bearer old+access"])
    }

    @Test func aReissueMayWantBothTokens() async throws {
        let inBody = try await sent { $0.refreshRequest.accessToken = "accessToken" }
        #expect(inBody[0].json == ["accessToken": "old+access", "refreshToken": "old+refresh"])
        #expect(inBody[1].json == ["refreshToken": "old+refresh"])
        let inHeaders = try await sent {
            $0.session.accessToken = .bearer()
            $0.session.refreshToken = .bearer("Authorization-refresh")
            $0.refreshRequest.accessToken = .bearer()
        }
        #expect(inHeaders[0].headers[.authorization] == "Bearer old+access")
        #expect(inHeaders[0].headers["authorization-refresh"] == "Bearer old+refresh")
    }

    /// The request has the name alone, unless the contract says another.
    @Test func whereAnAnswerNestsTheRefreshTokenARequestDoesNot() async throws {
        let nested = try await sent { $0.session.refreshToken = "data.tokens.refresh_token" }
        #expect(nested[0].json == ["refresh_token": "old+refresh"])
        let own = try await sent { $0.refreshRequest.refreshToken = "token.refresh" }
        #expect(own[0].json == ["token": ["refresh": "old+refresh"]])
    }

    // MARK: Further members

    @Test func theAppsMembersJoinTheBodiesOfTheContract() async throws {
        let asked = Lock<[ServerContract.Endpoint]>([])
        let transport = AnsweringTransport([
            Fixture.signedIn, Fixture.signedIn, .json(#"{"accessToken":"at"}"#), AuthHTTPResponse(status: 204),
            .json(#"{"user":{"id":"u1"}}"#), AuthHTTPResponse(status: 204),
        ])
        let repository = ServerRepository(
            at: Fixture.base,
            members: { endpoint in
                asked.withLock { $0.append(endpoint) }
                return endpoint == ServerContract().refresh
                    ? [:] : ["device.id": "d1", "device.push": "p1", "provider": "mine", "count": 2]
            }, transport: transport)
        _ = try await repository.signIn(with: Fixture.credential)
        _ = try await repository.signInAnonymously()
        _ = try await repository.refresh(Fixture.session)
        try await repository.signOut(Fixture.session)
        _ = try await repository.reload(Fixture.session)
        try await repository.deleteAccount(Fixture.session)
        let bodies = transport.requests.map(\.json)
        #expect(bodies[0]?["device"] == ["id": "d1", "push": "p1"])
        #expect(bodies[0]?["count"] == 2)
        #expect(bodies[0]?["provider"] == "google.com", "One of the contract is never replaced.")
        #expect(bodies[1]?["device"] == ["id": "d1", "push": "p1"])
        #expect(transport.requests[1].headers[.contentType] == "application/json")
        #expect(bodies[2] == ["refreshToken": "old+refresh"])
        #expect(bodies[3]?["device"] != nil)
        #expect(bodies[4] == nil && bodies[5] == nil, "GET and DELETE have no body.")
        let names = ["auth/sign-in", "auth/anonymous", "auth/refresh", "auth/sign-out"]
        #expect(asked.withLock { $0.map(\.path) } == names)
    }

    @Test func nothingIsSentWhenTheMembersCannotBeHad() async throws {
        struct Unknown: Error {}
        let repository = ServerRepository(
            at: Fixture.base, members: { _ in throw Unknown() }, transport: AnsweringTransport([]))
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.signIn(with: Fixture.credential)
        }
        #expect(error.code == .unexpected)
        #expect(error.explanation.contains("members"))
    }

    // MARK: Answers

    private static var headerContract: ServerContract {
        var contract = ServerContract()
        contract.session.accessToken = .bearer()
        contract.session.refreshToken = .header("Authorization-refresh")
        return contract
    }

    @Test(arguments: [("Bearer at", "rt"), ("at", "Bearer rt"), ("bearer  at ", " rt ")])
    func tokensAreReadFromHeaderFields(access: String, refresh: String) async throws {
        let headers: [HeaderName: String] = [.authorization: access, "authorization-refresh": refresh]
        let transport = AnsweringTransport([
            .json(#"{"user":{"id":"u1"}}"#, headers: headers), AuthHTTPResponse(status: 200, headers: headers),
        ])
        let repository = Fixture.repository(transport, Self.headerContract)
        let session = try await repository.signIn(with: Fixture.credential)
        #expect(session.accessToken == Secret("at") && session.refreshToken == Secret("rt"))
        // A reissue without any body.
        let next = try await repository.refresh(Fixture.session)
        #expect(next.accessToken == Secret("at") && next.refreshToken == Secret("rt"))
    }

    @Test(
        arguments: [
            ([:], "authorization"), ([.authorization: ""], "authorization"),
            ([.authorization: "Bearer"], "authorization"),
            ([.authorization: "Bearer S3CRET, Bearer S3CRET2"], "authorization"),
            ([.authorization: "S3CRET S3CRET"], "authorization"),
            ([.authorization: "Bearer at", "authorization-refresh": " "], "authorization-refresh"),
            ([.authorization: "Bearer at", "authorization-refresh": "S3CRET,S3CRET"], "authorization-refresh"),
            (["authorization-refresh": "S3CRET"], "authorization"),
        ] as [([HeaderName: String], String)])
    func aHeaderFieldWithoutOneTokenIsNamed(headers: [HeaderName: String], name: String) async throws {
        for operation in [ServerOperation.signIn, .refresh] {
            let answer = AuthHTTPResponse.json(#"{"user":{"id":"u1"},"accessToken":"at"}"#, headers: headers)
            let error = try #require(try await operation.error(after: answer, Self.headerContract))
            #expect(error.code == .invalidResponse)
            #expect(error.explanation.contains("'\(name)'"))
            #expect(!everythingPrinted(of: error).contains("S3CRET"))
        }
    }

    @Test(arguments: [
        ("Bearer a.b", "a.b"), ("bearer a.b", "a.b"), ("BEARER  a.b ", "a.b"), (" Bearer\ta.b", "a.b"),
        ("Bearer a b", "a b"), ("Bearera.b", "Bearera.b"), ("a Bearer b", "a Bearer b"), ("Basic a", "Basic a"),
    ])
    func theSchemeBeforeATokenInAMemberIsLeftOut(member: String, token: String) async throws {
        let text = try AuthJSON.object(["accessToken": .string(member), "refreshToken": .string(member)]).encodedText()
        let next = try await Fixture.repository(AnsweringTransport([.json(text)])).refresh(Fixture.session)
        #expect(next.accessToken == Secret(token) && next.refreshToken == Secret(token))
    }

    @Test(arguments: ["Bearer", "Bearer ", "bearer\t"], ["accessToken", "refreshToken"])
    func aSchemeWithoutATokenIsNoToken(value: String, name: String) async throws {
        let members: [String: AuthJSON] = ["accessToken": "S3CRET", "refreshToken": "S3CRET"]
        let text = try AuthJSON.object(members.merging([name: .string(value)]) { $1 }).encodedText()
        let error = try #require(try await ServerOperation.refresh.error(after: .json(text)))
        #expect(error.code == .invalidResponse)
        #expect(error.explanation.contains("'\(name)'"))
        #expect(!everythingPrinted(of: error).contains("S3CRET"))
    }

    @Test func aReissueOfTheAccessTokenAloneKeepsTheRefreshToken() async throws {
        let next = try await Fixture.repository(AnsweringTransport([.json(#"{"accessToken":"at"}"#)])).refresh(
            Fixture.session)
        #expect(next.accessToken == Secret("at") && next.refreshToken == Secret("old+refresh"))
    }

    @Test func aUserMayStandBesideTheTokensAndHaveANumber() async throws {
        var contract = ServerContract()
        contract.session.user = ""
        contract.user.id = "memberId"
        contract.user.providers = "socials"
        contract.providerNames = [.kakao: "KAKAO", .apple: "apple"]
        let text =
            #"{"accessToken":"at","memberId":9007199254740993,"socials":[{"id":"kakao"},{"id":"APPLE"},{"id":"line"}]}"#
        let session = try await Fixture.repository(AnsweringTransport([.json(text)]), contract).signIn(
            with: Fixture.credential)
        #expect(session.user.id == "9007199254740993")
        #expect(session.user.providers.map(\.id) == [.kakao, .apple, "line"])
    }
}

extension AuthJSON {
    fileprivate func encodedText() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}
