public import Foundation

/// The servers that the access token is sent to, and the transport to them.
///
/// ```swift
/// api: ["https://api.example.com"]                    // over the service's transport
/// api: APIAccess(to: [server], over: transport)
/// ```
public struct APIAccess: Sendable {
    /// `nil` for every server.
    let origins: Set<Origin>?
    /// The places of those that the token cannot be sent to, among all that were given; the first is 1.
    private let unusable: [Int]
    /// `nil` for the transport of the service.
    private(set) var transport: (any AuthHTTPTransport)?

    /// Makes an access to servers.
    ///
    /// - Parameters:
    ///   - servers: Of each URL scheme, host and port count, and nothing else (RFC 6454 section 4): a subdomain is another
    ///     server, and so is another port. No token is sent to one that is neither https nor http on this machine: a request
    ///     to it fails with `misconfigured`, which says the server's place in this list.
    ///   - transport: Sends the requests; that of the service's platform unless given, and one of `URLSession` for a service
    ///     without a platform. A transport that followed redirects would send the token to their targets; see
    ///     ``AuthHTTPTransport``.
    public init(to servers: [URL], over transport: (any AuthHTTPTransport)? = nil) {
        self.init(servers.map(Origin.init), over: transport)
    }

    private init(_ servers: [Origin?], over transport: (any AuthHTTPTransport)?) {
        origins = Set(servers.compactMap(\.self))
        unusable = servers.indices.filter { servers[$0] == nil }.map { $0 + 1 }
        self.transport = transport
    }

    /// An access to every server, for a preview, which sends nothing.
    init(preview transport: any AuthHTTPTransport) {
        (origins, unusable, self.transport) = (nil, [], transport)
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
            let unusable = unusable.map { "Entry \($0) of `api` is not an https URL, nor http on this machine. " }
                .joined()
            throw AuthError(
                .misconfigured,
                """
                A request does not go to one of the servers that the access token is for \
                (\(known.isEmpty ? "none that is reached by https" : known)), so nothing was sent. \(unusable)Correct its \
                URL, or add its server to the `api` of the service's initializer.
                """)
        }
        // A shared front end may route a request by another host's name, with the token, to another customer's server.
        for field in [HeaderName.authorization, "host"] where request.headers[field] != nil {
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
    /// Makes an access to the servers with these URLs, over the service's transport, as ``init(to:over:)`` does.
    public init(arrayLiteral servers: String...) {
        self.init(servers.map { URL(string: $0).flatMap(Origin.init) }, over: nil)
    }
}
