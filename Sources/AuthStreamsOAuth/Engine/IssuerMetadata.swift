import AuthStreams
package import Foundation

/// What an issuer publishes about itself: its identifier and its endpoints (OpenID Connect Discovery 1.0 section 3,
/// RFC 8414 section 2).
package struct IssuerMetadata: Hashable, Sendable {
    /// The issuer's identifier, exactly as ID tokens and callbacks name it.
    package var issuer: String
    /// The page at which the person signs in.
    package var authorization: URL
    /// The token endpoint.
    package var token: URL
    /// The keys that sign ID tokens.
    package var keys: URL
    /// Whether every callback names the issuer, so that one without `iss` is refused (RFC 9207 section 3).
    package var namesIssuerInCallbacks: Bool

    /// Describes an issuer.
    package init(
        issuer: String, authorization: URL, token: URL, keys: URL, namesIssuerInCallbacks: Bool = false
    ) {
        self.issuer = issuer
        self.authorization = authorization
        self.token = token
        self.keys = keys
        self.namesIssuerInCallbacks = namesIssuerInCallbacks
    }

    /// Reads a document.
    ///
    /// - Parameter issuer: The issuer that was asked.
    /// - Throws: `issuerMismatch` if the document is another issuer's, compared as strings (Discovery section 4.3); `invalidResponse`
    ///   if an endpoint is missing, or is neither https nor on this machine; `misconfigured` if the issuer signs by no
    ///   algorithm that is accepted here.
    init(_ document: JSONValue, of issuer: String) throws(AuthError) {
        guard document["issuer"]?.string == issuer else {
            throw AuthError(
                .issuerMismatch,
                "The metadata is of another issuer than the configured one. Copy `issuer` from it, character by character."
            )
        }
        let algorithms = document["id_token_signing_alg_values_supported"]?.array
        guard algorithms?.contains(where: { $0.string.flatMap(JWSAlgorithm.init) != nil }) ?? true else {
            throw AuthError(
                .misconfigured,
                "The issuer signs ID tokens by none of RS256, PS256 and ES256. Choose one of them at the issuer.")
        }
        self.init(
            issuer: issuer, authorization: try Self.endpoint("authorization_endpoint", in: document),
            token: try Self.endpoint("token_endpoint", in: document), keys: try Self.endpoint("jwks_uri", in: document),
            namesIssuerInCallbacks: document["authorization_response_iss_parameter_supported"] == .bool(true))
    }

    private static func endpoint(_ name: String, in document: JSONValue) throws(AuthError) -> URL {
        // Only an issuer on this machine has endpoints without https.
        let scheme = document["issuer"]?.string.flatMap(URL.init(string:))?.scheme?.lowercased()
        guard let url = document[name]?.string.flatMap(URL.init(string:)), RedirectURI.isConfidential(url),
            url.fragment() == nil, url.user() == nil, url.password() == nil,
            url.scheme?.lowercased() == "https" || scheme == "http"
        else {
            throw AuthError(
                .invalidResponse, "The issuer's metadata have no https URL without user and fragment as `\(name)`.")
        }
        return url
    }
}

/// One issuer: its metadata and its keys, fetched when first needed and again when they are stale.
///
/// Two concurrent attempts may fetch twice; neither waits for the other's request.
final class Issuer: Sendable {
    private struct Fetched {
        let metadata: IssuerMetadata
        let keys: IssuerKeys
        let expiry: Duration
    }

    /// How long metadata are used that do not say how long.
    static let usualAge = Duration.seconds(3600)
    /// How long metadata are used at most.
    static let maximumAge = Duration.seconds(24 * 3600)

    private let issuer: String
    private let transport: any HTTPTransport
    private let clock: AuthClock
    private let cached = Lock<Fetched?>(nil)

    init(_ issuer: String, transport: any HTTPTransport, clock: AuthClock) {
        self.issuer = issuer
        self.transport = transport
        self.clock = clock
    }

    /// Returns the metadata and the keys.
    ///
    /// - Throws: ``AuthError``; `misconfigured` if the identifier is no issuer's; what ``IssuerMetadata`` throws; `invalidResponse`
    ///   if the issuer publishes no metadata; or the error of the request.
    func current() async throws(AuthError) -> (metadata: IssuerMetadata, keys: IssuerKeys) {
        let known = cached.withLock { $0 }
        if let known, clock.uptime < known.expiry { return (known.metadata, known.keys) }
        for url in try wellKnown() {
            guard let (document, freshness) = try await transport.issuerDocument("metadata", at: url) else { continue }
            let metadata = try IssuerMetadata(document, of: issuer)
            // Keys that were fetched stay, unless they are published elsewhere by now.
            let keys =
                known.flatMap { $0.metadata.keys == metadata.keys ? $0.keys : nil }
                ?? IssuerKeys(url: metadata.keys, transport: transport, clock: clock)
            let expiry = clock.uptime + min(freshness ?? Self.usualAge, Self.maximumAge)
            cached.withLock { $0 = Fetched(metadata: metadata, keys: keys, expiry: expiry) }
            return (metadata, keys)
        }
        throw AuthError(
            .invalidResponse, "The issuer publishes no metadata. Check its identifier.")
    }

    /// Where the metadata are: after the issuer's path (Discovery section 4), or before it (RFC 8414 section 3.1).
    private func wellKnown() throws(AuthError) -> [URL] {
        guard let parts = URLComponents(string: issuer), let url = parts.url, RedirectURI.isConfidential(url),
            parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil
        else {
            throw AuthError(
                .misconfigured, "An issuer is an https URL without query and fragment. Correct its identifier.")
        }
        let path =
            parts.percentEncodedPath.hasSuffix("/")
            ? String(parts.percentEncodedPath.dropLast()) : parts.percentEncodedPath
        var places = ["\(path)/.well-known/openid-configuration", "/.well-known/oauth-authorization-server\(path)"]
        if !path.isEmpty { places.insert("/.well-known/openid-configuration\(path)", at: 1) }
        return places.compactMap {
            var parts = parts
            parts.percentEncodedPath = $0
            return parts.url
        }
    }
}
