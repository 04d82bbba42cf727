package import Foundation

/// Rules about redirect URIs.
package enum RedirectURI {
    /// Returns whether a callback came to a redirect URI: same scheme, host, port and path, with any query.
    ///
    /// The comparison is exact (RFC 9700 section 2.1), except that scheme and host are compared without case, and a web
    /// address without path equals one with `/` (RFC 3986 section 6.2).
    ///
    /// - Parameter ignoresLastSlash: Whether a slash at the end of the path makes no difference with a scheme of the app,
    ///   because some issuers add one. `state` binds such an answer to its attempt.
    package static func matches(_ url: URL, _ redirectURI: URL, ignoresLastSlash: Bool = true) -> Bool {
        // Most callbacks of other providers have another scheme. Comparing that costs less than parsing both URLs.
        guard url.scheme?.lowercased() == redirectURI.scheme?.lowercased() else { return false }
        guard let a = place(of: url, ignoresLastSlash), let b = place(of: redirectURI, ignoresLastSlash) else {
            return false
        }
        return a == b
    }

    /// Checks the form of a redirect URI: absolute and without a fragment (RFC 6749 section 3.1.2), and https or on this
    /// machine if it is a web address (RFC 9700 section 2.6).
    ///
    /// - Throws: `misconfigured`, with the rule that is broken.
    package static func validate(_ url: URL) throws(AuthError) {
        guard let scheme = url.scheme?.lowercased() else {
            throw AuthError(.misconfigured, "The redirect URI is relative. Give it the scheme that is registered.")
        }
        guard url.fragment() == nil else {
            throw AuthError(.misconfigured, "The redirect URI has a fragment, which none may have. Remove it.")
        }
        guard !["http", "https"].contains(scheme) || url.keepsSecrets else {
            throw AuthError(
                .misconfigured,
                "The redirect URI is plain http to another machine, or has no host. Use https or the app's own scheme.")
        }
    }

    private static func place(of url: URL, _ ignoresLastSlash: Bool) -> [String]? {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(),
            parts.user == nil, parts.password == nil
        else { return nil }
        let path = parts.percentEncodedPath
        return [
            scheme, parts.percentEncodedHost?.lowercased() ?? "", parts.port.map(String.init) ?? "",
            scheme == "http" || scheme == "https"
                ? (path.isEmpty ? "/" : path)
                : ignoresLastSlash && path.hasSuffix("/") ? String(path.dropLast()) : path,
        ]
    }
}
