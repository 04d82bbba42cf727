public import Foundation

/// The servers that the access token is sent to, and the transport to them.
///
/// ```swift
/// api: ["https://api.example.com"]                    // over the service's transport
/// api: APIAccess(to: [server], refusals: [401, 419, "E1203"], over: transport)
/// ```
public struct APIAccess: Sendable {
    /// `nil` for every server.
    let origins: Set<Origin>?
    /// The answers that refuse an access token.
    let refusals: [ServerRefusal]
    /// A sentence about each server that the token cannot be sent to, with its place among those given, from 1.
    private let unusable: [String]
    /// `nil` for the transport of the service.
    private(set) var transport: (any AuthHTTPTransport)?

    /// Makes an access to servers.
    ///
    /// - Parameters:
    ///   - servers: Of each URL scheme, host and port count, and nothing else (RFC 6454 section 4): a subdomain is another
    ///     server, and so is another port. No token is sent to one that is neither https nor http on this machine, nor
    ///     allowed by ``DevelopmentNetwork/allowHTTP()``: a request to it fails with `misconfigured`, which says the
    ///     server's place in this list.
    ///   - refusals: The answers with which these servers refuse an access token: 401 unless given (RFC 6750 section 3.1). After
    ///     one of them the session is refreshed, and the request is sent once more. They end no session: the answer to the
    ///     refresh decides. List all of them, 401 as well.
    ///   - transport: Sends the requests; that of the service's platform unless given, and one of `URLSession` for a service
    ///     without a platform. A transport that followed redirects would send the token to their targets; see
    ///     ``AuthHTTPTransport``.
    public init(
        to servers: [URL], refusals: [ServerRefusal] = [401], over transport: (any AuthHTTPTransport)? = nil
    ) {
        self.init(servers.map(Optional.some), refusals, over: transport)
    }

    private init(_ servers: [URL?], _ refusals: [ServerRefusal], over transport: (any AuthHTTPTransport)?) {
        self.refusals = refusals
        origins = Set(servers.compactMap { $0.flatMap(Origin.init) })
        unusable = zip(1..., servers).filter { _, url in url.flatMap(Origin.init) == nil }.map { place, url in
            "Entry \(place) of `api` is not an https URL, nor http on this machine.\(url?.privateNetworkAdvice ?? "") "
        }
        self.transport = transport
    }

    /// An access to every server, for a preview, which sends nothing.
    init(preview transport: any AuthHTTPTransport) {
        (origins, refusals, unusable, self.transport) = (nil, [401], [], transport)
    }

    /// Returns the same access, with a transport if it has none of its own.
    func defaulting(to transport: any AuthHTTPTransport) -> Self {
        var access = self
        access.transport = self.transport ?? transport
        return access
    }

    /// The server of a request that may carry the token.
    ///
    /// - Throws: `misconfigured`, with no data of the request.
    func server(of request: AuthHTTPRequest) throws(AuthError) -> Origin {
        guard let origin = Origin(request.url), origins?.contains(origin) ?? true else {
            let known = (origins ?? []).map(\.description).sorted().joined(separator: ", ")
            throw AuthError(
                .misconfigured,
                """
                A request does not go to one of the servers that the access token is for \
                (\(known.isEmpty ? "none that is reached by https" : known)), so nothing was sent. \(unusable.joined())\
                Correct its URL, or add its server to the `api` of the service's initializer.
                """)
        }
        // A shared front end may route a request by another host's name, with the token, to another customer's server.
        for field in [HeaderName.authorization, .dpop, "host"] where request.headers[field] != nil {
            throw AuthError(
                .misconfigured,
                """
                A request has the header field '\(field.canonical)' already, which is not for the caller to set, so nothing \
                was sent. Leave it out, or send the request over a transport of your own.
                """)
        }
        return origin
    }
}

extension APIAccess: ExpressibleByArrayLiteral {
    /// Makes an access to the servers with these URLs, over the service's transport, as ``init(to:refusals:over:)`` does.
    public init(arrayLiteral servers: String...) {
        self.init(servers.map { URL(string: $0) }, [401], over: nil)
    }
}
