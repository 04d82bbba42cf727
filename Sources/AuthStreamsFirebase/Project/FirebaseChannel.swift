import AuthStreams
import Foundation

/// Sends requests to a project's services: the transport with the headers of every request.
struct FirebaseChannel: Sendable {
    let project: FirebaseProject
    let transport: any AuthHTTPTransport
    /// Measures the time limit of the App Check token.
    let clock: AuthClock

    /// An answer, and the app's identity in the request, which explains a refusal.
    struct Answer: Sendable {
        let response: AuthHTTPResponse
        let app: AppIdentity
    }

    /// Sends a request with the app's identity, unless the URL must not receive tokens.
    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> Answer {
        guard request.url.keepsSecrets else {
            return Answer(response: try await transport.send(request), app: .unsaid)
        }
        var request = request
        let app = try await AppIdentity(of: project, clock: clock)
        // A header of the protocol is never replaced.
        request.headers.merge(app.headers) { own, _ in own }
        request.headers.merge(project.headers) { own, _ in own }
        // Also for a transport that does not.
        try request.validate()
        return Answer(response: try await transport.send(request), app: app)
    }

    static func encode(_ body: AuthJSON) throws(AuthError) -> Data { try body.encoded() }
}
