import AuthStreams
import Foundation

/// Sends requests to a project's services: the transport, plus what goes with every request.
struct FirebaseChannel: Sendable {
    let project: FirebaseProject
    let transport: any HTTPTransport
    /// Measures how long the App Check token takes.
    let clock: AuthClock

    /// An answer, and what the request had said about the app: a refusal is explained by it.
    struct Answer: Sendable {
        let response: HTTPResponse
        let app: AppIdentity
    }

    /// Sends a request with what says which app it comes from, unless the place is not to be trusted with tokens.
    func send(_ request: HTTPRequest) async throws(AuthError) -> Answer {
        guard request.url.keepsSecrets else {
            return Answer(response: try await transport.send(request), app: .unsaid)
        }
        var request = request
        let app = try await AppIdentity(of: project, clock: clock)
        // A field that the protocol needs is never replaced.
        request.headers.merge(app.headers) { own, _ in own }
        request.headers.merge(project.headers) { own, _ in own }
        return Answer(response: try await transport.send(request), app: app)
    }

    static func encode(_ body: JSONValue) throws(AuthError) -> Data { try body.encoded() }
}
