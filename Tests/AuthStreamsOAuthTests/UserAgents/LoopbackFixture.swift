import AuthStreams
import AuthStreamsTesting
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// One attempt that is answered at a listener on this machine.
struct LoopbackFixture: Sendable {
    // As a launcher whose commands are given the address as an argument.
    var opener = ScriptedOpener(hidesURLs: false)
    let time = ManualClock()
    var address = SystemBrowser.LoopbackAddress.ipv4
    var path = "/back"

    var page: AuthorizationPage {
        AuthorizationPage(
            redirect: .loopback(path: path),
            makeURL: {
                URL(literal: "https://a.example/authorize").appending(queryItems: [.init(name: "r", value: "\($0)")])
            },
            accepts: { ExpectedCallback(state: Secret("right-state")).accepts($0, redirectURI: $1) })
    }

    func start(port: UInt16 = 0) -> Task<AuthorizationAnswer, any Error> {
        let browser = SystemBrowser(
            opener: opener, address: address, port: port, clock: time.authClock(startingAt: .distantPast))
        return Task { [page] in try await browser.authorize(page) }
    }

    /// The browser that was opened, before it fetches the start page.
    func opened() async throws -> LoopbackVisitor {
        let opened = try #require(await opener.first.value())
        #expect(opened.absoluteString.hasPrefix("http://\(address.host):") && opened.query() == nil)
        return LoopbackVisitor(
            address: address.ofServer[0], host: address.host, port: UInt16(try #require(opened.port)),
            start: opened.path())
    }

    /// The browser that was opened, redirected to the provider's page.
    func visitor() async throws -> LoopbackVisitor {
        var visitor = try await opened()
        let page = try await visitor.begin()
        #expect(page.hasPrefix("HTTP/1.1 303 ") && page.contains("Cache-Control: no-store\r\n"))
        let location = try #require(headerField("Location", of: page).flatMap(URL.init(string:)))
        let items = URLComponents(url: location, resolvingAgainstBaseURL: false)?.queryItems
        #expect(location.host() == "a.example")
        #expect(items?.first?.value == "http://\(visitor.authority)\(path)")
        #expect(headerField("Set-Cookie", of: page)?.hasSuffix("; Path=/; HttpOnly; SameSite=Lax") == true)
        return visitor
    }

    /// The browser's right answer, which ends the attempt whatever came before.
    func expectAnswer(
        from browser: LoopbackVisitor, to attempt: Task<AuthorizationAnswer, any Error>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let page = try await browser.get("\(path)?code=right&state=right-state")
        // Without its page the attempt would wait for ever.
        try #require(page.hasPrefix("HTTP/1.1 200 "), sourceLocation: sourceLocation)
        let answer = try await attempt.value
        #expect(answer.url.query() == "code=right&state=right-state", sourceLocation: sourceLocation)
    }
}

/// A browser at a listener.
struct LoopbackVisitor: Sendable {
    var address = LoopbackAddress.ipv4
    /// The host of the start page.
    var host = "127.0.0.1"
    let port: UInt16
    /// The path of the start page.
    let start: String
    var cookie: String?

    var authority: String { "\(host):\(port)" }

    /// Fetches the start page, and keeps the cookie.
    @discardableResult
    mutating func begin() async throws -> String {
        let page = try await get(start)
        cookie = headerField("Set-Cookie", of: page).map { String($0.prefix { $0 != ";" }) }
        return page
    }

    /// A request, with the cookie where there is one.
    func request(
        _ target: String, method: String = "GET", host: String? = nil, headers: [String] = []
    ) -> String {
        let fields = ["Host: \(host ?? authority)"] + (cookie.map { ["Cookie: theme=dark; \($0)"] } ?? []) + headers
        return "\(method) \(target) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\nConnection: close\r\n\r\n"
    }

    func get(
        _ target: String, method: String = "GET", host: String? = nil, headers: [String] = []
    ) async throws -> String {
        try await RawClient.exchange(
            request(target, method: method, host: host, headers: headers), at: address, port: port)
    }

    /// Another browser, which knows all the addresses.
    var stranger: Self { Self(address: address, host: host, port: port, start: start) }
}

/// The value of a field in the head of a response.
func headerField(_ name: String, of response: String) -> String? {
    response.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
}

func expectClosed(_ port: UInt16, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(throws: RawClient.ConnectError.self, "the listener is still open", sourceLocation: sourceLocation) {
        try RawClient(port: port)
    }
}
