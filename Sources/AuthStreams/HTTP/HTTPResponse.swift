public import Foundation

/// One HTTP answer, as a value.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields. Of a repeated field the values are joined by commas (RFC 9110 section 5.2).
    public var headers: [HeaderName: String]
    /// The body, never longer than the request allowed.
    public var body: Data

    /// Makes an answer.
    public init(status: Int, headers: [HeaderName: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status is 2xx.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// How long the server asked to wait, from `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3).
    ///
    /// A date counts from the answer's own `Date`, since the device's clock may be wrong; without one it says nothing. A date
    /// that is over is no wait at all.
    public var retryAfter: Duration? {
        guard let value = headers[.retryAfter] else { return nil }
        if let seconds = Int(value) { return seconds >= 0 ? .seconds(seconds) : nil }
        guard let end = HTTPDate.date(value), let begin = date else { return nil }
        return .seconds(max(0, Int(end.timeIntervalSince(begin))))
    }

    /// The same, as far as it is to be believed: a page is what something in between answered, and five minutes are enough
    /// for that.
    package var credibleRetryAfter: Duration? {
        isPage ? retryAfter.map { min($0, .seconds(300)) } : retryAfter
    }

    /// Whether this is for a browser: what a proxy or a captive portal answers in the server's place, with any status.
    package var isPage: Bool {
        headers[.contentType]?.lowercased().contains("html") ?? false || body.first == UInt8(ascii: "<")
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status and size; never headers or body.
    public var description: String { "\(status), \(body.count) bytes" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror without children, because bodies hold tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
