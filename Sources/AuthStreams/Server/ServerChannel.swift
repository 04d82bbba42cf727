import Foundation

/// A request to an app's own server, and its answer.
struct ServerExchange: Sendable {
    let request: AuthHTTPRequest
    let response: AuthHTTPResponse
    /// The body of the answer; `nil` if it is not JSON.
    let json: AuthJSON?

    init(request: AuthHTTPRequest, response: AuthHTTPResponse) {
        self.request = request
        self.response = response
        json = response.body.isEmpty ? nil : response.json
    }
}

/// Sends requests to an app's own server: the transport with the headers and body members of every request.
final class ServerChannel: Sendable {
    let base: URL
    let contract: ServerContract
    let headers: ClosureCall<[HeaderName: String]>?
    /// Makes the call for the members of a request's body.
    let members: (@Sendable (ServerContract.Endpoint) -> ClosureCall<[String: AuthJSON]>)?
    let transport: any AuthHTTPTransport

    init(
        base: URL, contract: ServerContract, headers: ClosureCall<[HeaderName: String]>?,
        members: (@Sendable (ServerContract.Endpoint) -> ClosureCall<[String: AuthJSON]>)?,
        transport: any AuthHTTPTransport
    ) {
        self.base = base
        self.contract = contract
        self.headers = headers
        self.members = members
        self.transport = transport
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - provider: The provider that the endpoint's path may name.
    ///   - body: The members of the body; `nil` for none, unless the app adds some.
    ///   - own: The header fields of the request, tokens in them.
    /// - Throws: `misconfigured` before the closures are called or anything is sent, if a token must not be sent to the
    ///   server's URL, or the endpoint has none; `unsupportedProvider` for a provider that cannot stand in a path.
    func send(
        to endpoint: ServerContract.Endpoint, of provider: ProviderID? = nil, body: [String: AuthJSON]? = nil,
        headers own: [HeaderName: String] = [:]
    ) async throws(AuthError) -> ServerExchange {
        let url = try url(of: endpoint, provider)
        try url.requireSafety("Correct the server's base URL.")
        var request = AuthHTTPRequest(
            endpoint.method, url, headers: [.accept: "application/json, application/problem+json"])
        if let body = try await self.body(body, to: endpoint) {
            request.headers[.contentType] = "application/json"
            request.body = try AuthJSON.object(body).encoded()
        }
        request.headers.merge(own) { _, own in own }
        // A header of the protocol is never replaced. Cookies are joined.
        if let headers {
            let further = try await headers.value()
            request.headers.merge(further) { own, _ in own }
            if own[.cookie] != nil, let cookies = further[.cookie] { request.headers.addCookies(cookies) }
        }
        // Also for a transport that does not.
        try request.validate()
        return ServerExchange(request: request, response: try await transport.send(request))
    }

    /// Sends a request with an access token.
    func send(
        to endpoint: ServerContract.Endpoint, of provider: ProviderID? = nil, body: [String: AuthJSON]? = nil,
        accessToken: Secret
    ) async throws(AuthError) -> ServerExchange {
        let bearer = accessToken.present.map { "Bearer \($0.reveal())" }
        return try await send(
            to: endpoint, of: provider, body: body, headers: bearer.map { [.authorization: $0] } ?? [:])
    }

    /// Returns the body with the app's members, which replace none of the contract.
    private func body(
        _ own: [String: AuthJSON]?, to endpoint: ServerContract.Endpoint
    ) async throws(AuthError) -> [String: AuthJSON]? {
        guard let members, [.post, .put, .patch].contains(endpoint.method) else { return own }
        let more = try await members(endpoint).value()
        guard !more.isEmpty else { return own }
        var body = own ?? [:]
        for (path, value) in more.sorted(by: { $0.key < $1.key }) { body.add(path, value) }
        return body
    }

    /// Returns the URL of an endpoint.
    func url(of endpoint: ServerContract.Endpoint, _ provider: ProviderID? = nil) throws(AuthError) -> URL {
        try contract.url(of: endpoint, provider, below: base)
    }
}
