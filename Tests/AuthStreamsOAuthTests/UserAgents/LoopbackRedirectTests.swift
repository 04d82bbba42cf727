import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

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

    /// The port in the redirect URI that the browser was sent with.
    private func port() async throws -> UInt16 {
        let opened = try #require(await opener.first.value())
        let redirect = URLComponents(url: opened, resolvingAgainstBaseURL: true)?.queryItems?.first?.value
        let uri = try #require(redirect.flatMap { URL(string: $0) })
        #expect(uri.scheme == "http" && uri.host() == "127.0.0.1" && uri.path() == "/back")
        return UInt16(try #require(uri.port))
    }

    private func get(_ target: String, _ port: UInt16, method: String = "GET") async throws -> String {
        try await exchange("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", port: port)
    }

    private func expectClosed(_ port: UInt16, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: RawClient.ConnectError.self, "the listener is still open", sourceLocation: sourceLocation) {
            try RawClient(port: port)
        }
    }

    @Test func answerGetsItsPageAndThePortIsClosed() async throws {
        let attempt = try start(port: .unsharedPort())
        let port = try await port()
        let page = try await get("/back?code=secret-code&state=right-state", port)
        let answer = try await attempt.value
        #expect(answer.url.absoluteString == "http://127.0.0.1:\(port)/back?code=secret-code&state=right-state")
        #expect(answer.redirectURI.absoluteString == "http://127.0.0.1:\(port)/back")
        #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("close this window") && page.contains("창을 닫고"))
        #expect(page.contains("Cache-Control: no-store\r\n") && page.contains("Referrer-Policy: no-referrer\r\n"))
        #expect(!page.contains("secret-code") && !page.contains("right-state"))
        expectClosed(port)
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
        let port = try await port()
        let refusal = try await get(target, port, method: method)
        #expect(refusal.hasPrefix("HTTP/1.1 \(status) ") && !refusal.contains("state="))
        _ = try await get("/back?code=right&state=right-state", port)
        #expect(try await attempt.value.url.query() == "code=right&state=right-state")
    }

    @Test func secondCallbackIsIgnored() async throws {
        let redirect = try LoopbackRedirect(for: Self.page, path: "/back", port: 0)
        let port = UInt16(try #require(redirect.uri.port))
        let first = try await get("/back?code=first&state=right-state", port)
        let second = try await get("/back?code=second&state=right-state", port)
        #expect(first.hasPrefix("HTTP/1.1 200 ") && second.hasPrefix("HTTP/1.1 400 "))
        #expect(await redirect.callback()?.query() == "code=first&state=right-state")
    }

    @Test func refusalIsAnAnswerToo() async throws {
        let attempt = try start(port: .unsharedPort())
        let port = try await port()
        _ = try await get("/back?error=access_denied&state=right-state", port)
        #expect(try await attempt.value.url.query() == "error=access_denied&state=right-state")
        expectClosed(port)
    }

    @Test func portIsClosedWhenTheTaskIsCancelled() async throws {
        let attempt = try start(port: .unsharedPort())
        let port = try await port()
        attempt.cancel()
        #expect(await attempt.result.authError?.code == .cancelled)
        expectClosed(port)
    }

    @Test func portIsClosedAtTheTimeLimit() async throws {
        let attempt = try start(port: .unsharedPort())
        let port = try await port()
        await time.waitForSleepers(count: 1)
        time.advance(by: .seconds(600))
        #expect(await attempt.result.authError?.code == .timedOut)
        expectClosed(port)
    }

    @Test func portIsClosedWhenNoBrowserOpens() async throws {
        let opener = ScriptedOpener { _ in nil }
        let error = await #expect(throws: AuthError.self) {
            try await SystemBrowser(opener: opener, port: try .unsharedPort()).authorize(Self.page)
        }
        #expect(error?.code == .misconfigured)
        let redirect = try #require(
            await opener.opened.first?.query()?.split(separator: "=").last.flatMap { URL(string: "\($0)") })
        expectClosed(UInt16(try #require(redirect.port)))
    }

    @Test func listenerGoesWithItsOwner() throws {
        let port = try UInt16.unsharedPort()
        var redirect: LoopbackRedirect? = try LoopbackRedirect(for: Self.page, path: "/back", port: port)
        #expect(redirect?.uri.port == Int(port))
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
