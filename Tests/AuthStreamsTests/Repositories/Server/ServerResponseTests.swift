import AuthStreams
import Foundation
import TestSupport
import Testing

/// What the server answers with 2xx, and what becomes of it.
@Suite struct ServerResponseTests {
    private typealias Fixture = ServerFixture

    private func signIn(_ text: String, status: Int = 200) async throws -> AuthSession {
        let transport = AnsweringTransport([.json(text, status: status)])
        return try await Fixture.repository(transport).signIn(with: Fixture.credential)
    }

    private func refresh(_ text: String) async throws(AuthError) -> AuthSession {
        try await Fixture.repository(AnsweringTransport([.json(text)])).refresh(Fixture.session)
    }

    /// By a server that names users only with tokens.
    private func adopt(_ text: String) async throws(AuthError) -> AuthSession {
        var contract = ServerContract()
        contract.reload = nil
        return try await Fixture.repository(AnsweringTransport([.json(text)]), contract)
            .adopt(refreshToken: Secret("old+refresh"))
    }

    // MARK: Signing in

    @Test(arguments: [200, 201]) func everyMemberOfTheContractIsRead(status: Int) async throws {
        let session = try await signIn(
            """
            {"accessToken":"at","refreshToken":"rt","expiresIn":900,"isNewUser":true,"provider":"ignored","more":{"x":1},
             "user":{"id":"u1","email":"a@b.example","emailVerified":true,"displayName":"길동","isAnonymous":false,
              "photoURL":"https://p.example/1","claims":{"role":"admin"},"shoeSize":42,
              "providers":[{"id":"kakao","userID":"1001","email":"k@b.example"},{"id":"line"},{"userID":"nobody's"}]}}
            """, status: status)
        #expect(
            session
                == AuthSession(
                    accessToken: Secret("at"), refreshToken: Secret("rt"),
                    expiresAt: Fixture.now.addingTimeInterval(900),
                    user: AuthUser(
                        id: "u1", email: "a@b.example", isEmailVerified: true, displayName: "길동",
                        photoURL: URL(string: "https://p.example/1"),
                        providers: [
                            .init(id: .kakao, userID: "1001", email: "k@b.example"), .init(id: "line"),
                        ], claims: ["role": "admin"]),
                    provider: .google, isNewUser: true))
    }

    @Test(arguments: ["", "null", #""""#].map { $0.isEmpty ? "" : #","refreshToken":\#($0)"# })
    func withoutARefreshTokenASessionLastsAsLongAsItsAccessToken(member: String) async throws {
        let session = try await signIn(#"{"accessToken":"at","user":{"id":"u1"},"expiresIn":60\#(member)}"#)
        #expect(session.refreshToken == nil)
        #expect(session.expiresAt == Fixture.now.addingTimeInterval(60))
        let repository = Fixture.repository(AnsweringTransport([]))
        let error = try await serverFailure { () throws(AuthError) in try await repository.refresh(session) }
        #expect(error.code == .sessionExpired)
        #expect(error.provider == .google)
    }

    @Test(arguments: [
        ("900", 900), (#""900""#, 900), ("900.0", 900), (#""900.0""#, 900), ("299.75", 299.75), ("0", 0), ("-5", 0),
        ("1e300", 31_536_000), ("9223372036854775807", 31_536_000), ("1800000000", 31_536_000), ("null", nil),
        (#""soon""#, 300), ("true", 300), ("[900]", 300),
    ])
    func theLifetimeIsReadLenientlyAndNeverBelievedBlindly(value: String, seconds: TimeInterval?) async throws {
        let session = try await signIn(
            #"{"accessToken":"at","refreshToken":"rt","user":{"id":"u1"},"expiresIn":\#(value)}"#)
        #expect(session.expiresAt == seconds.map { Fixture.now.addingTimeInterval($0) })
        let refreshed = try await refresh(#"{"accessToken":"at","expiresIn":\#(value)}"#)
        #expect(refreshed.expiresAt == seconds.map { Fixture.now.addingTimeInterval($0) })
    }

    @Test func aLifetimeThatIsNoNumberIsThatOfTheTokenItself() async throws {
        func token(_ claims: AuthJSON) throws -> String {
            "e30.\(Base64URL.encode(try JSONEncoder().encode(claims)))."
        }
        let rows: [(String, TimeInterval)] = [
            // By any clock.
            (try token(["iat": 1_000_000_000, "exp": 1_000_000_900]), 900),
            (try token(["iat": 1_000_000_900, "exp": 1_000_000_000]), 300), (try token(["exp": 1_000_000_000]), 300),
        ]
        for (token, seconds) in rows {
            let session = try await refresh(#"{"accessToken":"\#(token)","expiresIn":"soon"}"#)
            #expect(session.expiresAt == Fixture.now.addingTimeInterval(seconds))
            let said = try await refresh(#"{"accessToken":"\#(token)","expiresIn":60}"#)
            #expect(said.expiresAt == Fixture.now.addingTimeInterval(60))
        }
    }

    /// It could not be replaced, so a guess would sign out a user.
    @Test func aLifetimeThatIsNoNumberEndsNoSessionWithoutARefreshToken() async throws {
        #expect(try await signIn(#"{"accessToken":"at","user":{"id":"u1"},"expiresIn":"soon"}"#).expiresAt == nil)
    }

    @Test func whatNeedNotBeThereIsLeftOutWhenItIsOfAnotherType() async throws {
        let session = try await signIn(
            """
            {"accessToken":"at","isNewUser":"perhaps","expiresIn":{},"provider":7,
             "user":{"id":"u1","email":7,"emailVerified":"perhaps","displayName":[],"photoURL":{},"providers":"kakao",
              "isAnonymous":2,"claims":[1]}}
            """)
        #expect(
            session
                == AuthSession(
                    accessToken: Secret("at"), refreshToken: nil, expiresAt: nil, user: AuthUser(id: "u1"),
                    provider: .google))
    }

    static let bad: [(text: String, member: String)] = [
        (#"{"user":{"id":"u1"}}"#, "accessToken"),
        (#"{"accessToken":"","user":{"id":"u1"}}"#, "accessToken"),
        (#"{"accessToken":null,"user":{"id":"u1"}}"#, "accessToken"),
        (#"{"accessToken":["S3CRET"],"user":{"id":"u1"}}"#, "accessToken"),
        (#"{"accessToken":7,"user":{"id":"u1"}}"#, "accessToken"),
        (#"{"accessToken":"S3CRET\r\nX: y","user":{"id":"u1"}}"#, "accessToken"),
        (#"{"accessToken":"S3CRET","user":{"id":"u1"},"refreshToken":"S3CRET\u0000"}"#, "refreshToken"),
        (#"{"accessToken":"S3CRET","user":"S3CRET"}"#, "user"),
        (#"{"accessToken":"S3CRET","user":{}}"#, "user.id"),
        (#"{"accessToken":"S3CRET","user":{"id":""}}"#, "user.id"),
        (#"{"accessToken":"S3CRET","user":{"id":1001.5}}"#, "user.id"),
        (#"{"accessToken":"S3CRET","user":{"id":true}}"#, "user.id"),
        (#"{"accessToken":"S3CRET","user":{"id":"u1"},"refreshToken":{"value":"S3CRET"}}"#, "refreshToken"),
    ]

    @Test(arguments: bad) func aMemberThatIsMissingOrOfAnotherTypeIsNamedAndNeverShown(
        text: String, member: String
    ) async throws {
        let error = try #require(try await ServerOperation.signIn.error(after: .json(text)))
        #expect(error.code == .invalidResponse)
        #expect(error.explanation.contains("'\(member)'"))
        #expect(!everythingPrinted(of: error).contains("S3CRET"))
        #expect(error.provider == .google)
    }

    @Test(
        arguments: [ServerOperation.signIn, .refresh, .adopt],
        ["", "null", "[]", "7", #""x""#, #"{"accessToken":"#, "<html><p>Sign in", "\u{0}\u{FFFD}"])
    func whatIsNoJSONObjectIsAnInvalidResponse(operation: ServerOperation, body: String) async throws {
        #expect(try await operation.error(after: .json(body))?.code == .invalidResponse)
        #expect(try await operation.error(after: .page(status: 200))?.code == .invalidResponse)
        #expect(try await operation.error(after: AuthHTTPResponse(status: 204))?.code == .invalidResponse)
    }

    /// What the server did has no answer but the status, and a page is not the server's.
    @Test(arguments: [ServerOperation.signOut, .delete])
    func aPageWithStatus200DidNothing(operation: ServerOperation) async throws {
        #expect(try await operation.error(after: .page(status: 200))?.code == .invalidResponse)
        #expect(try await operation.error(after: AuthHTTPResponse(status: 204)) == nil)
        for body in ["{}", #"{"done":true}"#, #"{"error":null}"#] {
            #expect(try await operation.error(after: .json(body)) == nil)
        }
    }

    /// Accepted is not done; and what stands in between answers 200 with anything.
    @Test(arguments: [ServerOperation.signOut, .delete]) func a2xxThatDoesNotSayDoneIsNotDone(
        operation: ServerOperation
    ) async throws {
        let answers = [
            AuthHTTPResponse(status: 200), AuthHTTPResponse(status: 202), .json("{}", status: 202),
            .json("{}", status: 207),
            .json(#"{"error":"locked"}"#), .json(#"{"error":{"code":403}}"#), .json("[]"), .json("true"), .json("OK"),
        ]
        for answer in answers {
            #expect(try await operation.error(after: answer)?.code == .invalidResponse)
        }
    }

    // MARK: Refreshing

    @Test func aRefreshWithoutUserKeepsTheSessionsOwn() async throws {
        let session = try await refresh(#"{"accessToken":"at","refreshToken":"rt","expiresIn":60,"isNewUser":true}"#)
        #expect(
            session
                == AuthSession(
                    accessToken: Secret("at"), refreshToken: Secret("rt"),
                    expiresAt: Fixture.now.addingTimeInterval(60), user: Fixture.session.user, provider: .kakao))
    }

    @Test func aRefreshWithAUserBringsThemUpToDate() async throws {
        let session = try await refresh(
            #"{"accessToken":"at","user":{"id":"u1","claims":{"new":true}},"provider":"naver"}"#)
        #expect(session.user == AuthUser(id: "u1", displayName: "Kept", claims: ["new": true]))
        #expect(session.provider == .kakao)
    }

    @Test(arguments: ["", #","refreshToken":null"#, #","refreshToken":"""#])
    func aRefreshWithoutRefreshTokenKeepsTheOld(member: String) async throws {
        #expect(try await refresh(#"{"accessToken":"at"\#(member)}"#).refreshToken == Secret("old+refresh"))
    }

    @Test func anotherUsersSessionIsNotKept() async throws {
        let error = try await serverFailure { () throws(AuthError) in
            try await refresh(#"{"accessToken":"at","refreshToken":"rt","user":{"id":"u2"}}"#)
        }
        #expect(error.code == .invalidResponse)
        #expect(error.provider == .kakao)
        #expect(error.explanation.contains("another user"))
    }

    /// The old refresh token is used up by now, and the next one is in the answer.
    @Test(arguments: ["{}", "7", "[]", #""u1""#, #"{"id":1001.5}"#, #"{"id":""}"#, "null"])
    func aUserThatCannotBeReadCostsNoTokens(user: String) async throws {
        let text = #"{"accessToken":"at","refreshToken":"rt","user":\#(user)}"#
        let session = try await refresh(text)
        #expect(session.refreshToken == Secret("rt"))
        #expect(session.user == Fixture.session.user)
        let error = try await serverFailure { () throws(AuthError) in try await adopt(text) }
        #expect(error.explanation.contains("'user'"))
        let adoptable = AdoptableSession(
            refreshToken: Secret("old+refresh"), user: AuthUser(id: "u1"), provider: .kakao)
        let adopted = try await Fixture.repository(AnsweringTransport([.json(text)])).adopt(adoptable)
        #expect(adopted.user.id == "u1" && adopted.refreshToken == Secret("rt"))
    }

    @Test(arguments: [#"{"user":{"id":"u1"}}"#, #"{"accessToken":"at","refreshToken":["rt"]}"#, "{}"])
    func aRefreshThatMakesNoSenseIsNotKept(text: String) async throws {
        let error = try await serverFailure { () throws(AuthError) in try await refresh(text) }
        #expect(error.code == .invalidResponse)
    }

    // MARK: Adopting

    @Test(arguments: [
        (#""provider":"naver","user":{"id":"u1","providers":[{"id":"kakao"}]}"#, ProviderID.naver),
        (#""user":{"id":"u1","providers":[{"id":"kakao"},{"id":"naver"}]}"#, .kakao),
        (#""user":{"id":"u1","isAnonymous":true}"#, .anonymous), (#""user":{"id":"u1"}"#, "unknown"),
    ])
    func anAdoptedSessionIsOfTheProviderThatTheAnswerNames(members: String, provider: ProviderID) async throws {
        let session = try await adopt(#"{"accessToken":"at","isNewUser":true,\#(members)}"#)
        #expect(session.provider == provider)
        #expect(session.user.id == "u1")
        #expect(session.refreshToken == Secret("old+refresh"))
        #expect(!session.isNewUser)
        let rotated = try await adopt(#"{"accessToken":"at","refreshToken":"rt",\#(members)}"#)
        #expect(rotated.refreshToken == Secret("rt"))
    }

    @Test func anAdoptedSessionMustSayWhoseItIs() async throws {
        let error = try await serverFailure { () throws(AuthError) in
            try await adopt(#"{"accessToken":"at","refreshToken":"rt","provider":"kakao"}"#)
        }
        #expect(error.code == .invalidResponse)
        #expect(error.explanation.contains("'user'"))
    }

    @Test func anEmptyTokenIsNotAdopted() async throws {
        let repository = Fixture.repository(AnsweringTransport([]))
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.adopt(refreshToken: Secret(""))
        }
        #expect(error.code == .invalidCredential)
    }
}
