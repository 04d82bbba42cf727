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
