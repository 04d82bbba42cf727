import AuthStreams
import Foundation

extension HTTPTransport {
    /// Fetches a JSON document that an issuer publishes: its metadata or its keys.
    ///
    /// - Parameter name: What errors call it, such as `metadata`.
    /// - Returns: The document, with any content, and how long it may be used; `nil` with a status of 4xx.
    /// - Throws: `AuthError`; `misconfigured`, without a request, if others could change the document on the way;
    ///   `rateLimited`, `server` or `invalidResponse`, or the transport's error.
    func issuerDocument(
        _ name: String, at url: URL
    ) async throws(AuthError) -> (document: JSONValue, freshness: Duration?)? {
        // Who can replace the metadata or the keys can sign as the issuer.
        guard RedirectURI.isConfidential(url) else {
            throw AuthError(
                .misconfigured, "The issuer's \(name) come only by https or from this machine. Correct their URL.")
        }
        let response = try await send(HTTPRequest(.get, url, headers: [.accept: "application/json"]))
        switch response.status {
        case 429:
            throw AuthError(
                .rateLimited, "The issuer's \(name) could not be fetched: too many requests.",
                retryAfter: response.retryAfter)
        case 400..<500: return nil
        case 500...:
            throw AuthError(.server, "The issuer's \(name) could not be fetched: status \(response.status).")
        case 300..<400:
            throw AuthError(
                .invalidResponse,
                "The issuer answered with a redirect for its \(name), which is never followed. Correct the URL.")
        default: break
        }
        guard response.isSuccess, let document = JSONValue(json: response.body), document.object != nil else {
            throw AuthError(
                .invalidResponse,
                """
                The issuer's \(name) (status \(response.status)) are not a JSON object of at most \
                \(JSONValue.maximumDepth) levels. Check the URL.
                """)
        }
        guard !JSONValue.repeatsMember(response.body) else {
            throw AuthError(.invalidResponse, "The issuer's \(name) name a member twice. Report it to the issuer.")
        }
        return (document, response.freshness)
    }
}

extension HTTPResponse {
    /// How long the response may be used, by its `Cache-Control` (RFC 9111 section 5.2.2); `nil` if it does not say.
    fileprivate var freshness: Duration? {
        let directives = headers["cache-control"]?.lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard let directives else { return nil }
        if directives.contains("no-store") || directives.contains("no-cache") { return .zero }
        let age = directives.first { $0.hasPrefix("max-age=") }.flatMap { Int($0.dropFirst(8)) }
        return age.map { .seconds(max(0, $0)) }
    }
}
