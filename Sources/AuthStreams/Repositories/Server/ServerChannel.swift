import Foundation

/// Sends requests to an app's own server: the transport, plus what goes with every request.
struct ServerChannel: Sendable {
    let base: URL
    let headers: AppClosure<[HeaderName: String]>?
    let transport: any HTTPTransport

    /// Sends a request.
    ///
    /// - Throws: `misconfigured` before anything is asked or sent when a token must not travel to the server.
    func send(
        to endpoint: ServerContract.Endpoint, body: JSONValue? = nil, accessToken: Secret? = nil
    ) async throws(AuthError) -> HTTPResponse {
        let url = base.appending(path: endpoint.path)
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
        // A field that the protocol needs is never replaced.
        if let headers { request.headers.merge(try await headers.value()) { own, _ in own } }
        return try await transport.send(request)
    }
}
