import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth
@testable import LoopbackHTTP

/// The way back by a listener on this machine, over real HTTP.
@Suite(.limitedParallelization) struct LoopbackRedirectTests {
    private let opener = ScriptedOpener()
    private let time = ManualClock()

    private static let page = AuthorizationPage(
        comesBack: .loopback(path: "/back"),
        makeURL: {
            URL(literal: "https://a.example/authorize").appending(queryItems: [.init(name: "r", value: "\($0)")])
        },
        accepts: { ExpectedCallback(state: Secret("right-state")).accepts($0, redirectURI: $1) })

    private func start(port: UInt16) -> Task<AuthorizationAnswer, any Error> {
        let browser = SystemBrowser(opener: opener, port: port, clock: time.authClock(startingAt: .distantPast))
        return Task { try await browser.authorize(Self.page) }
    }

    /// A browser that has fetched the start page.
    private struct Visitor {
        let port: UInt16
        let start: String
        var cookie: String?

        /// Asks the listener, with the cookie where there is one.
        func get(_ target: String, method: String = "GET") async throws -> String {
            let cookie = cookie.map { "Cookie: theme=dark; \($0)\r\n" } ?? ""
            return try await RawClient.exchange(
                "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(cookie)Connection: close\r\n\r\n", port: port)
        }

        /// Another browser, which knows all the addresses.
        var stranger: Self { Self(port: port, start: start, cookie: nil) }
    }

    /// The listener that the browser was opened with, before any browser came.
    private func opened() async throws -> Visitor {
        let opened = try #require(await opener.first.value())
        #expect(opened.scheme == "http" && opened.host() == "127.0.0.1" && opened.query() == nil)
        return Visitor(port: UInt16(try #require(opened.port)), start: opened.path(), cookie: nil)
    }

    /// The browser that was opened, led on to the provider's page.
    private func visitor() async throws -> Visitor {
        var visitor = try await opened()
        let page = try await visitor.get(visitor.start)
        #expect(page.hasPrefix("HTTP/1.1 303 ") && page.contains("Cache-Control: no-store\r\n"))
        let back = "http://127.0.0.1:\(visitor.port)/back"
        #expect(field("Location", of: page) == "https://a.example/authorize?r=\(back)")
        let cookie = try #require(field("Set-Cookie", of: page))
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
        visitor.cookie = String(cookie.prefix { $0 != ";" })
        return visitor
    }

    private func field(_ name: String, of response: String) -> String? {
        response.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    private func expectClosed(_ port: UInt16, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: RawClient.ConnectError.self, "the listener is still open", sourceLocation: sourceLocation) {
            try RawClient(port: port)
        }
    }

    @Test func answerGetsItsPageAndThePortIsClosed() async throws {
        let attempt = try start(port: .unsharedPort())
        let browser = try await visitor()
        let page = try await browser.get("/back?code=secret-code&state=right-state")
        let answer = try await attempt.value
        #expect(answer.url.absoluteString == "http://127.0.0.1:\(browser.port)/back?code=secret-code&state=right-state")
        #expect(answer.redirectURI.absoluteString == "http://127.0.0.1:\(browser.port)/back")
        #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("close this window") && page.contains("창을 닫고"))
        #expect(page.contains("Cache-Control: no-store\r\n") && page.contains("Referrer-Policy: no-referrer\r\n"))
        #expect(!page.contains("secret-code") && !page.contains("right-state"))
        expectClosed(browser.port)
    }

    @Test(arguments: [
        ("/favicon.ico", "GET", 404), ("/", "GET", 404), ("/back/", "GET", 404),
        ("/other?code=c&state=right-state", "GET", 404),
        ("http://evil.example/back?code=c&state=right-state", "GET", 404),
        ("/back", "GET", 400), ("/back?code=forged&state=wrong-state", "GET", 400), ("/back?code=forged", "GET", 400),
        ("/back?code=forged&state=right-state&state=right-state", "GET", 400),
        ("/back?error=access_denied&state=wrong-state", "GET", 400),
        ("/back?code=forged&state=right-state", "POST", 400), ("/back?code=forged&state=right-state", "HEAD", 400),
    ])
    func strayAndForgedRequestsChangeNothing(target: String, method: String, status: Int) async throws {
        let attempt = try start(port: .unsharedPort())
        let browser = try await visitor()
        let refusal = try await browser.get(target, method: method)
        #expect(refusal.hasPrefix("HTTP/1.1 \(status) ") && !refusal.contains("state="))
        _ = try await browser.get("/back?code=right&state=right-state")
        #expect(try await attempt.value.url.query() == "code=right&state=right-state")
    }

    @Test func secondCallbackIsIgnored() async throws {
        let redirect = try LoopbackRedirect(for: Self.page, path: "/back", port: 0)
        var browser = Visitor(port: UInt16(try #require(redirect.uri.port)), start: redirect.start.path(), cookie: nil)
        let start = try await browser.get(browser.start)
        browser.cookie = field("Set-Cookie", of: start).map { String($0.prefix { $0 != ";" }) }
        let first = try await browser.get("/back?code=first&state=right-state")
        let second = try await browser.get("/back?code=second&state=right-state")
        #expect(first.hasPrefix("HTTP/1.1 200 ") && second.hasPrefix("HTTP/1.1 400 "))
        #expect(first.contains("Max-Age=0"), "The cookie is removed.")
        #expect(try await browser.get(browser.start).hasPrefix("HTTP/1.1 400 "))
        #expect(try await redirect.callback()?.get().query() == "code=first&state=right-state")
    }

    // MARK: Another browser, program or user of this machine

    /// They know the provider's address, sign in as themselves, and their browser comes to the listener.
    @Test func answerOfAnotherBrowserIsIgnored() async throws {
        let attempt = try start(port: .unsharedPort())
        let browser = try await visitor()
        let refusal = try await browser.stranger.get("/back?code=theirs&state=right-state")
        #expect(refusal.hasPrefix("HTTP/1.1 403 ") && refusal.contains("Allow cookies") && refusal.contains("쿠키"))
        #expect(!refusal.contains("Set-Cookie"))
        for cookie in ["authstreams-x=1", "\(try #require(browser.cookie))x", "=", "", "theme"] {
            let other = Visitor(port: browser.port, start: browser.start, cookie: cookie)
            #expect(try await other.get("/back?code=theirs&state=right-state").hasPrefix("HTTP/1.1 403 "))
        }
        _ = try await browser.get("/back?code=right&state=right-state")
        #expect(try await attempt.value.url.query() == "code=right&state=right-state")
    }

    @Test func answerBeforeAnyBrowserCameIsIgnored() async throws {
        let attempt = try start(port: .unsharedPort())
        let early = try await opened()
        #expect(try await early.get("/back?code=theirs&state=right-state").hasPrefix("HTTP/1.1 403 "))
        let browser = try await visitor()
        _ = try await browser.get("/back?code=right&state=right-state")
        #expect(try await attempt.value.url.query() == "code=right&state=right-state")
    }

    @Test func secondBrowserEndsTheAttempt() async throws {
        let attempt = try start(port: .unsharedPort())
        let browser = try await visitor()
        let page = try await browser.stranger.get(browser.start)
        #expect(page.hasPrefix("HTTP/1.1 403 ") && page.contains("opened twice") && !page.contains("Location"))
        let error = await attempt.result.authError
        #expect(error?.code == .stateMismatch && error?.explanation.contains("second time") == true)
        expectClosed(browser.port)
    }

    /// A reload, or a page that was fetched ahead.
    @Test func sameBrowserMayBeginAgain() async throws {
        let attempt = try start(port: .unsharedPort())
        let browser = try await visitor()
        let again = try await browser.get(browser.start)
        #expect(
            again.hasPrefix("HTTP/1.1 303 ") && field("Location", of: again)?.hasPrefix("https://a.example/") == true)
        _ = try await browser.get("/back?code=right&state=right-state")
        #expect(try await attempt.value.url.query() == "code=right&state=right-state")
    }

    /// What only asks about the start page does not use it up.
    @Test func onlyAGetBegins() async throws {
        let attempt = try start(port: .unsharedPort())
        let early = try await opened()
        for method in ["HEAD", "POST", "OPTIONS"] {
            #expect(try await early.get(early.start, method: method).hasPrefix("HTTP/1.1 404 "))
        }
        let browser = try await visitor()
        _ = try await browser.get("/back?code=right&state=right-state")
        _ = try await attempt.value
    }

    @Test func everyAttemptHasAnAddressAndACookieOfItsOwn() throws {
        let bindings = (0..<2).map { _ in BrowserBinding() }
        #expect(Set(bindings.map(\.path)).count == 2)
        #expect(Set(bindings.map { $0.setting.value.prefix { $0 != "=" } }).count == 2)
    }

    /// A browser asks with small GETs.
    @Test(arguments: [
        ("POST /back HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", 413),
        ("POST /back HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n", 413),
        ("GET /back HTTP/1.1\r\nHost: h\r\nCookie: \(String(repeating: "x", count: 16_384))\r\n\r\n", 431),
    ])
    func largeRequestsAreRefused(request: String, status: Int) async throws {
        let redirect = try LoopbackRedirect(for: Self.page, path: "/back", port: 0)
        let refusal = try await RawClient.exchange(request, port: UInt16(try #require(redirect.uri.port)))
        #expect(refusal.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test func crowdDoesNotKeepTheBrowserOut() async throws {
        let attempt = try start(port: .unsharedPort())
        let browser = try await visitor()
        // Past 16 connections the clients without a request give way.
        let crowd = try (0..<20).map { _ in try RawClient(port: browser.port) }
        #expect(await crowd[0].receiveAll().hasPrefix("HTTP/1.1 503 "))
        _ = try await browser.get("/back?code=right&state=right-state")
        _ = try await attempt.value
    }

    @Test func refusalIsAnAnswerToo() async throws {
        let attempt = try start(port: .unsharedPort())
        let browser = try await visitor()
        _ = try await browser.get("/back?error=access_denied&state=right-state")
        #expect(try await attempt.value.url.query() == "error=access_denied&state=right-state")
        expectClosed(browser.port)
    }

    @Test func portIsClosedWhenTheTaskIsCancelled() async throws {
        let attempt = try start(port: .unsharedPort())
        let browser = try await visitor()
        attempt.cancel()
        #expect(await attempt.result.authError?.code == .cancelled)
        expectClosed(browser.port)
    }

    @Test func portIsClosedAtTheTimeLimit() async throws {
        let attempt = try start(port: .unsharedPort())
        let browser = try await visitor()
        await time.waitForSleepers(count: 1)
        time.advance(by: .seconds(600))
        #expect(await attempt.result.authError?.code == .timedOut)
        expectClosed(browser.port)
    }

    @Test func portIsClosedWhenNoBrowserOpens() async throws {
        let opener = ScriptedOpener { _ in nil }
        let error = await #expect(throws: AuthError.self) {
            try await SystemBrowser(opener: opener, port: try .unsharedPort()).authorize(Self.page)
        }
        #expect(error?.code == .misconfigured)
        expectClosed(UInt16(try #require(await opener.opened.first?.port)))
    }

    @Test func listenerGoesWithItsOwner() throws {
        let port = try UInt16.unsharedPort()
        var redirect: LoopbackRedirect? = try LoopbackRedirect(for: Self.page, path: "/back", port: port)
        #expect(redirect?.uri.port == Int(port) && redirect?.start.port == Int(port))
        redirect = nil
        expectClosed(port)
    }

    @Test func takenPortIsExplainedAndNothingIsShown() async throws {
        let other = try LoopbackServer.start { _ in .html("") }
        let error = await start(port: other.port).result.authError
        #expect(error?.code == .misconfigured && error?.explanation.contains("\(other.port)") == true)
        #expect(await opener.opened.isEmpty)
    }
}
