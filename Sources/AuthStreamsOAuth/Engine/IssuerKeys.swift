package import AuthStreams
package import Foundation

/// The keys of one issuer, fetched when first needed and kept for a day.
///
/// They are fetched again if a token names an unknown key, or if a signature does not verify, because an issuer may
/// replace a key under the same name. For tokens that came through the browser, that happens at most once a minute, so that
/// forged ones cause few requests; the first fetch and the daily one do not count, so that a rotation is noticed at once.
///
/// Two concurrent attempts may fetch twice; neither waits for the other's request.
package final class IssuerKeys: Sendable {
    /// The result of checking a signature.
    enum Verdict: Sendable {
        case verified
        /// None of the eligible keys made it.
        case mismatched
        /// The issuer publishes no eligible key.
        case noKey
        /// The issuer publishes several eligible keys, and the token does not tell which it is signed by.
        case ambiguous
    }

    private struct Fetched {
        let keys: JSONWebKeySet
        /// When they were asked for.
        let uptime: Duration
        /// When a token that may have been forged last caused a fetch, because none of the keys verified it.
        let doubted: Duration?
    }

    /// How long keys are used before they are fetched again.
    static let maximumAge = Duration.seconds(24 * 3600)
    /// How long after such a fetch no other token that may be forged causes one.
    static let coolDown = Duration.seconds(60)
    /// How many keys of one name are tried at most, so that a large set costs few verifications.
    static let maximumTrials = 8

    private let url: URL
    private let transport: any AuthHTTPTransport
    private let clock: AuthClock
    private let cached = Lock<Fetched?>(nil)

    /// Makes the keys of one issuer. They are fetched when first needed.
    ///
    /// - Parameters:
    ///   - url: The key set's URL, `jwks_uri`.
    ///   - transport: Sends the requests.
    ///   - clock: Provides the time for the age of the keys.
    package init(url: URL, transport: any AuthHTTPTransport, clock: AuthClock) {
        self.url = url
        self.transport = transport
        self.clock = clock
    }

    /// Checks a signature by the eligible keys: those of a name, or without a name the only one that fits.
    ///
    /// An issuer with several keys must name the key in the token (OpenID Connect Core section 10.1), so none is tried
    /// for a token that names none.
    ///
    /// - Parameters:
    ///   - channel: How the token arrived. Through the browser anyone may have sent it, so that few such tokens are a reason to
    ///     fetch the keys again.
    ///   - isSigned: Returns whether a key made it.
    /// - Returns: The verdict by the newest keys, or by those from before if newer ones could not be fetched; `nil` if
    ///   there are none. The failure is that of fetching them: `rateLimited`, `server` or `invalidResponse`;
    ///   `misconfigured` if their URL is neither https nor on this machine; or the transport's error.
    func verdict(
        onKey id: String?, algorithm: JWSAlgorithm, from channel: IDTokenContext.Channel = .browser,
        _ isSigned: (JSONWebKey) -> Bool
    ) async -> (verdict: Verdict?, failure: AuthError?) {
        let begin = clock.uptime
        let kept = cached.withLock { $0 }
        var doubted = kept?.doubted
        let known = kept.flatMap { kept in
            begin - kept.uptime < Self.maximumAge
                ? kept.keys.verdict(onKey: id, algorithm: algorithm, isSigned) : nil
        }
        switch (known, channel) {
        case (.verified?, _): return (.verified, nil)
        case (nil, _), (_, .tokenEndpoint): break
        case (_, .browser):
            if let doubted, begin - doubted < Self.coolDown { return (known, nil) }
            doubted = begin
        }
        let keys: JSONWebKeySet
        do throws(AuthError) { keys = try await fetch() } catch { return (known, error) }
        let fetched = Fetched(keys: keys, uptime: begin, doubted: doubted)
        // Of two concurrent fetches the one that began later is kept: the other may be from before a rotation.
        cached.withLock { if ($0?.uptime ?? begin) <= begin { $0 = fetched } }
        return (keys.verdict(onKey: id, algorithm: algorithm, isSigned), nil)
    }

    private func fetch() async throws(AuthError) -> JSONWebKeySet {
        switch try await transport.issuerDocument("keys", at: url) {
        case .missing(let error): throw error
        case .found(let document, _):
            guard let keys = JSONWebKeySet(document) else {
                throw AuthError(
                    .invalidResponse,
                    "The issuer's keys at \(AuthError.scrubbed(url)) are not a JSON Web Key Set. Check the URL.")
            }
            return keys
        }
    }
}

extension JSONWebKeySet {
    fileprivate func verdict(
        onKey id: String?, algorithm: JWSAlgorithm, _ isSigned: (JSONWebKey) -> Bool
    ) -> IssuerKeys.Verdict {
        let candidates = candidates(id: id, algorithm: algorithm)
        if candidates.isEmpty { return .noKey }
        guard candidates.count <= (id == nil ? 1 : IssuerKeys.maximumTrials) else { return .ambiguous }
        return candidates.contains(where: isSigned) ? .verified : .mismatched
    }
}
