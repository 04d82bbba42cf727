import AuthStreams
import Foundation

/// What an issuer publishes at one URL: its metadata or its keys.
enum IssuerDocument {
    /// A JSON object with any members, and how long it may be used.
    case found(AuthJSON, freshness: Duration?)
    /// A status of 4xx, and the error of an issuer that publishes the document nowhere else.
    case missing(AuthError)
}

extension AuthHTTPTransport {
    /// Fetches a JSON document that an issuer publishes.
    ///
    /// - Parameter name: What errors call it, such as `metadata`. They also name the URL and the status.
    /// - Throws: `AuthError`; `misconfigured`, without a request, if others could change the document on the way;
    ///   `rateLimited`, `server` or `invalidResponse`, or the transport's error.
    func issuerDocument(_ name: String, at url: URL) async throws(AuthError) -> IssuerDocument {
        let subject = "The issuer's \(name) at \(AuthError.scrubbed(url))"
        // Who can replace the metadata or the keys can sign as the issuer.
        guard RedirectURI.isConfidential(url) else {
            throw AuthError(.misconfigured, "\(subject) come only by https or from this machine. Correct their URL.")
        }
        let response: AuthHTTPResponse
        do throws(AuthError) {
            response = try await send(AuthHTTPRequest(.get, url, headers: [.accept: "application/json"]))
        } catch {
            var error = error
            error.explanation = "\(subject) could not be fetched. \(error.explanation)"
            throw error
        }
        func error(_ code: AuthError.Code, _ problem: String) -> AuthError {
            AuthError(
                code, "\(subject) \(problem) The status is \(response.status).", retryAfter: response.retryAfter)
        }
        switch response.status {
        case 429: throw error(.rateLimited, "could not be fetched: too many requests. Try again later.")
        case 400..<500: return .missing(error(.invalidResponse, "were not found. Check the issuer's identifier."))
        case 500...: throw error(.server, "could not be fetched. Try again later.")
        case 300..<400:
            throw error(
                .invalidResponse,
                "were answered by a redirect, which is never followed. Correct the issuer's identifier.")
        default: break
        }
        guard response.isSuccess, let document = AuthJSON(json: response.body), document.object != nil else {
            throw error(
                .invalidResponse, "are not a JSON object of at most \(AuthJSON.maximumDepth) levels. Check the URL.")
        }
        guard !AuthJSON.repeatsMember(response.body) else {
            throw error(.invalidResponse, "name a member twice. Report it to the issuer.")
        }
        return .found(document, freshness: response.freshness)
    }
}

extension AuthHTTPResponse {
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
