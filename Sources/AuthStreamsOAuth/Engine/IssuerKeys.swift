package import AuthStreams
package import Foundation

/// The keys of one issuer, fetched when first needed, kept, and fetched once more when a token names an unknown one.
///
/// Two attempts at once may fetch twice; nothing waits for another's request.
package final class IssuerKeys: Sendable {
    private let url: URL
    private let transport: any HTTPTransport
    private let cached = Lock<JSONWebKeySet?>(nil)

    package init(url: URL, transport: any HTTPTransport) {
        self.url = url
        self.transport = transport
    }

    /// The keys that may have made a signature. Empty when the issuer publishes none, even now.
    ///
    /// - Throws: ``AuthError``; `server` or `invalidResponse` when the keys cannot be had, `misconfigured` when their URL is
    ///   neither https nor on this machine, or what the transport threw.
    package func candidates(id: String?, algorithm: JWSAlgorithm) async throws(AuthError) -> [JSONWebKey] {
        if let known = cached.withLock({ $0 })?.candidates(id: id, algorithm: algorithm), !known.isEmpty {
            return known
        }
        let fetched = try await fetch()
        cached.withLock { $0 = fetched }
        return fetched.candidates(id: id, algorithm: algorithm)
    }

    private func fetch() async throws(AuthError) -> JSONWebKeySet {
        // Who can change the keys on the way can sign as the issuer.
        guard RedirectURI.isConfidential(url) else {
            throw AuthError(
                .misconfigured, "The issuer's keys come only by https or from this machine. Correct their URL.")
        }
        let response = try await transport.send(HTTPRequest(.get, url, headers: [.accept: "application/json"]))
        switch response.status {
        case 429:
            throw AuthError(
                .rateLimited, "The issuer's keys could not be fetched: too many requests.",
                retryAfter: response.retryAfter)
        case 500...:
            throw AuthError(.server, "The issuer's keys could not be fetched: status \(response.status).")
        default: break
        }
        guard response.isSuccess, let keys = JSONWebKeySet(response.body) else {
            throw AuthError(
                .invalidResponse,
                "The issuer's keys (status \(response.status)) are not a JSON Web Key Set. Check the URL.")
        }
        return keys
    }
}
