package import Foundation

/// A response of a ``LoopbackServer``'s handler.
///
/// The server itself writes `Date` (unless given), `Content-Length` and `Connection`; a header `Connection: close`
/// given here ends the connection after the response.
package struct LoopbackResponse: Sendable {
    /// How much of the response is sent.
    package enum Delivery: Sendable {
        case complete
        case truncated(afterBodyBytes: Int)
        case dropped
        /// The body, and then what the closure returns until it returns `nil`.
        case continued(@Sendable () async -> Data?)
    }

    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Data
    /// How much of the response is sent; all of it unless set.
    package private(set) var delivery = Delivery.complete

    package init(status: Int, headers: [(name: String, value: String)] = [], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A page, as `text/html; charset=utf-8`.
    package static func html(_ html: String, status: Int = 200) -> Self {
        Self(status: status, headers: [("Content-Type", "text/html; charset=utf-8")], body: Data(html.utf8))
    }

    /// A JSON document with `Cache-Control: no-store`, because most of them contain tokens (RFC 6749 section 5.1).
    package static func json(_ data: Data, status: Int = 200) -> Self {
        Self(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: data
        )
    }

    /// A redirection.
    ///
    /// 303 makes a browser continue with GET, so that a posted form is not posted again.
    package static func redirect(to location: String, status: Int = 303) -> Self {
        Self(status: status, headers: [("Location", location)])
    }

    /// No response: the connection closes without a byte, as if the server process had died.
    package static let dropConnection: Self = {
        var response = Self(status: 500)
        response.delivery = .dropped
        return response
    }()

    /// A response that declares its whole length, sends fewer bytes of its body, and closes the connection.
    ///
    /// - Parameter afterBodyBytes: The number of body bytes to send, limited to the body's length and to 0.
    package static func truncated(_ response: Self, afterBodyBytes: Int) -> Self {
        var response = response
        if case .dropped = response.delivery { return response }
        response.delivery = .truncated(afterBodyBytes: max(0, afterBodyBytes))
        return response
    }

    /// A response whose body has no known end, such as server-sent events. The connection ends with it.
    ///
    /// - Parameter next: Returns the next bytes, `nil` after the last ones. It is called once the client has taken those before, and
    ///   in a task that is cancelled when the client is gone.
    package static func continued(_ response: Self, by next: @escaping @Sendable () async -> Data?) -> Self {
        var response = response
        response.delivery = .continued(next)
        return response
    }

    /// The plain-text answer to a request that was refused.
    static func refusal(_ error: LoopbackRequestError) -> Self {
        Self(
            status: error.status,
            headers: [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")]
                + (error == .crowded ? [("Retry-After", "1")] : []),
            body: Data((error.reason + "\n").utf8)
        )
    }
}

extension LoopbackResponse {
    /// A response as it is sent: head and body in one buffer, for one write.
    struct Wire {
        var bytes: [UInt8]
        /// Whether the connection ends after it.
        var closes: Bool
        /// Returns what follows.
        var next: (@Sendable () async -> Data?)?
    }

    /// Returns the bytes to send; `nil` for ``dropConnection``.
    ///
    /// - Parameters:
    ///   - method: The request's method: HEAD gets the head that GET would get.
    ///   - keepsAlive: Whether client and server both keep the connection open after this response.
    ///   - date: The value of the `Date` header, when the response has none.
    func wire(method: String, keepsAlive: Bool, date: String) -> Wire? {
        let sentBody = sentBody(to: method)
        var count = sentBody.count
        let endsByHeader = headers.contains { ($0.name.lowercased(), $0.value.lowercased()) == ("connection", "close") }
        var next: (@Sendable () async -> Data?)?
        var closes = !keepsAlive || endsByHeader
        switch delivery {
        case .complete: break
        case .truncated(let limit):
            count = min(limit, count)
            closes = true
        case .dropped: return nil
        case .continued(let further): next = hasBody && method != "HEAD" ? further : nil
        }
        let status = sentStatus
        var head = "HTTP/1.1 \(status) \(Self.reasonPhrase(status))\r\n"
        let fields = sentHeaders
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if !fields.contains(where: { $0.name.lowercased() == "date" }) { head += "Date: \(date)\r\n" }
        if next != nil { closes = true } else if hasBody { head += "Content-Length: \(body.count)\r\n" }
        head += closes ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n"

        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.utf8.count + count)
        bytes.append(contentsOf: head.utf8)
        bytes.append(contentsOf: sentBody.prefix(count))
        return Wire(bytes: bytes, closes: closes, next: next)
    }

    /// The status that is sent: 500 in place of an invalid one.
    package var sentStatus: Int { (200...599).contains(status) ? status : 500 }

    /// The header fields that are sent, without those that the server writes itself.
    package var sentHeaders: [(name: String, value: String)] {
        headers.compactMap { name, value in
            // The server writes the framing: a wrong length would misplace the next response.
            guard LoopbackRequestHead.isToken(name.utf8),
                !["content-length", "transfer-encoding", "connection"].contains(name.lowercased())
            else { return nil }
            return (name, Self.oneLine(value))
        }
    }

    /// The body that is sent: none for HEAD, nor with a status that has none.
    package func sentBody(to method: String) -> Data { hasBody && method != "HEAD" ? body : Data() }

    private var hasBody: Bool { status != 204 && status != 304 }

    /// With control characters, a received value could end the head and begin a response of its own.
    private static func oneLine(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return value }
        let scalars = value.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func reasonPhrase(_ status: Int) -> String {
        phrases[status] ?? "Status \(status)"
    }

    private static let phrases = [
        200: "OK", 201: "Created", 204: "No Content", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
        415: "Unsupported Media Type", 417: "Expectation Failed", 421: "Misdirected Request",
        428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
}
