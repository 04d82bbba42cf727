import AuthStreams
import Foundation
import LoopbackHTTP

extension OpenIDIssuer {
    /// Parameters of a page that were pushed (RFC 9126).
    struct PushedRequest: Sendable {
        let parameters: EmulatorParameters
        let expiresAt: Date
    }

    private static let lifetime: Int64 = 60

    /// Keeps the parameters of a page for one use, if the page would take them.
    func push(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        if let error = request.requestedError { return .oauthError(error, "As the test asked.") }
        guard isAuthenticated(request, context) else {
            return .oauthError("invalid_client", "Invalid client credentials", status: 401)
        }
        guard request.form["request_uri"] == nil else {
            return .oauthError("invalid_request", "Invalid parameter: request_uri")
        }
        switch check(request.form, context) {
        case .unanswerable(_, let message): return .oauthError("invalid_request", message)
        case .answerable(_, let error?): return .oauthError(error)
        case .answerable(_, nil): break
        }
        let pushed = PushedRequest(
            parameters: request.form, expiresAt: context.now + TimeInterval(Self.lifetime))
        let uri = state.withLock { $0.pushed.add(pushed, "urn:ietf:params:oauth:request_uri:") }
        return .json(["request_uri": .string(uri), "expires_in": .integer(Self.lifetime)], status: 201)
    }

    /// Removes and returns the parameters that the query of a page stands for.
    ///
    /// - Returns: `nil` if they were not pushed, are another client's or expired, or were taken before.
    func takePushed(by query: EmulatorParameters, _ context: EmulatorContext) -> EmulatorParameters? {
        guard query.repeated == nil, let uri = query["request_uri"] else { return nil }
        let pushed: PushedRequest? = state.withLock { state in
            guard state.pushed.find(uri)?.parameters["client_id"] == query["client_id"] else { return nil }
            return state.pushed.take(uri)
        }
        guard let pushed, pushed.expiresAt > context.now else { return nil }
        return pushed.parameters
    }
}
