package import AuthStreams
package import Foundation

/// The keys of one issuer, fetched when first needed, and kept for a day.
///
/// They are fetched once more when a token names a key that is not among them, and when a signature does not verify: an issuer
/// may publish another key by the same name. The latter only when they were not fetched within the last minute, so that
/// forged tokens do not become requests.
///
/// Two attempts at once may fetch twice; nothing waits for another's request.
package final class IssuerKeys: Sendable {
    /// What the keys say of a signature.
    package enum Verdict: Sendable {
        case verified
        /// None of the keys that may have made it did.
        case mismatched
        /// The issuer publishes no key that may have made it.
        case noKey
    }

    private struct Fetched {
        let keys: JSONWebKeySet
        let uptime: Duration
    }

    /// How long keys are used before they are fetched anew.
    static let maximumAge = Duration.seconds(24 * 3600)
    /// How long after they were fetched a signature that does not verify is no reason to fetch them again.
    static let coolDown = Duration.seconds(60)

    private let url: URL
    private let transport: any HTTPTransport
    private let clock: AuthClock
    private let cached = Lock<Fetched?>(nil)

    package init(url: URL, transport: any HTTPTransport, clock: AuthClock) {
        self.url = url
        self.transport = transport
        self.clock = clock
    }

    /// Judges a signature by the keys that may have made it.
    ///
    /// - Parameter isSigned: Whether a key made it.
    /// - Throws: ``AuthError``; `server` or `invalidResponse` when the keys cannot be had, `misconfigured` when their URL is
    ///   neither https nor on this machine, or what the transport threw.
    package func verdict(
        onKey id: String?, algorithm: JWSAlgorithm, _ isSigned: (JSONWebKey) -> Bool
    ) async throws(AuthError) -> Verdict {
        if let kept = cached.withLock({ $0 }) {
            let age = clock.uptime - kept.uptime
            let verdict = kept.keys.verdict(onKey: id, algorithm: algorithm, isSigned)
            switch verdict {
            case _ where age >= Self.maximumAge: break
            case .verified: return verdict
            case .mismatched where age < Self.coolDown: return verdict
            case .mismatched, .noKey: break
            }
        }
        let fetched = try await fetch()
        let uptime = clock.uptime
        cached.withLock { $0 = Fetched(keys: fetched, uptime: uptime) }
        return fetched.verdict(onKey: id, algorithm: algorithm, isSigned)
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

extension JSONWebKeySet {
    fileprivate func verdict(
        onKey id: String?, algorithm: JWSAlgorithm, _ isSigned: (JSONWebKey) -> Bool
    ) -> IssuerKeys.Verdict {
        let candidates = candidates(id: id, algorithm: algorithm)
        if candidates.isEmpty { return .noKey }
        return candidates.contains(where: isSigned) ? .verified : .mismatched
    }
}
