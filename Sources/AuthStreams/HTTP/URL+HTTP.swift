package import Foundation

extension URL {
    /// Makes a URL from a literal, such as a provider's endpoint.
    ///
    /// - Parameter text: A well-formed URL. Any other text becomes an unreachable URL, and the first request fails.
    package init(literal text: StaticString) {
        self = URL(string: "\(text)") ?? URL(filePath: "/")
    }

    /// Returns the same URL below another server: `https://HOST/PATH` becomes `BASE/HOST/PATH`.
    ///
    /// A client of the emulator differs from a production client only in this. A port stays with the host, and the
    /// query is kept. An issuer is moved the same way, so `https://kauth.kakao.com` becomes `BASE/kauth.kakao.com`.
    ///
    /// - Parameter base: The other server, such as `http://127.0.0.1:9099`; a trailing slash makes no difference.
    package func relocated(onto base: URL) -> URL {
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return base }
        let own = URLComponents(url: self, resolvingAgainstBaseURL: true)
        var prefix = parts.percentEncodedPath
        while prefix.hasSuffix("/") { prefix.removeLast() }
        let authority = (own?.percentEncodedHost ?? "") + (own?.port.map { ":\($0)" } ?? "")
        parts.percentEncodedPath = "\(prefix)/\(authority)\(own?.percentEncodedPath ?? "")"
        parts.percentEncodedQuery = own?.percentEncodedQuery
        // Never the original on failure: a test must not reach production.
        return parts.url ?? base
    }
}
