import Foundation

/// A cookie with a token (RFC 6265).
///
/// It is read here because `HTTPCookie` of FoundationNetworking ignores `Max-Age`, takes `/` for an absent path, and
/// accepts any domain.
struct ServerCookie {
    private let name: String
    let value: Secret
    /// The path below which it is sent; `nil` if the server set none.
    private(set) var path: String?
    /// The host that receives it, with those below; `nil` if the server set none.
    private(set) var domain: String?
    /// Without a domain, the one host that receives it; `nil` for a value of unknown origin.
    private(set) var host: String?
    private var expires: Date?
    /// The seconds that it is kept. They take precedence over ``expires``.
    private var maxAge: Double?

    /// Reads the text of a cookie (section 5.2); `nil` if it has no name.
    init?(_ text: Substring) {
        let pairs = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return (name: halves[0], value: halves.count > 1 ? halves[1] : "")
        }
        guard let (name, value) = pairs.first, !name.isEmpty else { return nil }
        (self.name, self.value) = (name, Secret(value))
        for (name, value) in pairs.dropFirst() {
            switch name.lowercased() {
            // Only in the stored form; a server's has no such attribute.
            case "host": host = value.lowercased()
            case "path": path = value.hasPrefix("/") ? value : nil
            case "domain":
                let host = value.hasPrefix(".") ? String(value.dropFirst()) : value
                domain = host.isEmpty ? domain : host.lowercased()
            // Dates with hyphens and four digits of the year are common in cookies.
            case "expires":
                expires = HTTPDate.date(value) ?? HTTPDate.date(value.replacing("-", with: " ")) ?? expires
            case "max-age" where value.wholeMatch(of: /-?[0-9]+/) != nil:
                maxAge = Double(value)
            default: break
            }
        }
    }

    /// Makes a cookie without path and domain.
    init(value: Secret) { (name, self.value) = ("", value) }

    /// Reads a refresh token as it is stored: ``text``, or the value alone. No token has a path after it.
    init(stored token: Secret) {
        let text = token.reveal()
        self = (text.contains("; Path=/") ? ServerCookie(text[...]) : nil) ?? ServerCookie(value: token)
    }

    /// Reads the cookie that an answer sets (section 5.3). Of several with that name, the last one that is valid counts.
    ///
    /// - Parameter url: The URL of the request.
    /// - Returns: `nil` if the answer sets none, or only deletes it.
    /// - Throws: `invalidResponse` if the cookie has a value that cannot be sent back, or is for another host.
    static func named(
        _ name: String, in response: AuthHTTPResponse, from url: URL
    ) throws(AuthError) -> Self? {
        // The values of a repeated field are joined by commas. A comma in a date precedes no name with an equals sign.
        let separator = /,[ \t]*(?=[\-!#$%&'*+.^_`|~0-9A-Za-z]+[ \t]*=)/
        let cookies = (response.headers[.setCookie] ?? "").split(separator: separator).compactMap { Self($0) }
        guard var cookie = cookies.last(where: { $0.name == name && !$0.isDeleted(at: response.date) }) else {
            return nil
        }
        guard cookie.canBeSent else {
            throw .badCookie(name, "has a character in its value that no cookie may have")
        }
        cookie.host = nil
        guard cookie.isForHost(of: url) else { throw .badCookie(name, "has the domain of another host") }
        cookie.path = cookie.path ?? Self.defaultPath(of: url)
        cookie.host = cookie.domain == nil ? url.host()?.lowercased() : nil
        return cookie
    }

    /// Whether the server deletes the cookie with it.
    ///
    /// - Parameter date: The server's own. Without it, an answer deletes a cookie by the beginning of 1970.
    private func isDeleted(at date: Date?) -> Bool {
        let isOver = maxAge.map { $0 <= 0 } ?? expires.map { $0 <= date ?? Date(timeIntervalSince1970: 1) } ?? false
        return isOver || ["", #""""#].contains(value.reveal())
    }

    /// Whether the value has only characters of a cookie (section 4.1.1), and possibly quotes around them.
    var canBeSent: Bool {
        var octets = value.reveal().utf8[...]
        let quote = UInt8(ascii: "\"")
        if octets.count > 2, octets.first == quote, octets.last == quote { octets = octets.dropFirst().dropLast() }
        return !octets.isEmpty && octets.allSatisfy { (0x21...0x7E).contains($0) && !#"",;\"#.utf8.contains($0) }
    }

    /// The cookie as it is stored: without what differs in each answer, such as the date of its end.
    var text: Secret {
        let attributes = [path.map { "; Path=\($0)" }, domain.map { "; Domain=\($0)" }, host.map { "; Host=\($0)" }]
        return Secret("\(name)=\(value.reveal())" + attributes.compactMap(\.self).joined())
    }

    // MARK: Where it belongs

    /// Whether a request to this URL has the cookie.
    func belongs(to url: URL) -> Bool { isForHost(of: url) && isForPath(of: url) }

    /// Section 5.1.3. No host is below a numeric address.
    private func isForHost(of url: URL) -> Bool {
        guard let host = url.host()?.lowercased() else { return false }
        guard let domain else { return self.host ?? host == host }
        let isAddress = host.split(separator: ".").last?.allSatisfy(\.isNumber) ?? true
        return host == domain || !isAddress && host.hasSuffix(".\(domain)")
    }

    /// Section 5.1.4.
    private func isForPath(of url: URL) -> Bool {
        guard let path else { return true }
        return url.path() == path || url.path().hasPrefix(path.hasSuffix("/") ? path : "\(path)/")
    }

    /// The path of the URL without its last component (section 5.1.4).
    private static func defaultPath(of url: URL) -> String {
        let path = url.path()
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

extension AuthError {
    /// The name is the contract's own, so it may be printed; the value never is.
    fileprivate static func badCookie(_ name: String, _ what: String) -> Self {
        AuthError(.invalidResponse, "The answer's cookie '\(name)' \(what), so nothing of the answer is kept.")
    }
}

extension HeaderName {
    static let cookie: Self = "cookie"
    static let setCookie: Self = "set-cookie"
}

extension [HeaderName: String] {
    /// Adds cookies after those that are there. A request has one such field at most (RFC 6265 section 5.4).
    mutating func addCookies(_ cookies: String) {
        self[.cookie] = self[.cookie].map { "\($0); \(cookies)" } ?? cookies
    }
}
