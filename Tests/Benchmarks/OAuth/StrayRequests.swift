import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import LoopbackHTTP

extension Measure {
    /// A listener that other programs ask for pages while an attempt is under way, beside a server that answers 404 to everything.
    static let strayRequests = Measure(
        id: "stray-requests", title: "10 000 stray requests to a listener, each", unit: "µs",
        figure: .cost(beside: .bare), bound: .atMost(must: 1.5, aim: 1.1)
    ) { rounds in
        let count = rounds.scaled(10_000)
        // One round has enough of them.
        return try await Rounds(count: 1, isSmoke: rounds.isSmoke).interleave([
            (.ours, { try await StrayRequests.toAnAttempt(count) / 1000 }),
            (.bare, { try await StrayRequests.toABareServer(count) / 1000 }),
        ])
    }
}

private enum StrayRequests {
    /// Sends the requests to the listener of one attempt, and then its right answer.
    ///
    /// - Returns: The mean time of a request, in nanoseconds.
    /// - Throws: ``Mistake`` if one of the requests is not refused, or the attempt does not succeed afterwards.
    static func toAnAttempt(_ count: Int) async throws -> Double {
        let opener = PageOpener()
        let browser = SystemBrowser(opener: opener)
        let page = AuthorizationPage(
            redirect: .loopback(path: "/callback"), makeURL: { _ in URL(literal: "https://id.example/authorize") },
            accepts: { url, _ in url.query() == "code=right" })
        let attempt = Task { try await browser.authorize(page) }
        guard let start = await opener.page.value(), let port = start.port else {
            throw Mistake(description: "No page was opened.")
        }
        let first = try await get(start.path(), at: port)
        guard let cookie = first.headers["Set-Cookie"]?.split(separator: ";").first else {
            throw Mistake(description: "The start page sets no cookie.")
        }
        let mean = try await refusals(count, at: port)
        _ = try await get("/callback?code=right", at: port, cookie: String(cookie))
        guard try await attempt.value.url.query() == "code=right" else {
            throw Mistake(description: "The attempt ended with another answer.")
        }
        return mean
    }

    static func toABareServer(_ count: Int) async throws -> Double {
        let server = try LoopbackServer.start { _ in LoopbackResponse(status: 404) }
        defer { server.stop() }
        return try await refusals(count, at: Int(server.port))
    }

    private static func refusals(_ count: Int, at port: Int) async throws -> Double {
        let paths = ["/favicon.ico", "/callback?code=forged&state=wrong", "/callback", "/"]
        var number = 0
        return try await mean(of: count) {
            let status = try await get(paths[number % paths.count], at: port).status
            guard (400..<500).contains(status) else {
                throw Mistake(description: "A stray request was answered with status \(status).")
            }
            number += 1
        }
    }

    private static let transport = URLSessionTransport()

    private static func get(_ target: String, at port: Int, cookie: String? = nil) async throws -> AuthHTTPResponse {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(target)") else { throw Mistake(description: "No URL.") }
        var request = AuthHTTPRequest(.get, url)
        if let cookie { request.headers["Cookie"] = cookie }
        return try await transport.send(request)
    }
}

/// A browser that opens no page.
private final class PageOpener: ApplicationOpener {
    let page = Promise<URL>()

    func canOpen(_ url: URL) -> Bool { true }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        page.resolve(url)
        return .unobservable
    }
}
