public import Foundation

/// One HTTP request, as a value.
///
/// Making one checks nothing. A transport refuses one that cannot be sent as it is; see ``validate()``.
public struct AuthHTTPRequest: Sendable {
    /// A request method (RFC 9110 section 9). Methods without a constant are made from their name.
    public struct Method: RawRepresentable, Hashable, Sendable {
        /// The method as written on the wire.
        public let rawValue: String
        /// Makes a method.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// `GET`.
        public static let get = Self(rawValue: "GET")
        /// `POST`.
        public static let post = Self(rawValue: "POST")
        /// `PUT`.
        public static let put = Self(rawValue: "PUT")
        /// `PATCH`.
        public static let patch = Self(rawValue: "PATCH")
        /// `DELETE`.
        public static let delete = Self(rawValue: "DELETE")
    }

    /// The method.
    public var method: Method
    /// The URL.
    public var url: URL
    /// The header fields. Values may be secrets, so none is ever printed.
    public var headers: [HeaderName: String]
    /// The body.
    public var body: Data?
    /// How long to wait for the response. With zero or less, the request ends with `timedOut` before it is sent.
    public var timeout: Duration
    /// The largest body that is accepted, in bytes. A larger response fails with `invalidResponse`.
    public var maximumResponseBytes: Int

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The URL.
    ///   - headers: The header fields; none unless given.
    ///   - body: The body; none unless given.
    ///   - timeout: How long to wait for the response; 30 seconds unless given.
    ///   - maximumResponseBytes: The largest body that is accepted; 1 MiB unless given, far more than such responses
    ///     need.
    public init(
        _ method: Method, _ url: URL, headers: [HeaderName: String] = [:], body: Data? = nil,
        timeout: Duration = .seconds(30), maximumResponseBytes: Int = 1 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumResponseBytes = maximumResponseBytes
    }
}

/// The name of a header field. Names are compared without case (RFC 9110 section 5.1).
public struct HeaderName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name in lower case.
    public let canonical: String

    /// Makes a header name.
    public init(_ name: String) { canonical = name.lowercased() }
    /// Makes a header name from a literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// `Accept`.
    public static let accept: Self = "accept"
    /// `Authorization`.
    public static let authorization: Self = "authorization"
    /// `Content-Type`.
    public static let contentType: Self = "content-type"
    /// `Date`.
    public static let date: Self = "date"
    /// `Retry-After`.
    public static let retryAfter: Self = "retry-after"
}

extension AuthHTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and URL without query; never headers or body.
    public var description: String { "\(method.rawValue) \(AuthError.scrubbed(url))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror without children, because headers and body hold tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
