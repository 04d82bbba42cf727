import AuthStreams
import Foundation
import TestSupport
import Testing

/// A refresh token in a cookie: which one is read, what is stored of it, and which requests have it.
@Suite struct ServerCookieTests {
    private typealias Fixture = ServerFixture

    /// The body has no refresh token.
    private static func answer(_ cookies: String?, date: String? = nil) -> AuthHTTPResponse {
        var headers: [HeaderName: String] = [:]
        headers["set-cookie"] = cookies
        headers[.date] = date
        return .json(#"{"accessToken":"at","user":{"id":"u1"}}"#, headers: headers)
    }

    private static var contract: ServerContract {
        var contract = ServerContract()
        contract.session.refreshToken = .cookie("refreshToken")
        return contract
    }

    private static func session(_ refreshToken: String) -> AuthSession {
        var session = Fixture.session
        session.refreshToken = Secret(refreshToken)
        return session
    }

    private func signIn(
        _ answer: AuthHTTPResponse, at base: URL = Fixture.base
    ) async throws(AuthError) -> AuthSession {
        try await Fixture.repository(AnsweringTransport([answer]), at: base, Self.contract)
            .signIn(with: Fixture.credential)
    }

    private func refresh(
        _ refreshToken: String, _ answer: AuthHTTPResponse = answer(nil)
    ) async throws(AuthError) -> (session: AuthSession, request: AuthHTTPRequest?) {
        let transport = AnsweringTransport([answer])
        let session = try await Fixture.repository(transport, Self.contract).refresh(Self.session(refreshToken))
        return (session, transport.requests.first)
    }

    // MARK: Reading

    @Test(
        arguments: [
            ("refreshToken=rt", "refreshToken=rt; Path=/v1/auth; Host=api.example.com"),
            (
                "refreshToken=rt; Path=/; HttpOnly; Secure; SameSite=Strict",
                "refreshToken=rt; Path=/; Host=api.example.com"
            ),
            ("refreshToken = rt ;path=/v1/auth/;Max-Age=3600", "refreshToken=rt; Path=/v1/auth/; Host=api.example.com"),
            ("refreshToken=rt; Path=v1", "refreshToken=rt; Path=/v1/auth; Host=api.example.com"),
            ("refreshToken=rt; Path=/v2; Path=/v1", "refreshToken=rt; Path=/v1; Host=api.example.com"),
            (
                "refreshToken=rt; Path=/; Domain=api.example.com",
                "refreshToken=rt; Path=/; Domain=api.example.com"
            ),
            ("refreshToken=rt; Path=/; DOMAIN=.Example.COM", "refreshToken=rt; Path=/; Domain=example.com"),
            ("refreshToken=rt; Path=/; Domain=", "refreshToken=rt; Path=/; Host=api.example.com"),
            ("refreshToken=r=t==; Path=/", "refreshToken=r=t==; Path=/; Host=api.example.com"),
            (#"refreshToken="rt"; Path=/"#, #"refreshToken="rt"; Path=/; Host=api.example.com"#),
            (
                "refreshToken=rt; Path=/; Expires=Wed, 21 Oct 2065 07:28:00 GMT",
                "refreshToken=rt; Path=/; Host=api.example.com"
            ),
            ("refreshToken=rt; Path=/; Expires=soon; Max-Age=soon", "refreshToken=rt; Path=/; Host=api.example.com"),
        ] as [(String, String)])
    func valuePathAndDomainAreStored(cookie: String, stored: String) async throws {
        let session = try await signIn(Self.answer(cookie))
        #expect(session.refreshToken == Secret(stored))
        let pair = stored.prefix { $0 != ";" }
        let request = try await refresh(stored).request
        #expect(request?.headers["cookie"] == String(pair))
        #expect(request?.body == nil)
    }

    @Test(arguments: [
        "theme=dark; Expires=Wed, 21 Oct 2065 07:28:00 GMT; Path=/, refreshToken=rt; Path=/v1; "
            + "Expires=Thu, 22 Oct 2065 07:28:00 GMT, sid=1; HttpOnly",
        "refreshToken=rt; Path=/v1; HttpOnly, sid=1; Expires=Wed, 21 Oct 2065 07:28:00 GMT",
        "sid=refreshToken=no; Path=/,refreshToken=rt; Path=/v1,RefreshToken=no; Path=/,xrefreshToken=no",
        // A server deletes the cookie of its earlier path, or has one of a later path.
        "refreshToken=; Path=/; Max-Age=0, refreshToken=rt; Path=/v1",
        "refreshToken=rt; Path=/v1, refreshToken=no; Path=/; Max-Age=0",
        "refreshToken=no; Path=/, refreshToken=rt; Path=/v1",
    ])
    func ofSeveralCookiesTheOneOfThatNameIsRead(cookies: String) async throws {
        #expect(
            try await signIn(Self.answer(cookies)).refreshToken
                == Secret("refreshToken=rt; Path=/v1; Host=api.example.com"))
    }

    @Test func whatDiffersInEachAnswerIsNotStored() async throws {
        let first = try await signIn(Self.answer("refreshToken=rt; Max-Age=900; Domain=example.com; Path=/v1"))
        let other = "refreshToken=rt; Path=/v1; Expires=Wed, 21 Oct 2065 07:28:00 GMT; Domain=.example.com; HttpOnly"
        let second = try await signIn(Self.answer(other))
        #expect(first.refreshToken == second.refreshToken)
    }

    @Test(arguments: [
        nil, "", "sid=1", "refreshToken", "refreshToken=; Path=/", #"refreshToken=""; Path=/"#,
        "refreshToken=no; Max-Age=0", "refreshToken=no; Max-Age=-1; Expires=Wed, 21 Oct 2065 07:28:00 GMT",
        "refreshToken=no; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "refreshToken=no; Expires=Thu, 01-Jan-1970 00:00:01 GMT",
        "refreshToken=no; Domain=other.example; Max-Age=0",
    ])
    func anEmptyOrDeletedCookieCountsAsAbsent(cookies: String?) async throws {
        #expect(try await signIn(Self.answer(cookies)).refreshToken == nil)
        let next = try await refresh("refreshToken=old; Path=/v1", Self.answer(cookies)).session
        #expect(next.refreshToken == Secret("refreshToken=old; Path=/v1"))
    }

    /// The device's clock may be wrong.
    @Test(arguments: [
        ("Tue, 20 Oct 2015 07:28:00 GMT", true), ("Wed, 21 Oct 2015 07:28:00 GMT", false),
        ("Thu, 22 Oct 2065 07:28:00 GMT", false),
    ])
    func theServersClockSaysWhetherACookieIsExpired(date: String, isRead: Bool) async throws {
        let cookie = "refreshToken=rt; Path=/; Expires=Wed, 21 Oct 2015 07:28:00 GMT"
        let session = try await signIn(Self.answer(cookie, date: date))
        #expect((session.refreshToken != nil) == isRead)
        // Max-Age takes precedence.
        let lasting = try await signIn(Self.answer("\(cookie); Max-Age=60", date: date))
        #expect(lasting.refreshToken == Secret("refreshToken=rt; Path=/; Host=api.example.com"))
    }

    @Test(arguments: [
        #"S3CRET\"#, "S3 CRET", #"S3CRET"x"#, #""S3CRET"#, "S3CRET,x", "S3CRETé", "S3CRET\u{7F}",
    ])
    func aValueThatCannotBeSentBackIsRefused(value: String) async throws {
        let answer = Self.answer("refreshToken=\(value); Path=/")
        for operation in [ServerOperation.signIn, .refresh] {
            let error = try #require(try await operation.error(after: answer, Self.contract))
            #expect(error.code == .invalidResponse)
            #expect(error.explanation.contains("'refreshToken'"))
            #expect(!everythingPrinted(of: error).contains("S3CRET"))
        }
    }

    @Test(arguments: [
        ("https://api.example.com/v1", "other.example", false),
        ("https://api.example.com/v1", "v1.api.example.com", false),
        ("https://api.example.com/v1", "i.example.com", false),
        ("https://api.example.com/v1", "example.com.evil", false),
        ("https://API.example.com/v1", "Api.Example.com", true), ("http://127.0.0.1:8080/v1", "0.0.1", false),
        ("http://127.0.0.1:8080/v1", "127.0.0.1", true), ("http://localhost/v1", "localhost", true),
    ])
    func aCookieOfAnotherHostIsRefused(base: String, domain: String, isRead: Bool) async throws {
        let answer = Self.answer("refreshToken=S3CRET; Path=/; Domain=\(domain)")
        let transport = AnsweringTransport([answer])
        let repository = Fixture.repository(transport, at: try #require(URL(string: base)), Self.contract)
        do throws(AuthError) {
            let session = try await repository.signIn(with: Fixture.credential)
            #expect(isRead)
            #expect(session.refreshToken == Secret("refreshToken=S3CRET; Path=/; Domain=\(domain.lowercased())"))
        } catch {
            #expect(!isRead)
            #expect(error.code == .invalidResponse)
            #expect(error.explanation.contains("'refreshToken'") && error.explanation.contains("another host"))
            #expect(!everythingPrinted(of: error).contains("S3CRET"))
        }
    }

    // MARK: Sending

    /// Also after an update of the app with another base URL.
    @Test func aCookieWithoutADomainGoesToItsHostAlone() async throws {
        let stored = try #require(try await signIn(Self.answer("refreshToken=S3CRET; Path=/")).refreshToken)
        let other = Fixture.repository(
            AnsweringTransport([]), at: try #require(URL(string: "https://api2.example.com/v1")), Self.contract)
        let error = try await serverFailure { () throws(AuthError) in
            try await other.refresh(Self.session(stored.reveal()))
        }
        #expect(error.code == .misconfigured && error.explanation.contains("'api.example.com'"))
        #expect(!everythingPrinted(of: error).contains("S3CRET"))
    }

    @Test func aRefreshSendsTheCookieAndTakesTheNext() async throws {
        let transport = AnsweringTransport([
            Self.answer("refreshToken=r1; Path=/v1/auth"), Self.answer("refreshToken=r2; Path=/v1; Domain=example.com"),
            Self.answer(nil), AuthHTTPResponse(status: 204),
        ])
        let repository = Fixture.repository(transport, Self.contract)
        var session = try await repository.signIn(with: Fixture.credential)
        session = try await repository.refresh(session)
        session = try await repository.refresh(session)
        try await repository.signOut(session)
        #expect(
            transport.requests.map { $0.headers["cookie"] } == [
                nil, "refreshToken=r1", "refreshToken=r2", "refreshToken=r2",
            ])
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil, nil, nil, "Bearer at"])
        #expect(transport.requests.dropFirst().map(\.json) == [nil, nil, [:]])
    }

    @Test(arguments: ["/", "/v1", "/v1/", "/v1/auth", "/v1/auth/refresh"])
    func aPathMatchesItselfAndThoseBelow(path: String) async throws {
        let stored = try await signIn(Self.answer("refreshToken=rt; Path=\(path)")).refreshToken
        #expect(stored == Secret("refreshToken=rt; Path=\(path); Host=api.example.com"))
        let request = try await refresh("refreshToken=rt; Path=\(path)").request
        #expect(request?.headers["cookie"] == "refreshToken=rt")
    }

    /// At a sign-in at once, when no session is lost by it.
    @Test(arguments: ["/auth", "/v1/auth/refresh/", "/v1/auth/ref", "/V1", "/v2", "/v1/auth/refresh/x"])
    func aCookieForAnotherPathThanTheRefreshIsAMistake(path: String) async throws {
        let signIn = Fixture.repository(
            AnsweringTransport([Self.answer("refreshToken=S3CRET; Path=\(path)")]), Self.contract)
        let refresh = Fixture.repository(AnsweringTransport([]), Self.contract)
        for error in [
            try await serverFailure { () throws(AuthError) in try await signIn.signIn(with: Fixture.credential) },
            try await serverFailure { () throws(AuthError) in
                try await refresh.refresh(Self.session("refreshToken=S3CRET; Path=\(path)"))
            },
        ] {
            #expect(error.code == .misconfigured)
            for part in ["'refreshToken'", "'\(path)'", "'/v1/auth/refresh'"] {
                #expect(error.explanation.contains(part))
            }
            #expect(!everythingPrinted(of: error).contains("S3CRET"))
        }
    }

    /// Such as after an app's update with another base URL.
    @Test func aCookieForAnotherDomainIsNotSent() async throws {
        let repository = Fixture.repository(AnsweringTransport([]), Self.contract)
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.refresh(Self.session("refreshToken=S3CRET; Path=/; Domain=other.example"))
        }
        #expect(error.code == .misconfigured)
        #expect(error.explanation.contains("'other.example'") && error.explanation.contains("'api.example.com'"))
        #expect(!everythingPrinted(of: error).contains("S3CRET"))
    }

    @Test func aSignOutLeavesOutTheCookieOfAnotherPath() async throws {
        let transport = AnsweringTransport([AuthHTTPResponse(status: 204)])
        try await Fixture.repository(transport, Self.contract)
            .signOut(Self.session("refreshToken=rt; Path=/v1/auth/refresh"))
        #expect(transport.requests.map { $0.headers["cookie"] } == [nil])
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old+access"])
    }

    @Test func aSignOutWhoseAccessTokenIsRefusedGoesByTheCookieAlone() async throws {
        let refusal = AuthHTTPResponse.problem("/invalid-access-token", status: 401)
        let transport = AnsweringTransport([refusal, AuthHTTPResponse(status: 204)])
        try await Fixture.repository(transport, Self.contract).signOut(Self.session("refreshToken=rt; Path=/v1"))
        #expect(transport.requests.map { $0.headers["cookie"] } == ["refreshToken=rt", "refreshToken=rt"])
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old+access", nil])
        // Without the cookie, there would be nothing in a second request.
        let repository = Fixture.repository(AnsweringTransport([refusal]), Self.contract)
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.signOut(Self.session("refreshToken=rt; Path=/v1/auth/refresh"))
        }
        #expect(error.code == .invalidCredential)
    }

    @Test func noOtherRequestHasTheCookie() async throws {
        let user = AuthHTTPResponse.json(#"{"user":{"id":"u1"}}"#)
        let transport = AnsweringTransport([
            Self.answer("refreshToken=S3CRET; Path=/"), Self.answer("refreshToken=S3CRET; Path=/"),
            user, user, user, user, user, .json("{}"), .json("{}"), .json("{}"),
        ])
        let repository = Fixture.repository(transport, Self.contract)
        let session = try await repository.signIn(with: Fixture.credential)
        _ = try await repository.signInAnonymously()
        _ = try await repository.link(Fixture.credential, to: session)
        _ = try await repository.unlink(.kakao, from: session)
        _ = try await repository.reauthenticate(session, with: Fixture.credential)
        _ = try await repository.reload(session)
        _ = try await repository.updateProfile(ProfileChanges(displayName: .set("N")), of: session)
        try await repository.revokeAccess(with: Fixture.credential, of: session)
        try await repository.signOutEverywhere(session)
        try await repository.deleteAccount(session)
        #expect(transport.requests.count == 10)
        for request in transport.requests {
            #expect(request.headers["cookie"] == nil)
            let sent = request.headers.values + [request.line, String(decoding: request.body ?? Data(), as: UTF8.self)]
            #expect(!sent.contains { $0.contains("S3CRET") })
        }
    }

    @Test func theAppsOwnCookiesFollow() async throws {
        let transport = AnsweringTransport([Self.answer(nil), AuthHTTPResponse(status: 204)])
        let repository = Fixture.repository(transport, Self.contract, headers: { ["Cookie": "device=1; b=2"] })
        let session = Self.session("refreshToken=rt; Path=/")
        _ = try await repository.refresh(session)
        try await repository.deleteAccount(session)
        #expect(
            transport.requests.map { $0.headers["cookie"] } == ["refreshToken=rt; device=1; b=2", "device=1; b=2"])
    }

    // MARK: Tokens that came from elsewhere

    @Test func anAdoptedTokenIsTheCookiesValue() async throws {
        let transport = AnsweringTransport([Self.answer(nil), Self.answer("refreshToken=r2; Path=/v1")])
        let repository = Fixture.repository(transport, Self.contract)
        let session = try await repository.adopt(refreshToken: Secret("old=="))
        #expect(session.refreshToken == Secret("old=="))
        let next = try await repository.refresh(session)
        #expect(next.refreshToken == Secret("refreshToken=r2; Path=/v1; Host=api.example.com"))
        #expect(transport.requests.map { $0.headers["cookie"] } == ["refreshToken=old==", "refreshToken=old=="])
        #expect(transport.requests.map(\.body) == [nil, nil])
    }

    @Test(arguments: ["S3CRET; admin=1", "S3 CRET", "S3CRET\r\nX: y", "S3CRET,x", "S3CRETé", "S3CRET; Path=/"])
    func anAdoptedTokenThatNoCookieMayHaveIsNotSent(token: String) async throws {
        let repository = Fixture.repository(AnsweringTransport([]), Self.contract)
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.adopt(refreshToken: Secret(token))
        }
        #expect(error.code == .invalidCredential)
        #expect(!everythingPrinted(of: error).contains("S3CRET"))
    }

    @Test func aRequestMayHaveTheTokenInAnotherPlaceThanTheAnswer() async throws {
        var inBody = Self.contract
        inBody.refreshRequest.refreshToken = "token"
        var inCookie = ServerContract()
        inCookie.refreshRequest.refreshToken = .cookie("rt")
        let transport = AnsweringTransport([Self.answer(nil), Self.answer(nil), Self.answer(nil)])
        _ = try await Fixture.repository(transport, inBody).refresh(Self.session("refreshToken=v; Path=/auth"))
        _ = try await Fixture.repository(transport, inCookie).refresh(Self.session("v"))
        // The next version of the app may have another contract.
        _ = try await Fixture.repository(transport).refresh(Self.session("refreshToken=v; Path=/"))
        #expect(transport.requests.map(\.json) == [["token": "v"], nil, ["refreshToken": "v"]])
        #expect(transport.requests.map { $0.headers["cookie"] } == [nil, "rt=v", nil])
    }

    @Test func anAccessTokenIsReadFromACookieAsWell() async throws {
        var contract = Self.contract
        contract.session.accessToken = .cookie("accessToken")
        let cookies: [HeaderName: String] = ["set-cookie": "accessToken=a.t; Path=/api, refreshToken=rt; Path=/"]
        let transport = AnsweringTransport([AuthHTTPResponse(status: 200, headers: cookies), .json("{}")])
        let repository = Fixture.repository(transport, contract)
        let session = try await repository.refresh(Self.session("refreshToken=old; Path=/"))
        #expect(session.accessToken == Secret("a.t") && session.refreshToken?.isEmpty == false)
        try await repository.deleteAccount(session)
        #expect(transport.requests.last?.headers[.authorization] == "Bearer a.t")
        let error = try #require(try await ServerOperation.signIn.error(after: Fixture.signedIn, contract))
        #expect(error.code == .invalidResponse && error.explanation.contains("'accessToken'"))
    }
}
