import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import LoopbackHTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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
        guard let start = await opener.page.value(), let port = start.port.map(UInt16.init) else {
            throw Mistake(description: "No page was opened.")
        }
        let first = try await onThread { try BlockingClient(port: port).get(start.path()) }
        guard let cookie = first.cookie else { throw Mistake(description: "The start page sets no cookie.") }
        let mean = try await refusals(count, at: port)
        _ = try await onThread { try BlockingClient(port: port).get("/callback?code=right", cookie: cookie) }
        guard try await attempt.value.url.query() == "code=right" else {
            throw Mistake(description: "The attempt ended with another answer.")
        }
        return mean
    }

    static func toABareServer(_ count: Int) async throws -> Double {
        let server = try LoopbackServer.start { _ in LoopbackResponse(status: 404) }
        defer { server.stop() }
        return try await refusals(count, at: server.port)
    }

    private static func refusals(_ count: Int, at port: UInt16) async throws -> Double {
        let paths = ["/favicon.ico", "/callback?code=forged&state=wrong", "/callback", "/"]
        return try await onThread {
            let begin = ContinuousClock.now
            for number in 0..<count {
                let status = try BlockingClient(port: port).get(paths[number % paths.count]).status
                guard (400..<500).contains(status) else {
                    throw Mistake(description: "A stray request was answered with status \(status).")
                }
            }
            return begin.nanoseconds(per: count)
        }
    }

    /// Runs work that blocks, on a thread of its own: those of tasks are for the server.
    private static func onThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
        }
    }
}

/// A client of one request, on a connection of its own. Its calls block.
private struct BlockingClient: ~Copyable {
    private let descriptor: Int32
    private let port: UInt16

    init(port: UInt16) throws {
        self.port = port
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        let connected = LoopbackAddress.ipv4.withSocketAddress(port: port) { connect(descriptor, $0, $1) }
        guard connected == 0 else { throw Mistake(description: "A connection failed with error \(errno).") }
    }

    deinit { close(descriptor) }

    /// Sends a request, and reads until the server closes the connection.
    ///
    /// - Parameter cookie: The value of the header field `Cookie`.
    func get(_ target: String, cookie: String? = nil) throws -> (status: Int, cookie: String?) {
        let fields = ["Host: 127.0.0.1:\(port)", "Connection: close"] + (cookie.map { ["Cookie: \($0)"] } ?? [])
        let request = Array("GET \(target) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n".utf8)
        guard write(descriptor, request, request.count) == request.count else {
            throw Mistake(description: "A request failed with error \(errno).")
        }
        var response: [UInt8] = []
        while true {
            let isOpen = withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                response += buffer[..<max(0, count)]
                return count > 0
            }
            guard isOpen else { break }
        }
        let head = String(decoding: response, as: UTF8.self)
        let status = head.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) }
        guard let status else { throw Mistake(description: "A request had no response.") }
        return (status, head.firstMatch(of: /(?i)\r\nSet-Cookie: ([^;\r]+)/).map { String($0.1) })
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
