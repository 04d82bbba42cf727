package import Foundation

/// Scheme, host and port: what has to be the same for two URLs to be the same server (RFC 6454 section 4).
///
/// Two readers of one URL must not come to different hosts, or a token goes to a host that the app did not name. So a
/// URL has an origin here only if there is one way to read it: no user before an `@`, no backslash, no escapes but that
/// before an IPv6 zone, no letters beyond ASCII in the host (Foundation has made Punycode of them before), a plain
/// number for a port; and Foundation, which connects, must read the same.
package struct Origin: Hashable, Sendable {
    private let scheme: String
    private let host: String
    private let port: Int

    /// The origin; `nil` where a token may not travel, and where it is not plain what the URL means.
    package init?(_ url: URL) {
        // A URL that is relative to another one names the place only together with it.
        let url = url.absoluteURL
        let text = url.absoluteString
        guard url.keepsSecrets, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            url.user == nil, url.password == nil, let hostInURL = url.host(),
            let end = text.range(of: "://", options: .literal), let scheme = url.scheme?.lowercased(),
            scheme == text[..<end.lowerBound].lowercased(),
            let (host, port) = Self.hostAndPort(in: text[end.upperBound...].prefix { !"/?#".contains($0) })
        else { return nil }
        let usualPort = scheme == "https" ? 443 : 80
        guard host == Self.bare(hostInURL.lowercased()), port ?? usualPort == url.port ?? usualPort else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port ?? usualPort
    }

    private static func hostAndPort(in authority: Substring) -> (host: String, port: Int?)? {
        var host = authority
        var port: Int?
        // An IPv6 address has colons of its own, in brackets.
        if let colon = authority.lastIndex(of: ":"), authority[colon...].allSatisfy({ $0 != "]" }) {
            let digits = authority[authority.index(after: colon)...]
            guard digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = UInt16(digits)
            else { return nil }
            (host, port) = (authority[..<colon], Int(number))
        }
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        let inside = bare(host.lowercased())
        // An IPv6 address may have a zone, such as `%25en0` (RFC 6874).
        let parts =
            isAddress ? inside.split(separator: "%25", maxSplits: 1, omittingEmptySubsequences: false) : [inside[...]]
        let name = "0123456789abcdefghijklmnopqrstuvwxyz-._"
        let allowed = [isAddress ? "0123456789abcdef:." : name, name]
        guard zip(parts, allowed).allSatisfy({ part, allowed in !part.isEmpty && part.allSatisfy(allowed.contains) }),
            isAddress == inside.contains(":")
        else { return nil }
        return (inside, port)
    }

    private static func bare(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}

extension Origin: CustomStringConvertible {
    /// As in the header field `Origin` (RFC 6454 section 6.2), with the port always there.
    package var description: String { "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
