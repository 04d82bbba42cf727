import AuthStreams
import Foundation

/// Sends requests to a project's services: the transport with the headers of every request.
struct FirebaseChannel: Sendable {
    let project: FirebaseProject
    let transport: any AuthHTTPTransport
    /// Measures the time limit of the App Check token.
    let clock: AuthClock

    /// An answer, and the request with the app's identity, which explain a refusal.
    struct Answer: Sendable {
        let response: AuthHTTPResponse
        let app: AppIdentity
        let request: AuthHTTPRequest

        /// What a message of the server may quote, and an error does not. Only an error needs it.
        var sent: [Secret] { request.texts }
    }

    /// Sends a request with the app's identity.
    ///
    /// - Throws: `misconfigured` for a URL that is neither https nor on this machine, before the App Check closure is
    ///   called or anything is sent.
    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> Answer {
        try request.url.requireSafety("Correct the project's endpoints, or the function's URL.")
        var request = request
        let app = try await AppIdentity(of: project, clock: clock)
        // A header of the protocol is never replaced.
        request.headers.merge(app.headers) { own, _ in own }
        request.headers.merge(project.headers) { own, _ in own }
        // Also for a transport that does not.
        try request.validate()
        return Answer(response: try await transport.send(request), app: app, request: request)
    }

    static func encode(_ body: AuthJSON) throws(AuthError) -> Data { try body.encoded() }
}
