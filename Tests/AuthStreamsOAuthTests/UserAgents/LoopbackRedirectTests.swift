import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth
@testable import LoopbackHTTP

/// The way back by a listener on this machine, over real HTTP.
@Suite(.limitedParallelization) struct LoopbackRedirectTests {
    private let listener = LoopbackFixture()

    @Test func answerGetsItsPageAndThePortIsClosed() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let browser = try await listener.visitor()
        let page = try await browser.get("/back?code=secret-code&state=right-state")
        let answer = try await attempt.value
        #expect(answer.url.absoluteString == "http://127.0.0.1:\(browser.port)/back?code=secret-code&state=right-state")
        #if os(Linux)
            // The address was not hidden. Root's connection may be that of a relay.
            #expect(answer.isBound == (geteuid() != 0))
        #endif
        #expect(answer.redirectURI.absoluteString == "http://127.0.0.1:\(browser.port)/back")
        #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("close this window") && page.contains("창을 닫고"))
        #expect(page.contains("Cache-Control: no-store\r\n") && page.contains("Referrer-Policy: no-referrer\r\n"))
        #expect(!page.contains("secret-code") && !page.contains("right-state"))
        expectClosed(browser.port)
    }

    @Test func repeatedCallbackIsRefused() async throws {
        let redirect = try LoopbackRedirect(for: listener.page, path: "/back", port: 0)
        var browser = LoopbackVisitor(port: UInt16(try #require(redirect.uri.port)), start: redirect.start.url.path())
        try await browser.begin()
        let first = try await browser.get("/back?code=first&state=right-state")
        #expect(first.hasPrefix("HTTP/1.1 200 "))
        for code in ["first", "second", "second"] {
            #expect(try await browser.get("/back?code=\(code)&state=right-state").hasPrefix("HTTP/1.1 400 "))
        }
        #expect(first.contains("Max-Age=0"), "The cookie is removed.")
        #expect(try await browser.get(browser.start).hasPrefix("HTTP/1.1 400 "))
        #expect(try await redirect.callback()?.get().query() == "code=first&state=right-state")
    }

    // MARK: Another browser, program or user of this machine

    /// They know the provider's address, sign in as themselves, and their browser comes to the listener.
    @Test func answerOfAnotherBrowserIsIgnored() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let browser = try await listener.visitor()
        let refusal = try await browser.stranger.get("/back?code=theirs&state=right-state")
        #expect(refusal.hasPrefix("HTTP/1.1 403 ") && refusal.contains("Allow cookies") && refusal.contains("쿠키"))
        #expect(!refusal.contains("Set-Cookie"))
        for cookie in ["authstreams-x=1", "\(try #require(browser.cookie))x", "=", "", "theme"] {
            var other = browser
            other.cookie = cookie
            #expect(try await other.get("/back?code=theirs&state=right-state").hasPrefix("HTTP/1.1 403 "))
        }
        _ = try await browser.get("/back?code=right&state=right-state")
        #expect(try await attempt.value.url.query() == "code=right&state=right-state")
    }

    /// They read the address in the arguments of a process, and are faster than the person's browser.
    @Test(.enabled(if: OtherUser.stranger != nil, "Only root can open a socket of another user."))
    func anotherUserOfTheMachineCannotBegin() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let early = try await listener.opened()
        let theirs = try RawClient(port: early.port, user: OtherUser.stranger)
        await theirs.send(early.request(early.start))
        #expect(await theirs.receiveAll().isEmpty)
        let browser = try await listener.visitor()
        _ = try await browser.get("/back?code=right&state=right-state")
        let answer = try await attempt.value
        #expect(answer.url.query() == "code=right&state=right-state")
    }

    /// Why the answers did not count, for an attempt that ends without one.
    @Test func refusedCallbacksAreNamedAtTheTimeLimit() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let browser = try await listener.visitor()
        for target in ["/back?code=a&state=old", "/back?code=a&state=older", "/back?code=a", "/back", "/favicon.ico"] {
            _ = try await browser.get(target)
        }
        _ = try await browser.stranger.get("/back?code=a&state=right-state")
        await listener.time.waitForSleepers(count: 1)
        listener.time.advance(by: .seconds(600))
        let error = await attempt.result.authError
        #expect(error?.code == .timedOut)
        let explanation = try #require(error?.explanation)
        for part in [
            "fetched the start page", "2 with a state", "1 without a state", "1 without parameters", "1 from a browser",
        ] {
            #expect(explanation.contains(part), "\(explanation)")
        }
        #expect(!explanation.contains("right-state") && !explanation.contains("older"))
    }

    @Test func answerBeforeAnyBrowserCameIsIgnored() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let early = try await listener.opened()
        #expect(try await early.get("/back?code=theirs&state=right-state").hasPrefix("HTTP/1.1 403 "))
        let browser = try await listener.visitor()
        _ = try await browser.get("/back?code=right&state=right-state")
        #expect(try await attempt.value.url.query() == "code=right&state=right-state")
    }

    @Test func secondBrowserEndsTheAttempt() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let browser = try await listener.visitor()
        let page = try await browser.stranger.get(browser.start)
        #expect(page.hasPrefix("HTTP/1.1 403 ") && page.contains("opened twice") && !page.contains("Location"))
        let error = await attempt.result.authError
        #expect(error?.code == .stateMismatch && error?.explanation.contains("second time") == true)
        expectClosed(browser.port)
    }

    /// A reload, or a page that was fetched ahead.
    @Test func sameBrowserMayBeginAgain() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let browser = try await listener.visitor()
        let again = try await browser.get(browser.start)
        #expect(
            again.hasPrefix("HTTP/1.1 303 ")
                && headerField("Location", of: again)?.hasPrefix("https://a.example/") == true)
        _ = try await browser.get("/back?code=right&state=right-state")
        #expect(try await attempt.value.url.query() == "code=right&state=right-state")
    }

    /// What only asks about the start page does not use it up.
    @Test func onlyAGetBegins() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let early = try await listener.opened()
        for method in ["HEAD", "POST", "OPTIONS"] {
            #expect(try await early.get(early.start, method: method).hasPrefix("HTTP/1.1 404 "))
        }
        let browser = try await listener.visitor()
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
        let redirect = try LoopbackRedirect(for: listener.page, path: "/back", port: 0)
        let refusal = try await RawClient.exchange(request, port: UInt16(try #require(redirect.uri.port)))
        #expect(refusal.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test func crowdDoesNotKeepTheBrowserOut() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let browser = try await listener.visitor()
        // Past 16 connections the clients without a request give way.
        let crowd = try (0..<20).map { _ in try RawClient(port: browser.port) }
        #expect(await crowd[0].receiveAll().hasPrefix("HTTP/1.1 503 "))
        _ = try await browser.get("/back?code=right&state=right-state")
        _ = try await attempt.value
    }

    @Test func refusalIsAnAnswerToo() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let browser = try await listener.visitor()
        _ = try await browser.get("/back?error=access_denied&state=right-state")
        #expect(try await attempt.value.url.query() == "error=access_denied&state=right-state")
        expectClosed(browser.port)
    }

    @Test func portIsClosedWhenTheTaskIsCancelled() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let browser = try await listener.visitor()
        attempt.cancel()
        #expect(await attempt.result.authError?.code == .cancelled)
        expectClosed(browser.port)
    }

    @Test func portIsClosedAtTheTimeLimit() async throws {
        let attempt = try listener.start(port: .unsharedPort())
        let browser = try await listener.visitor()
        await listener.time.waitForSleepers(count: 1)
        listener.time.advance(by: .seconds(600))
        #expect(await attempt.result.authError?.code == .timedOut)
        expectClosed(browser.port)
    }

    @Test func portIsClosedWhenNoBrowserOpens() async throws {
        let opener = ScriptedOpener { _ in nil }
        let error = await #expect(throws: AuthError.self) {
            try await SystemBrowser(opener: opener, port: try .unsharedPort()).authorize(listener.page)
        }
        #expect(error?.code == .misconfigured)
        expectClosed(UInt16(try #require(await opener.opened.first?.port)))
    }

    @Test func listenerGoesWithItsOwner() throws {
        let port = try UInt16.unsharedPort()
        var redirect: LoopbackRedirect? = try LoopbackRedirect(for: listener.page, path: "/back", port: port)
        #expect(redirect?.uri.port == Int(port) && redirect?.start.url.port == Int(port))
        redirect = nil
        expectClosed(port)
    }

    /// Its tab is still there, and browsers send the cookies of a host to all its ports.
    @Test func pageOfAnAttemptThatIsOverAnswersNoOther() async throws {
        var fixture = OpenIDFixture()
        fixture.redirect = .loopback(path: "/back")
        let (port, old, transport) = (try UInt16.unsharedPort(), AuthorizationSecrets(), fixture.transport)
        let (opened, shown) = AsyncStream.makeStream(of: URL.self)
        let opener = ScriptedOpener { url in
            shown.yield(url)
            return .unobservable
        }
        let secrets = Lock([old, fixture.secrets][...])
        var provider = fixture.provider(agent: SystemBrowser(opener: opener, port: port), transport: transport)
        provider.makeSecrets = { secrets.withLock { $0.popFirst() } ?? AuthorizationSecrets() }
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [provider], store: MemorySessionStore(),
            callbacks: CallbackRouter(), clock: SignedTokens.clock)
        var pages = opened.makeAsyncIterator()

        let first = Task { await auth.signIn(with: "keycloak").result }
        var tab = LoopbackVisitor(port: port, start: try #require(await pages.next()).path())
        try await tab.begin()
        first.cancel()
        #expect(await first.value.authError?.code == .cancelled)

        let second = Task { await auth.signIn(with: "keycloak").result }
        var browser = LoopbackVisitor(port: port, start: try #require(await pages.next()).path())
        try await browser.begin()
        tab.cookie = [tab.cookie, browser.cookie].compactMap(\.self).joined(separator: "; ")
        #expect(try await tab.get("/back?code=old&state=\(old.state.reveal())").hasPrefix("HTTP/1.1 400 "))
        #expect(try await tab.get(tab.start).hasPrefix("HTTP/1.1 404 "))
        #expect(auth.user == nil && !transport.requests.contains { $0.method == .post })

        let state = fixture.secrets.state.reveal()
        let page = try await browser.get("/back?code=secret-code&state=\(state)&iss=\(OpenIDFixture.issuer)")
        try #require(page.hasPrefix("HTTP/1.1 200 "))
        #expect(try await second.value.get().user.id == "keycloak:1001")
    }

    @Test func takenPortIsExplainedAndNothingIsShown() async throws {
        let other = try LoopbackServer.start { _ in .html("") }
        let error = await listener.start(port: other.port).result.authError
        #expect(error?.code == .misconfigured && error?.explanation.contains("\(other.port)") == true)
        #expect(await listener.opener.opened.isEmpty)
    }
}
