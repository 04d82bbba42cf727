import Foundation

/// Sends requests to an app's own server: the transport with the headers of every request.
struct ServerChannel: Sendable {
    let base: URL
    let headers: ClosureCall<[HeaderName: String]>?
    let transport: any HTTPTransport

    /// Sends a request.
    ///
    /// - Throws: `misconfigured` before the headers are requested or anything is sent, if a token must not be sent to
    ///   the server's URL.
    func send(
        to endpoint: ServerContract.Endpoint, of provider: ProviderID? = nil, body: JSONValue? = nil,
        accessToken: Secret? = nil
    ) async throws(AuthError) -> HTTPResponse {
        let url = url(of: endpoint, provider)
        guard url.keepsSecrets else {
            throw AuthError(
                .misconfigured, "Tokens go only to https or to this machine. Correct the server's base URL.")
        }
        var request = HTTPRequest(
            endpoint.method, url, headers: [.accept: "application/json, application/problem+json"])
        if let body {
            request.headers[.contentType] = "application/json"
            request.body = try body.encoded()
        }
        if let accessToken = accessToken?.present { request.headers[.authorization] = "Bearer \(accessToken.reveal())" }
        // A header of the protocol is never replaced.
        if let headers { request.headers.merge(try await headers.value()) { own, _ in own } }
        return try await transport.send(request)
    }

    /// Returns the URL of an endpoint. A provider's identifier is always one path component.
    private func url(of endpoint: ServerContract.Endpoint, _ provider: ProviderID?) -> URL {
        guard let provider, endpoint.namesProvider else { return base.appending(path: endpoint.path) }
        return endpoint.path.split(separator: "/").reduce(base) { url, part in
            url.appending(component: part.replacing(ServerContract.Endpoint.provider, with: provider.rawValue))
        }
    }
}

extension ServerContract.Endpoint {
    /// The placeholder of a provider's identifier in a path.
    fileprivate static let provider = "{provider}"

    var namesProvider: Bool { path.contains(Self.provider) }
}
