import AuthStreams
import Foundation

/// Sends requests to a project's services: the transport, plus what goes with every request.
struct FirebaseChannel: Sendable {
    let project: FirebaseProject
    let transport: any HTTPTransport

    /// Sends a request, with the project's own header fields unless the place is not to be trusted with tokens.
    func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        var request = request
        if request.url.keepsSecrets {
            let headers = try await authErrors { try await project.headers() }
            // A field that the protocol needs is never replaced.
            request.headers.merge(headers) { own, _ in own }
        }
        return try await transport.send(request)
    }

    static func encode(_ body: JSONValue) throws(AuthError) -> Data { try body.encoded() }
}
