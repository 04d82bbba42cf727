import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams
@testable import LoopbackHTTP

@Suite(.limitedParallelization) struct URLSessionTransportTests {
    @Test func theRequestArrivesAndTheAnswerReturnsAsTheyAre() async throws {
        let server = try LoopbackServer.start { request in
            let told = [
                request.method, request.target, request.header("X-Test") ?? "",
                String(decoding: request.body, as: UTF8.self),
            ]
            return LoopbackResponse(
                status: 201, headers: [("X-Answer", "yes"), ("Retry-After", "7")],
                body: Data(told.joined(separator: "|").utf8))
        }
        let request = AuthHTTPRequest(
            .post, server.url("/a:b?x=1%2B2"), headers: ["X-Test": "here", .contentType: "text/plain"],
            body: Data("a+b=ü".utf8))
        let response = try await URLSessionTransport.untimed().send(request)
        #expect(response.status == 201)
        #expect(response.headers["x-answer"] == "yes")
        #expect(response.retryAfter == .seconds(7))
        #expect(String(decoding: response.body, as: UTF8.self) == "POST|/a:b?x=1%2B2|here|a+b=ü")
    }

    /// A program that sends nothing does not wait for a session.
    @Test func theFirstRequestMakesTheSession() async throws {
        let server = try LoopbackServer.start { _ in .html("") }
        let transport = URLSessionTransport.untimed()
        await #expect(throws: AuthError.self) {
            try await transport.send(AuthHTTPRequest(.get, server.url("/"), timeout: .zero))
        }
        #expect(!transport.hasSession)
        _ = try await transport.send(AuthHTTPRequest(.get, server.url("/")))
        #expect(transport.hasSession)
    }

    @Test(arguments: [AuthHTTPRequest.Method.get, .post], [Duration.zero, .seconds(-1)])
    func aRequestWithoutTimeIsNotSent(method: AuthHTTPRequest.Method, timeout: Duration) async throws {
        let arrived = Lock(0)
        let server = try LoopbackServer.start { request in
            if request.path == "/late" { arrived.withLock { $0 += 1 } }
            return LoopbackResponse(status: 200)
        }
        let transport = URLSessionTransport.untimed()
        let late = AuthHTTPRequest(method, server.url("/late"), body: Data("x".utf8), timeout: timeout)
        let error = await #expect(throws: AuthError.self) { try await transport.send(late) }
        #expect(error?.code == .timedOut)
        #expect(error?.explanation.contains("nothing was sent") == true)
        #expect(transport.openExchangeCount == 0)
        // The next one is answered as usual.
        #expect(try await transport.send(AuthHTTPRequest(.get, server.url("/"))).status == 200)
        #expect(arrived.withLock { $0 } == 0)
    }

    @Test(arguments: [200, 204, 400, 404, 429, 500, 503])
    func everyStatusIsAnAnswer(status: Int) async throws {
        let server = try LoopbackServer.start { _ in LoopbackResponse(status: status) }
        let response = try await URLSessionTransport.untimed().send(AuthHTTPRequest(.get, server.url("/")))
        #expect(response.status == status)
        #expect(response.body.isEmpty)
    }

    @Test(arguments: [
        #"Basic realm="x""#, #"Bearer realm="x", error="invalid_token""#, #"Digest realm="x", nonce="y""#,
    ])
    func aChallengeIsAnAnswer(challenge: String) async throws {
        let server = try LoopbackServer.start { _ in
            LoopbackResponse(status: 401, headers: [("WWW-Authenticate", challenge)], body: Data("no".utf8))
        }
        let response = try await URLSessionTransport.untimed().send(AuthHTTPRequest(.get, server.url("/")))
        #expect(response.status == 401)
        #expect(String(decoding: response.body, as: UTF8.self) == "no")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectsAreAnswersAndAreNotFollowed(status: Int) async throws {
        let paths = Lock<[String]>([])
        let server = try LoopbackServer.start { request in
            paths.withLock { $0.append(request.path) }
            return .redirect(to: "/elsewhere", status: status)
        }
        let request = AuthHTTPRequest(.post, server.url("/token"), body: Data("refresh_token=x".utf8))
        let response = try await URLSessionTransport.untimed().send(request)
        #expect(response.status == status)
        #expect(response.headers["location"] == "/elsewhere")
        #expect(paths.withLock { $0 } == ["/token"])
    }

    /// FoundationNetworking asks the transport about redirects and challenges, and the request may be cancelled meanwhile.
    @Test(arguments: [302, 401]) func requestsThatAreCancelledDuringAQuestionEnd(status: Int) async throws {
        let server = try LoopbackServer.start { _ in
            LoopbackResponse(
                status: status, headers: [("Location", "/elsewhere"), ("WWW-Authenticate", #"Basic realm="x""#)])
        }
        let transport = URLSessionTransport.untimed()
        await withTaskGroup(of: Void.self) { group in
            for place in 0..<4 {
                group.addTask {
                    for round in 0..<150 {
                        let call = Task { try await transport.send(AuthHTTPRequest(.get, server.url("/"))) }
                        for _ in 0..<(place * 50 + round * 3) { await Task.yield() }
                        call.cancel()
                        switch await call.result {
                        case .success(let response): #expect(response.status == status)
                        case .failure(let error): #expect((error as? AuthError)?.code == .cancelled)
                        }
                    }
                }
            }
        }
    }

    @Test func cookiesAreNotKept() async throws {
        let cookies = Lock<[String?]>([])
        let server = try LoopbackServer.start { request in
            cookies.withLock { $0.append(request.header("Cookie")) }
            return LoopbackResponse(status: 200, headers: [("Set-Cookie", "session=1; Path=/")])
        }
        let transport = URLSessionTransport.untimed()
        for _ in 0..<2 { _ = try await transport.send(AuthHTTPRequest(.get, server.url("/"))) }
        #expect(cookies.withLock { $0 } == [nil, nil])
    }

    @Test(arguments: [AuthHTTPRequest.Method.get, .post])
    func cookiesOfARequestAreSentAndThoseOfAnAnswerAreJoined(method: AuthHTTPRequest.Method) async throws {
        let cookies = ["a=1; Expires=Wed, 21 Oct 2065 07:28:00 GMT; Path=/", "b=2; Max-Age=0", "c=3"]
        let server = try LoopbackServer.start { request in
            LoopbackResponse(
                status: 200, headers: cookies.map { ("Set-Cookie", $0) },
                body: Data((request.header("Cookie") ?? "").utf8))
        }
        let body = method == .post ? Data("x".utf8) : nil
        let request = AuthHTTPRequest(method, server.url("/"), headers: ["Cookie": "rt=v; device=1"], body: body)
        let response = try await URLSessionTransport.untimed().send(request)
        #expect(String(decoding: response.body, as: UTF8.self) == "rt=v; device=1")
        #expect(response.headers["set-cookie"] == cookies.joined(separator: ", "))
    }

    @Test func answersAreNotCached() async throws {
        let count = Lock(0)
        let server = try LoopbackServer.start { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return LoopbackResponse(
                status: 200, headers: [("Cache-Control", "max-age=3600")], body: Data("\(number)".utf8))
        }
        let transport = URLSessionTransport.untimed()
        let first = try await transport.send(AuthHTTPRequest(.get, server.url("/")))
        let second = try await transport.send(AuthHTTPRequest(.get, server.url("/")))
        #expect(first.body == Data("1".utf8))
        #expect(second.body == Data("2".utf8))
    }

    @Test func connectionsAreReused() async throws {
        let server = try LoopbackServer.start { request in .html(request.path) }
        let transport = URLSessionTransport.untimed()
        for number in 0..<5 { _ = try await transport.send(AuthHTTPRequest(.get, server.url("/\(number)"))) }
        #expect(server.connectionCount == 1)
    }

    @Test func concurrentRequestsGetTheirOwnAnswers() async throws {
        let server = try LoopbackServer.start(limits: .patient) { LoopbackResponse(status: 200, body: $0.body) }
        let transport = URLSessionTransport.untimed()
        let matching = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let body = Data("\(number)".utf8)
                    return try await transport.send(AuthHTTPRequest(.post, server.url("/"), body: body)).body == body
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(matching == 200)
        #expect(transport.openExchangeCount == 0)
    }

    @Test(arguments: ["file:///etc/hosts", "kakaotalk://x", "data:,x", "https:///nowhere", "relative"])
    func onlyWebAddressesAreAsked(text: String) async throws {
        let url = try #require(URL(string: text))
        let error = await #expect(throws: AuthError.self) {
            try await URLSessionTransport.untimed().send(AuthHTTPRequest(.get, url))
        }
        #expect(error?.code == .misconfigured)
    }
}

extension LoopbackServer {
    func url(_ target: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(target)") ?? URL(filePath: "/") }
}
