package import AuthStreams
package import Foundation

/// The keys of one issuer, fetched when first needed and kept for a day.
///
/// They are fetched again if a token names an unknown key, or if a signature does not verify, because an issuer may
/// replace a key under the same name. The latter happens only if the last fetch was more than a minute ago, so that
/// forged tokens do not cause requests.
///
/// Two concurrent attempts may fetch twice; neither waits for the other's request.
package final class IssuerKeys: Sendable {
    /// The result of checking a signature.
    package enum Verdict: Sendable {
        case verified
        /// None of the eligible keys made it.
        case mismatched
        /// The issuer publishes no eligible key.
        case noKey
    }

    private struct Fetched {
        let keys: JSONWebKeySet
        let uptime: Duration
    }

    /// How long keys are used before they are fetched again.
    static let maximumAge = Duration.seconds(24 * 3600)
    /// How long after a fetch a signature that does not verify does not cause another one.
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

    /// Checks a signature by the eligible keys.
    ///
    /// - Parameter isSigned: Returns whether a key made it.
    /// - Throws: ``AuthError``; `server` or `invalidResponse` if the keys cannot be fetched, `misconfigured` if their
    ///   URL is neither https nor on this machine, or the transport's error.
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
        let found = try await transport.issuerDocument("keys", at: url)
        guard let keys = found.flatMap({ JSONWebKeySet($0.document) }) else {
            throw AuthError(.invalidResponse, "The issuer's keys are not a JSON Web Key Set. Check the URL.")
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
