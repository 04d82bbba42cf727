public import Foundation

/// One HTTP response, as a value.
public struct AuthHTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields. The values of a repeated field are joined by commas (RFC 9110 section 5.2).
    public var headers: [HeaderName: String]
    /// The body, never longer than the request allowed.
    public var body: Data

    /// Makes a response.
    public init(status: Int, headers: [HeaderName: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status is 2xx.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// How long the server asked to wait, from `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3).
    ///
    /// A date is relative to the response's own `Date`, since the device's clock may be wrong; without one it is
    /// ignored. A date in the past means no wait, and a wait of more than a day counts as a day.
    public var retryAfter: Duration? {
        guard let value = headers[.retryAfter], !value.isEmpty else { return nil }
        if value.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
            return Duration.seconds(Int(value) ?? .max).asServerWait
        }
        guard let end = HTTPDate.date(value), let begin = date else { return nil }
        return Duration.seconds(Int(end.timeIntervalSince(begin))).asServerWait
    }

    /// The wait, limited to five minutes if the response is a page, which an intermediary sent.
    package var credibleRetryAfter: Duration? {
        isPage ? retryAfter.map { min($0, .seconds(300)) } : retryAfter
    }

    /// Whether the response is a page for a browser: the answer of a proxy or a captive portal instead of the server,
    /// with any status.
    package var isPage: Bool {
        if headers[.contentType]?.lowercased().contains("html") ?? false { return true }
        // After a byte order mark and white space.
        let before: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D]
        return body.first { !before.contains($0) } == UInt8(ascii: "<")
    }
}

extension AuthHTTPResponse: DescriptionOnly {
    /// Status and size; never headers or body, which hold tokens.
    public var description: String { "\(status), \(body.count) bytes" }
}

extension AuthHTTPResponse {
    /// The body as JSON; `nil` for any other body, such as a proxy's page.
    ///
    /// A server may cut a name in the middle of a character. Half a character becomes U+FFFD, so that the rest is read.
    package var json: AuthJSON? { AuthJSON(json: body) ?? AuthJSON(json: UnicodeRepair.repaired(body)) }

    /// The body as a JSON object; `nil` for any other body.
    package var jsonObject: [String: AuthJSON]? { json?.object }

    /// When the server responded, by its own clock (RFC 9110 section 6.6.1); `nil` if the response has no date.
    package var date: Date? { headers[.date].flatMap(HTTPDate.date) }
}

extension AuthHTTPResponse {
    /// The challenges of `WWW-Authenticate` with their parameters, whose names are in lower case (RFC 9110 section 11.6.1).
    package var authenticationChallenges: [(scheme: String, parameters: [String: String])] {
        var result: [(scheme: String, parameters: [String: String])] = []
        var isQuoted = false
        // Commas separate challenges, and the parameters of one.
        let words = (headers["www-authenticate"] ?? "").split { character in
            if character == "\"" { isQuoted.toggle() }
            return (character == "," || character == " ") && !isQuoted
        }
        for word in words {
            guard let equals = word.firstIndex(of: "=") else {
                result.append((word.lowercased(), [:]))
                continue
            }
            if result.isEmpty { result.append(("", [:])) }
            let value = word[word.index(after: equals)...].trimmingCharacters(in: ["\""])
            result[result.count - 1].parameters[word[..<equals].lowercased()] = value
        }
        return result
    }
}
