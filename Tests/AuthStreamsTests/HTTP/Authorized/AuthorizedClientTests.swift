import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct AuthorizedClientTests {
    private let bearers = ScriptedBearers()
    private let server = URL(literal: "https://api.example.com/v1")

    private func client(_ transport: any AuthHTTPTransport) -> AuthorizedClient {
        AuthorizedClient(APIAccess(to: [server], over: transport), bearers: bearers)
    }

    private func request(_ path: String = "notes", headers: [HeaderName: String] = [:]) -> AuthHTTPRequest {
        AuthHTTPRequest(.post, server.appending(path: path), headers: headers, body: Data("x".utf8))
    }

    private func error(_ work: () async throws(AuthError) -> AuthHTTPResponse) async -> AuthError? {
        do throws(AuthError) { _ = try await work() } catch { return error }
        return nil
    }

    @Test func aRequestGetsTheTokenAndKeepsEverythingElse() async throws {
        let api = TokenGuard(taking: "t1")
        let answer = try await client(api).data(for: request(headers: [.accept: "application/json"]))
        #expect(answer.status == 200)
        #expect(api.tokens == ["Bearer t1"])
        let sent = try #require(api.requests.first)
        #expect(sent.headers[.accept] == "application/json")
        #expect(sent.url == server.appending(path: "notes") && sent.body == Data("x".utf8) && sent.method == .post)
    }

    // MARK: Where the token may go

    @Test(arguments: [
        "https://evil.example/v1/notes", "http://api.example.com/v1/notes", "https://api.example.com:8443/",
        "https://api.example.com@evil.example/", "https://api.example.com./", "https://evil.api.example.com/",
    ])
    func noOtherServerIsAskedAndNoTokenIsFetchedForIt(url: String) async throws {
        bearers.state.withLock { $0.isSignedIn = false }
        let api = TokenGuard(taking: "t1")
        let request = AuthHTTPRequest(.get, try #require(URL(string: url + "?code=S3CRET")))
        let error = await error { () async throws(AuthError) in try await client(api).data(for: request) }
        // Not `userNotFound`: no token was requested.
        #expect(error?.code == .misconfigured)
        #expect(api.requests.isEmpty)
        #expect(everythingPrinted(of: error as Any).contains("https://api.example.com:443"))
        #expect(!everythingPrinted(of: error as Any).contains("S3CRET"))
    }

    @Test(arguments: ["Authorization", "AUTHORIZATION", "Host"]) func aFieldThatIsNotForTheCallerIsRefused(
        field: String
    ) async {
        let api = TokenGuard(taking: "t1")
        let request = request(headers: [HeaderName(field): "Basic S3CRET"])
        let error = await error { () async throws(AuthError) in try await client(api).data(for: request) }
        #expect(error?.code == .misconfigured)
        #expect(!everythingPrinted(of: error as Any).contains("S3CRET"))
        #expect(api.requests.isEmpty)
    }

    @Test func aServerThatIsNotReachedByHTTPSStandsForNothing() async throws {
        let plain = try #require(URL(string: "http://api.example.com"))
        let api = TokenGuard(taking: "t1")
        let client = AuthorizedClient(APIAccess(to: [plain], over: api), bearers: bearers)
        let error = await error { () async throws(AuthError) in try await client.data(for: AuthHTTPRequest(.get, plain))
        }
        #expect(error?.code == .misconfigured)
        #expect(api.requests.isEmpty)
    }

    @Test func theErrorSaysWhichServersTheTokenCannotBeSentTo() async throws {
        let plain = try #require(URL(string: "http://api.example.com"))
        let access: APIAccess = ["https://api.example.com", "http://api.example.com", "no URL at all"]
        let client = AuthorizedClient(access.defaulting(to: TokenGuard(taking: "t1")), bearers: bearers)
        let error = await error { () async throws(AuthError) in try await client.data(for: AuthHTTPRequest(.get, plain))
        }
        let text = String(reflecting: error)
        #expect(text.contains("Entry 2 of"))
        #expect(text.contains("Entry 3 of"))
        #expect(!text.contains("Entry 1 of"))
    }

    @Test func aRedirectIsAnAnswer() async throws {
        let api = TokenGuard { _ in AuthHTTPResponse(status: 307, headers: ["location": "https://evil.example/"]) }
        #expect(try await client(api).data(for: request()).status == 307)
        #expect(api.requests.count == 1)
    }

    @Test(arguments: ["", "a b", "a\r\nx-evil: 1", "ü"]) func aTokenThatNoFieldTakesIsNotSent(token: String) throws {
        do {
            _ = try request().authorized(with: Secret(token))
            Issue.record("It was taken.")
        } catch { #expect(error.code == .invalidResponse) }
    }

    /// A transport of the app may check nothing.
    @Test(arguments: [("x-note", "a\r\nx-evil: S3CRET"), ("x note\r\nx-evil", "S3CRET")])
    func requestThatIsNotValidIsSentByNoTransport(name: String, value: String) async {
        let api = TokenGuard(taking: "t1")
        let request = request(headers: [HeaderName(name): value])
        let error = await error { () async throws(AuthError) in try await client(api).data(for: request) }
        #expect(error?.code == .misconfigured && api.requests.isEmpty)
        #expect(!everythingPrinted(of: error as Any).contains("S3CRET"))
    }

    @Test func nobodySignedInIsSaidBeforeAnyRequest() async {
        bearers.state.withLock { $0.isSignedIn = false }
        let api = TokenGuard(taking: "t1")
        let error = await error { () async throws(AuthError) in try await client(api).data(for: request()) }
        #expect(error?.code == .userNotFound)
        #expect(api.requests.isEmpty)
    }

    // MARK: 401

    @Test func aRefusedTokenIsRefreshedOnceAndTheRequestRepeatedOnce() async throws {
        let api = TokenGuard(taking: "t2")
        #expect(try await client(api).data(for: request()).status == 200)
        #expect(api.tokens == ["Bearer t1", "Bearer t2"])
        #expect(api.requests.map(\.body) == [Data("x".utf8), Data("x".utf8)])
        #expect(bearers.refreshes == 1)
        #expect(bearers.events == [.requestRepeated])
    }

    @Test(arguments: [200, 204, 301, 400, 403, 407, 429, 500, 503]) func everyOtherStatusIsReturnedAsItIs(
        status: Int
    ) async throws {
        let api = TokenGuard { _ in AuthHTTPResponse(status: status) }
        #expect(try await client(api).data(for: request()).status == status)
        #expect(api.requests.count == 1 && bearers.refreshes == 0)
    }

    @Test func aTokenThatSomebodyElseBroughtIsUsedWithoutARefresh() async throws {
        let api = TokenGuard { [bearers] request in
            if request.headers[.authorization] == "Bearer t2" { return AuthHTTPResponse(status: 200) }
            bearers.refresh()
            return AuthHTTPResponse(status: 401)
        }
        #expect(try await client(api).data(for: request()).status == 200)
        #expect(bearers.refreshes == 0)
    }

    @Test func aServerThatAlwaysRefusesIsAskedTwiceThenOnceAndCostsOneRefresh() async throws {
        let api = TokenGuard(taking: "none")
        let client = client(api)
        for _ in 0..<5 { #expect(try await client.data(for: request()).status == 401) }
        #expect(api.tokens == ["Bearer t1", "Bearer t2"] + Array(repeating: "Bearer t2", count: 4))
        #expect(bearers.refreshes == 1)
        // A token that came about for another reason is tried, and no more.
        bearers.refresh()
        #expect(try await client.data(for: request()).status == 401)
        #expect(bearers.refreshes == 1)
        #expect(api.tokens.last == "Bearer t3")
    }

    @Test func onceATokenWasTakenTheNextRefusalIsWorthARefresh() async throws {
        let taken = Lock<Set<String>>([])
        let api = TokenGuard { request in
            let isTaken = taken.withLock { $0.contains(request.headers[.authorization] ?? "") }
            return AuthHTTPResponse(status: isTaken ? 200 : 401)
        }
        let client = client(api)
        #expect(try await client.data(for: request()).status == 401)
        bearers.refresh()
        taken.withLock { $0 = ["Bearer t3"] }
        #expect(try await client.data(for: request()).status == 200)
        taken.withLock { $0 = ["Bearer t4"] }
        #expect(try await client.data(for: request()).status == 200)
        #expect(bearers.refreshes == 2)
    }

    @Test func aServerThatAlwaysRefusesDoesNotSpeakForAnother() async throws {
        let other = URL(literal: "https://files.example.com")
        let api = TokenGuard { request in
            let isGood = request.url.host() == other.host() && request.headers[.authorization] == "Bearer t3"
            return AuthHTTPResponse(status: isGood ? 200 : 401)
        }
        let client = AuthorizedClient(APIAccess(to: [server, other], over: api), bearers: bearers)
        for _ in 0..<2 { #expect(try await client.data(for: request()).status == 401) }
        #expect(bearers.refreshes == 1)
        #expect(try await client.data(for: AuthHTTPRequest(.get, other)).status == 200)
        #expect(bearers.refreshes == 2)
        // What the other one took is no reason to refresh for the first.
        for _ in 0..<2 { #expect(try await client.data(for: request()).status == 401) }
        #expect(bearers.refreshes == 2)
    }

    /// One path that refuses every token must not hide from the others that the token has expired.
    @Test func aPathThatAlwaysRefusesDoesNotSpeakForTheServer() async throws {
        let good = Lock("Bearer t2")
        let api = TokenGuard { request in
            let isGood = request.headers[.authorization] == good.withLock { $0 }
            return AuthHTTPResponse(status: isGood && request.url.lastPathComponent == "notes" ? 200 : 401)
        }
        let client = client(api)
        #expect(try await client.data(for: request("admin")).status == 401)
        #expect(bearers.refreshes == 1)
        // The server takes the new token elsewhere: no more than one refresh a minute comes of that.
        for _ in 0..<5 {
            #expect(try await client.data(for: request()).status == 200)
            #expect(try await client.data(for: request("admin")).status == 401)
        }
        #expect(bearers.refreshes == 1)
        // It is revoked.
        good.withLock { $0 = "Bearer t3" }
        bearers.time.advance(by: .seconds(60))
        #expect(try await client.data(for: request()).status == 200)
        #expect(bearers.refreshes == 2)
    }

    @Test func aPathThatAlwaysRefusesCostsOneRefreshAMinute() async throws {
        let api = TokenGuard { AuthHTTPResponse(status: $0.url.lastPathComponent == "notes" ? 200 : 401) }
        let client = client(api)
        for minute in 1...3 {
            for _ in 0..<20 {
                #expect(try await client.data(for: request("admin")).status == 401)
                #expect(try await client.data(for: request()).status == 200)
            }
            #expect(bearers.refreshes == minute)
            bearers.time.advance(by: .seconds(60))
        }
    }

    @Test func tenThousandCallersRefusedForEverCostOneRefresh() async throws {
        let api = TokenGuard(taking: "none")
        let client = client(api)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10_000 { group.addTask { try await client.data(for: request()).status } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(statuses == [401])
        #expect(bearers.refreshes == 1)
        #expect(api.requests.count <= 20_000)
    }

    @Test func aRequestIsNotRepeatedInAnotherPersonsName() async throws {
        let api = TokenGuard { [bearers] _ in
            bearers.changePerson()
            return AuthHTTPResponse(status: 401)
        }
        #expect(try await client(api).data(for: request()).status == 401)
        #expect(api.tokens == ["Bearer t1"])
        #expect(bearers.refreshes == 0)
    }

    /// A source that forgets to look whose token it gives.
    private struct CarelessBearers: BearerSource {
        let bearers: ScriptedBearers
        var clock: AuthClock { bearers.clock }
        func bearer() async throws(AuthError) -> Bearer { try await bearers.bearer() }
        func bearer(replacing refused: Bearer) async throws(AuthError) -> Bearer? { try await bearers.bearer() }
        func publish(_ event: AuthEvent) {}
    }

    @Test func theClientItselfKeepsTwoPeopleApart() async throws {
        let api = TokenGuard { [bearers] _ in
            bearers.changePerson()
            return AuthHTTPResponse(status: 401)
        }
        let client = AuthorizedClient(APIAccess(to: [server], over: api), bearers: CarelessBearers(bearers: bearers))
        #expect(try await client.data(for: request()).status == 401)
        #expect(api.tokens == ["Bearer t1"])
    }

    @Test func aSignOutLeavesThe401AsItIs() async throws {
        let api = TokenGuard { [bearers] _ in
            bearers.state.withLock { $0.isSignedIn = false }
            return AuthHTTPResponse(status: 401)
        }
        #expect(try await client(api).data(for: request()).status == 401)
        #expect(api.requests.count == 1)
    }

    @Test(arguments: [AuthError.Code.network, .sessionExpired]) func aRefreshThatFailsIsWhatTheCallerHears(
        code: AuthError.Code
    ) async {
        bearers.state.withLock { $0.failure = AuthError(code, "The script says so.") }
        let api = TokenGuard(taking: "t2")
        let error = await error { () async throws(AuthError) in try await client(api).data(for: request()) }
        #expect(error?.code == code)
        #expect(api.requests.count == 1)
    }

    @Test func whatTheTransportThrowsIsThrownAndNothingIsRepeated() async {
        let api = TokenGuard { _ in throw AuthError(.timedOut, "Too late.") }
        let error = await error { () async throws(AuthError) in try await client(api).data(for: request()) }
        #expect(error?.code == .timedOut)
        #expect(api.requests.count == 1)
    }

    @Test func errorsAndRequestsShowNoToken() async throws {
        let authorized = try request().authorized(with: Secret("S3CRET"))
        #expect(!everythingPrinted(of: authorized).contains("S3CRET"))
        #expect(!everythingPrinted(of: Bearer(token: Secret("S3CRET"), session: "1")).contains("S3CRET"))
    }
}
