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
        /// The uptime at which they were asked for; `nil` for metadata that were written down.
        var fetched: Duration?
    }

    /// How long metadata are used that do not say how long.
    static let usualAge = Duration.seconds(3600)
    /// How long metadata are used at least, so that the requests of one sign-in fetch them once. Keycloak forbids caching.
    static let minimumAge = Duration.seconds(60)
    /// How long metadata are used at most.
    static let maximumAge = Duration.seconds(24 * 3600)

    /// The configured identifier, which the metadata repeat; `nil` for a server without one.
    let identifier: String?
    /// Where the metadata are; `nil` for the places that follow from the identifier.
    private let metadataURL: URL?
    /// Members that replace those of the metadata.
    private let overrides: [String: AuthJSON]
    private let transport: any AuthHTTPTransport
    private let clock: AuthClock
    private let cached: Lock<Fetched?>

    /// What is reported once, and not for each attempt.
    enum Warning {
        /// This system verifies no signatures.
        case unverifiable
        /// The token endpoint leaves `token_type` out.
        case missingTokenType
    }
    private let warnings = Lock<Set<Warning>>([])

    /// Returns whether this is the first call for that warning.
    func isFirst(_ warning: Warning) -> Bool { warnings.withLock { $0.insert(warning).inserted } }

    /// An issuer that publishes its metadata.
    init(
        _ identifier: String, metadataURL: URL? = nil, overrides: [String: AuthJSON] = [:],
        transport: any AuthHTTPTransport, clock: AuthClock
    ) {
        self.identifier = identifier
        self.metadataURL = metadataURL
        self.overrides = overrides
        self.transport = transport
        self.clock = clock
        cached = Lock(nil)
    }

    /// A server whose metadata are known.
    init(_ metadata: AuthorizationServerMetadata, transport: any AuthHTTPTransport, clock: AuthClock) {
        identifier = metadata.issuer
        metadataURL = nil
        overrides = [:]
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
        guard overrides["issuer"] == nil else {
            throw AuthError(
                .misconfigured,
                "The member `issuer` of the metadata cannot be replaced. Correct the issuer's identifier.")
        }
        let begin = clock.uptime
        let (metadata, freshness): (AuthorizationServerMetadata, Duration?)
        do throws(AuthError) { (metadata, freshness) = try await fetch(issuer) } catch {
            // An issuer that fails for a while, such as while the person is at its page, ends no attempt.
            guard let known, let fetched = known.fetched, begin - fetched < Self.maximumAge,
                error.classification.isTransient
            else { throw error }
            return (known.metadata, known.keys)
        }
        // Keys that were fetched stay, unless they are published elsewhere by now.
        let keys =
            known.flatMap { $0.metadata.jwksURI == metadata.jwksURI ? $0.keys : nil }
            ?? metadata.jwksURI.map { IssuerKeys(url: $0, transport: transport, clock: clock) }
        let expiry = clock.uptime + max(Self.minimumAge, min(freshness ?? Self.usualAge, Self.maximumAge))
        cached.withLock { $0 = Fetched(metadata: metadata, keys: keys, expiry: expiry, fetched: begin) }
        return (metadata, keys)
    }

    /// Fetches the metadata from the first place that has them. An issuer that publishes none may be described by the
    /// overrides alone.
    private func fetch(_ issuer: String) async throws(AuthError) -> (AuthorizationServerMetadata, Duration?) {
        let wellKnown = try Self.wellKnown(issuer)
        // The error of the place that comes first.
        var missing: AuthError?
        for url in metadataURL.map({ [$0] }) ?? wellKnown {
            switch try await transport.issuerDocument("metadata", at: url) {
            case .found(let document, let freshness):
                do throws(AuthError) { return (try metadata(document.object ?? [:], of: issuer), freshness) } catch {
                    var error = error
                    error.explanation += " The document is at \(AuthError.scrubbed(url))."
                    throw error
                }
            case .missing(let error): missing = missing ?? error
            }
        }
        if overrides["authorization_endpoint"] != nil {
            return (try metadata(["issuer": .string(issuer)], of: issuer), nil)
        }
        throw missing ?? AuthError(.invalidResponse, "The issuer publishes no metadata. Check its identifier.")
    }

    private func metadata(
        _ document: [String: AuthJSON], of issuer: String
    ) throws(AuthError) -> AuthorizationServerMetadata {
        try AuthorizationServerMetadata(.object(document.merging(overrides) { $1 }), of: issuer)
    }

    /// Where the metadata are: after the issuer's path (Discovery section 4), or before it (RFC 8414 section 3.1).
    private static func wellKnown(_ issuer: String) throws(AuthError) -> [URL] {
        guard let parts = URLComponents(string: issuer, encodingInvalidCharacters: false), let url = parts.url,
            url.keepsSecrets, parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil
        else {
            let advice = URL(string: issuer)?.privateNetworkAdvice ?? ""
            // A user or a query may be secret.
            let name = issuer.isEmpty || issuer.contains { "@?#".contains($0) } ? "" : ", and '\(issuer)' is none"
            throw AuthError(
                .misconfigured,
                "An issuer is an https URL without query and fragment\(name). Correct its identifier.\(advice)")
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
        guard url.keepsSecrets else {
            throw AuthError(
                .misconfigured,
                "\(subject) come only by https or from this machine. Correct their URL.\(url.privateNetworkAdvice)")
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
