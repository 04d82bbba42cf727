import AuthStreams
import Foundation

/// One authorization server: its metadata and its keys, fetched when first needed and again when they are stale.
///
/// Two concurrent attempts may fetch twice; neither waits for the other's request.
final class Issuer: Sendable {
    private struct Fetched {
        let metadata: AuthorizationServerMetadata
        let keys: IssuerKeys?
        /// The uptime at which they are stale; `nil` for metadata that were written down.
        let expiry: Duration?
    }

    /// How long metadata are used that do not say how long.
    static let usualAge = Duration.seconds(3600)
    /// How long metadata are used at least, so that the requests of one sign-in fetch them once. Keycloak forbids caching.
    static let minimumAge = Duration.seconds(60)
    /// How long metadata are used at most.
    static let maximumAge = Duration.seconds(24 * 3600)

    /// The configured identifier, which the metadata repeat; `nil` for a server without one.
    let identifier: String?
    private let transport: any AuthHTTPTransport
    private let clock: AuthClock
    private let cached: Lock<Fetched?>

    private let hasWarned = Lock(false)

    /// Returns whether this is the first call.
    func isFirstWarning() -> Bool {
        hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
    }

    /// An issuer that publishes its metadata.
    init(_ identifier: String, transport: any AuthHTTPTransport, clock: AuthClock) {
        self.identifier = identifier
        self.transport = transport
        self.clock = clock
        cached = Lock(nil)
    }

    /// A server whose metadata are known.
    init(_ metadata: AuthorizationServerMetadata, transport: any AuthHTTPTransport, clock: AuthClock) {
        identifier = metadata.issuer
        self.transport = transport
        self.clock = clock
        let keys = metadata.jwksURI.map { IssuerKeys(url: $0, transport: transport, clock: clock) }
        cached = Lock(Fetched(metadata: metadata, keys: keys, expiry: nil))
    }

    /// Returns the metadata and the keys.
    ///
    /// - Throws: `AuthError`; `misconfigured` if the identifier is no issuer's; those of reading the metadata;
    ///   `invalidResponse` if the issuer publishes none; or the error of the request.
    func current() async throws(AuthError) -> (metadata: AuthorizationServerMetadata, keys: IssuerKeys?) {
        let known = cached.withLock { $0 }
        if let known, known.expiry.map({ clock.uptime < $0 }) ?? true { return (known.metadata, known.keys) }
        let issuer = identifier ?? ""
        // The error of the place that comes first.
        var missing: AuthError?
        for url in try Self.wellKnown(issuer) {
            let document: AuthJSON
            let freshness: Duration?
            switch try await transport.issuerDocument("metadata", at: url) {
            case .found(let found, let time):
                document = found
                freshness = time
            case .missing(let error):
                missing = missing ?? error
                continue
            }
            let metadata: AuthorizationServerMetadata
            do throws(AuthError) { metadata = try AuthorizationServerMetadata(document, of: issuer) } catch {
                var error = error
                error.explanation += " The document is at \(AuthError.scrubbed(url))."
                throw error
            }
            // Keys that were fetched stay, unless they are published elsewhere by now.
            let keys =
                known.flatMap { $0.metadata.jwksURI == metadata.jwksURI ? $0.keys : nil }
                ?? metadata.jwksURI.map { IssuerKeys(url: $0, transport: transport, clock: clock) }
            let expiry = clock.uptime + max(Self.minimumAge, min(freshness ?? Self.usualAge, Self.maximumAge))
            cached.withLock { $0 = Fetched(metadata: metadata, keys: keys, expiry: expiry) }
            return (metadata, keys)
        }
        throw missing ?? AuthError(.invalidResponse, "The issuer publishes no metadata. Check its identifier.")
    }

    /// Where the metadata are: after the issuer's path (Discovery section 4), or before it (RFC 8414 section 3.1).
    private static func wellKnown(_ issuer: String) throws(AuthError) -> [URL] {
        guard let parts = URLComponents(string: issuer, encodingInvalidCharacters: false), let url = parts.url,
            RedirectURI.isConfidential(url), parts.query == nil, parts.fragment == nil, parts.user == nil,
            parts.password == nil
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
