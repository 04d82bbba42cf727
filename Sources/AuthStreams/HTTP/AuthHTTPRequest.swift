public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

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

extension AuthHTTPRequest: DescriptionOnly {
    /// Method and URL without query; never headers or body, which hold tokens.
    public var description: String { "\(method.rawValue) \(AuthError.scrubbed(url))" }
}

extension AuthHTTPRequest {
    /// Checks that every transport can send the request as it is.
    ///
    /// Transports call this first, so that a line break in a header field never ends the field early or begins another
    /// one.
    ///
    /// - Throws: ``AuthError`` with code `misconfigured` if the URL is not http or https with a host, the method or the
    ///   name of a header field is not a token (RFC 9110 section 5.6.2), or the value of a field has a control character
    ///   other than a tab (RFC 9110 section 5.5); with code `timedOut` if ``timeout`` is zero or less. The explanation has no
    ///   value of a field.
    public func validate() throws(AuthError) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host()?.isEmpty == false
        else {
            throw AuthError(.misconfigured, "The URL of a request is not http or https with a host. Correct it.")
        }
        guard Self.isToken(method.rawValue) else {
            throw AuthError(
                .misconfigured, "The method of a request is empty or has a character that no method has. Correct it.")
        }
        for (name, value) in headers {
            guard Self.isToken(name.canonical) else { throw Self.refusal(ofName: name) }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
                throw AuthError(
                    .misconfigured,
                    "The value of the header field '\(name.canonical)' has a control character, such as a line break, so "
                        + "nothing was sent. Remove it where the value is made.")
            }
        }
        guard timeout > .zero else {
            throw AuthError(.timedOut, "A request had no time left, so nothing was sent. Give it a timeout above zero.")
        }
    }

    /// Makes the error of a name that is not a token. Only its beginning is shown: the rest may be a value that was
    /// written into the name.
    private static func refusal(ofName name: HeaderName) -> AuthError {
        let beginning = String(decoding: name.canonical.utf8.prefix(while: isTokenCharacter), as: UTF8.self)
        let found = beginning.isEmpty ? "is empty or begins with" : "begins with '\(beginning)' and continues with"
        return AuthError(
            .misconfigured,
            "The name of a header field \(found) a character that no name has, so nothing was sent. Write the name alone, "
                + "without a colon, space or line break.")
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter)
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Makes a request from Foundation's, such as one that other code of the app made.
    ///
    /// Cache policy, cookies and network service type have no counterpart and are dropped.
    ///
    /// - Parameters:
    ///   - request: Its `timeoutInterval` becomes ``timeout``; if that is not positive, Foundation's default of 60
    ///     seconds.
    ///   - maximumResponseBytes: The largest body that is accepted; 64 MiB unless given, as much as an app's server may
    ///     return.
    /// - Throws: `misconfigured` if there is no URL, or the body is a stream, which cannot be sent twice.
    public init(_ request: URLRequest, maximumResponseBytes: Int = 64 << 20) throws(AuthError) {
        guard let url = request.url else {
            throw AuthError(.misconfigured, "A request has no URL. Give it one.")
        }
        guard request.httpBodyStream == nil else {
            throw AuthError(
                .misconfigured, "The body of a request is a stream, which cannot be sent a second time. Use `httpBody`."
            )
        }
        let headers = (request.allHTTPHeaderFields ?? [:]).map { (HeaderName($0.key), $0.value) }
        self.init(
            Method(rawValue: request.httpMethod ?? "GET"), url,
            headers: Dictionary(headers) { first, second in "\(first), \(second)" }, body: request.httpBody,
            timeout: Self.limit(request.timeoutInterval), maximumResponseBytes: maximumResponseBytes)
    }

    // `Duration` traps on a value that it cannot represent.
    private static func limit(_ interval: TimeInterval) -> Duration {
        interval > 0 ? .seconds(min(interval, TimeInterval(Int32.max))) : .seconds(60)
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
    /// `DPoP`: the proof of a key (RFC 9449 section 4.1).
    package static let dpop: Self = "dpop"
    /// `Retry-After`.
    public static let retryAfter: Self = "retry-after"
}

extension AuthHTTPRequest {
    /// The texts of the request that a server's message may quote and an error does not: those in its header fields, its
    /// body and the forms in that. Texts shorter than six characters are left out, because common words contain them; four digits may
    /// be a code.
    package var texts: [Secret] {
        let fields = headers.filter { !["content-type", "accept", "x-ios-bundle-identifier"].contains($0.key) }
            .flatMap { name, value in name == "cookie" ? Self.values(ofCookies: value) : [Self.token(in: value)] }
        let text = body ?? Data()
        let json = AuthJSON(json: text) ?? .string(String(decoding: text, as: UTF8.self))
        return (fields + json.texts)
            .filter { $0.utf8.count >= 6 || $0.utf8.count >= 4 && $0.allSatisfy(\.isNumber) }.map { Secret($0) }
    }

    /// Returns whether a text of the JSON body is this one, such as a password that is a word.
    package func sends(_ text: String) -> Bool { body.flatMap { AuthJSON(json: $0) }?.texts.contains(text) ?? false }

    /// The text without the name of the scheme before it.
    private static func token(in field: String) -> String {
        field.replacing("Bearer ", with: "").replacing("DPoP ", with: "")
    }

    private static func values(ofCookies field: String) -> [String] {
        field.split(separator: ";").compactMap {
            $0.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
        }
    }
}

extension AuthJSON {
    private static let publicNames: Set = [
        "provider", "providerId", "deleteProvider", "requestUri", "tenantId", "grant_type", "action",
    ]

    /// The texts in the value and in the forms among them, but those of members that no secret has.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text):
            [text] + (FormCoding.decode(text) ?? []).filter { !Self.publicNames.contains($0.name) }.map(\.value)
        case .array(let elements): elements.flatMap(\.texts)
        case .object(let members):
            members.filter { !Self.publicNames.contains($0.key) }.flatMap { $0.value.texts }
        default: []
        }
    }
}
