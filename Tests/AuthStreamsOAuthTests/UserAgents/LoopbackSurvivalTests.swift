import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// Requests that are no answer, over real sockets: each is refused, and the attempt still gets the right one.
@Suite(.limitedParallelization) struct LoopbackSurvivalTests {
    private let listener = LoopbackFixture()

    /// Sends a request with everything right but what the test changes, and then the right answer.
    private func expectRefusal(
        _ status: Int, _ target: String, method: String = "GET", host: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let attempt = listener.start()
        let browser = try await listener.visitor()
        let host = host?.replacing("PORT", with: "\(browser.port)")
        let refusal = try await browser.get(target, method: method, host: host)
        #expect(refusal.hasPrefix("HTTP/1.1 \(status) "), sourceLocation: sourceLocation)
        #expect(!refusal.contains("right-state") && !refusal.contains("forged"), sourceLocation: sourceLocation)
        #expect(!refusal.contains("Set-Cookie"), sourceLocation: sourceLocation)
        try await listener.expectAnswer(from: browser, to: attempt, sourceLocation: sourceLocation)
    }

    @Test func faviconIsNotFound() async throws { try await expectRefusal(404, "/favicon.ico") }

    @Test(arguments: [
        "/", "/back/", "/BACK", "//back?code=forged&state=right-state", "/other?code=forged&state=right-state",
        "/back/../other?code=forged&state=right-state", "http://evil.example/back?code=forged&state=right-state",
        "http://127.0.0.1/back?code=forged&state=right-state",
    ])
    func wrongPathIsNotFound(target: String) async throws { try await expectRefusal(404, target) }

    @Test(arguments: ["POST", "HEAD", "PUT", "DELETE", "OPTIONS", "get"])
    func wrongMethodIsRefused(method: String) async throws {
        try await expectRefusal(400, "/back?code=forged&state=right-state", method: method)
    }

    /// A page whose name was pointed at this machine (DNS rebinding) names its own host.
    @Test(arguments: [
        "evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost:PORT", "[::1]:PORT",
        "127.0.0.1:PORT.evil.example", "evil.example@127.0.0.1:PORT", "",
    ])
    func wrongHostIsRefused(host: String) async throws {
        try await expectRefusal(421, "/back?code=forged&state=right-state", host: host)
    }

    @Test func wrongHostDoesNotBegin() async throws {
        let attempt = listener.start()
        let early = try await listener.opened()
        let refusal = try await early.get(early.start, host: "evil.example")
        #expect(refusal.hasPrefix("HTTP/1.1 421 ") && !refusal.contains("Set-Cookie"))
        try await listener.expectAnswer(from: try await listener.visitor(), to: attempt)
    }

    @Test func requestWithoutHostIsRefused() async throws {
        let attempt = listener.start()
        let browser = try await listener.visitor()
        let cookie = try #require(browser.cookie)
        for (version, status) in [("1.0", 421), ("1.1", 400)] {
            let refusal = try await RawClient.exchange(
                "GET /back?code=forged&state=right-state HTTP/\(version)\r\nCookie: \(cookie)\r\n\r\n",
                port: browser.port)
            #expect(refusal.hasPrefix("HTTP/1.1 \(status) "))
        }
        try await listener.expectAnswer(from: browser, to: attempt)
    }

    @Test(arguments: [
        "/back", "/back?code=forged", "/back?code=forged&state=", "/back?code=forged&state=wrong-state",
        "/back?code=forged&state=right-state&state=right-state", "/back?error=access_denied&state=wrong-state",
        "/back?code=forged&state=right-state%00", "/back?code=forged&STATE=right-state",
    ])
    func forgedCallbackIsRefused(target: String) async throws { try await expectRefusal(400, target) }

    @Test func portScanChangesNothing() async throws {
        let attempt = listener.start()
        let browser = try await listener.visitor()
        let probes = [
            "", "\0", "\r\n\r\n", "SSH-2.0-scan\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}", "HELP\r\n",
            "OPTIONS / RTSP/1.0\r\n\r\n", "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/9.9\r\nHost: h\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n",
        ]
        for probe in probes {
            let (closing, resetting) = (try RawClient(port: browser.port), try RawClient(port: browser.port))
            await resetting.send(probe)
            await resetting.reset()
            await closing.send(probe)
            await closing.endOutput()
            let answer = await closing.receiveAll()
            #expect(!answer.hasPrefix("HTTP/1.1 2") && !answer.contains("right-state"))
        }
        try await listener.expectAnswer(from: browser, to: attempt)
    }

    /// More clients than connections, each with a part of a request.
    @Test func slowClientsDoNotKeepTheBrowserOut() async throws {
        let attempt = listener.start()
        let browser = try await listener.visitor()
        let slow = try (0..<20).map { _ in try RawClient(port: browser.port) }
        for client in slow { await client.send("GET /back?code=forged&state=right-state HTTP/1.1\r\nHos") }
        try await listener.expectAnswer(from: browser, to: attempt)
        // The listener ends with the attempt and does not wait for them.
        for client in slow { #expect(await !client.receiveAll().contains("HTTP/1.1 200")) }
    }

    @Test func browserThatSendsByteByByteIsAnswered() async throws {
        let attempt = listener.start()
        let browser = try await listener.visitor()
        let client = try RawClient(port: browser.port)
        await client.send(Array(browser.request("/back?code=right&state=right-state").utf8), inPiecesOf: 1)
        try #require(await client.receiveAll().hasPrefix("HTTP/1.1 200 "))
        #expect(try await attempt.value.url.query() == "code=right&state=right-state")
    }

    /// A browser that keeps no cookies is told so, and the attempt waits for another try.
    @Test func browserWithoutCookiesGetsAPageThatSaysSo() async throws {
        let attempt = listener.start()
        let browser = try await listener.visitor()
        let page = try await browser.stranger.get("/back?code=right&state=right-state")
        #expect(page.hasPrefix("HTTP/1.1 403 "))
        #expect(page.contains("blocks cookies. Allow cookies for this address") && page.contains("쿠키를 허용하고"))
        try await listener.expectAnswer(from: browser, to: attempt)
    }

    /// The start page a second time without the cookie cannot be told from a second browser.
    @Test func browserWithoutCookiesThatBeginsAgainEndsTheAttempt() async throws {
        let attempt = listener.start()
        let browser = try await listener.visitor()
        let page = try await browser.stranger.get(browser.start)
        #expect(page.hasPrefix("HTTP/1.1 403 ") && page.contains("opened twice") && page.contains("두 번"))
        let error = try #require(await attempt.result.authError)
        #expect(error.code == .stateMismatch && error.explanation.contains("allow cookies"))
        expectNoLeak(of: ["right-state", browser.start, browser.cookie ?? ""], in: error)
    }
}
