/// Sends requests to the app's own servers as the person who is signed in; see ``AuthService/data(for:)``.
struct AuthorizedClient: Sendable {
    let api: APIAccess
    let bearers: any BearerSource
    private let transport: any AuthHTTPTransport
    /// By server, because the refusals of one say nothing about another.
    private let refusals = Lock<[Origin: UnauthorizedPolicy]>([:])

    private let stepUps: StepUps

    /// - Parameter prove: Asks the person for another or a more recent authentication; `nil` if a server's requirement is returned.
    init(_ api: APIAccess, bearers: any BearerSource, prove: StepUps.Prove? = nil) {
        (self.api, self.bearers) = (api, bearers)
        stepUps = StepUps(prove)
        transport = api.transport ?? URLSessionTransport()
    }

    /// Sends a request with the access token.
    func data(for request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        // Also for a transport that does not: on Linux a line break in a value makes Foundation drop the token.
        try request.validate()
        let server = try api.server(of: request)
        let begin = bearers.clock.uptime
        // Read before the token, which a step-up that ends in between replaces.
        let stepUp = stepUps.ended
        let bearer = try await bearers.bearer()
        let answer = try await bearers.send(request, with: bearer, over: transport)
        if let requirement = StepUpRequirement(answer) {
            return try await repeated(request, after: requirement, bearer, since: stepUp, begin) ?? answer
        }
        guard api.refusals.contain(answer) else {
            refusals.withLock { $0[server]?.accept(bearer) }
            return answer
        }
        let nextStepUp = stepUps.ended
        guard let next = try await successor(of: bearer, refusedBy: server) else { return answer }
        bearers.publish(AuthEvent(.requestRepeated, elapsed: bearers.clock.uptime - begin))
        let secondAnswer = try await bearers.send(request, with: next, over: transport)
        let requirement = StepUpRequirement(secondAnswer)
        refusals.withLock { refusals in
            // A server that wants another authentication has accepted the token.
            if requirement == nil, api.refusals.contain(secondAnswer) {
                refusals[server, default: UnauthorizedPolicy()].refuseNew(next, at: bearers.clock.uptime)
            } else {
                refusals[server]?.accept(next)
            }
        }
        guard let requirement else { return secondAnswer }
        return try await repeated(request, after: requirement, next, since: nextStepUp, begin) ?? secondAnswer
    }

    /// Sends a request once more after the person has proven who they are.
    ///
    /// - Returns: `nil` if the server's requirement cannot be met, or another session is signed in.
    private func repeated(
        _ request: AuthHTTPRequest, after requirement: StepUpRequirement, _ refused: Bearer, since stepUp: Int,
        _ begin: Duration
    ) async throws(AuthError) -> AuthHTTPResponse? {
        let isProven = try await stepUps.run(requirement, of: refused.session, since: stepUp) { () throws(AuthError) in
            try await bearers.bearer().session
        }
        guard isProven else { return nil }
        // The server may note the proof at the session, and give no other token.
        let next = try await bearers.bearer()
        guard next.session == refused.session else { return nil }
        bearers.publish(AuthEvent(.requestRepeated, elapsed: bearers.clock.uptime - begin))
        return try await bearers.send(request, with: next, over: transport)
    }

    /// The token to repeat a request with; `nil` when repeating it makes no sense.
    private func successor(of refused: Bearer, refusedBy server: Origin) async throws(AuthError) -> Bearer? {
        let action = refusals.withLock {
            $0[server, default: UnauthorizedPolicy()].refuse(refused, at: bearers.clock.uptime)
        }
        switch action {
        case .nothing: return nil
        case .look: return try await successor(of: refused)
        case .refresh: return try await bearers.bearer(replacing: refused).flatMap { $0.follows(refused) ? $0 : nil }
        }
    }

    /// The present token of the same session, if it is another one.
    private func successor(of refused: Bearer) async throws(AuthError) -> Bearer? {
        let next = try await bearers.bearer()
        return next.follows(refused) ? next : nil
    }
}

/// The refusals of one server so far, and the action after its next one.
///
/// A server may refuse every request, or every request for one path, with any new token too. Or it may refuse because a token
/// has expired. Only the second needs a refresh, and the responses are alike.
struct UnauthorizedPolicy {
    /// The action after a refusal.
    enum Action {
        case nothing
        /// Check whether there is another token by now.
        case look
        case refresh
    }

    /// The last token that was new and still refused.
    private var rejected: RejectedToken?
    /// The token whose refusal began a refresh, while the server has accepted no newer one.
    private var first: Bearer?
    /// The last token that the server accepted.
    private var accepted: Secret?

    private struct RejectedToken {
        let token: Secret
        let since: Duration
        /// Whether the server accepted it for another request, so that it may have expired by the next refusal.
        var wasAccepted: Bool
    }

    /// The time until another refresh of a token that was refused although new, and accepted for another request.
    private static let pause = Duration.seconds(60)

    /// The server accepted a token.
    mutating func accept(_ bearer: Bearer) {
        if first != bearer { first = nil }
        accepted = bearer.token
        if rejected?.token == bearer.token { rejected?.wasAccepted = true }
    }

    /// The server refused a token that was new.
    mutating func refuseNew(_ bearer: Bearer, at uptime: Duration) {
        guard rejected?.token != bearer.token else { return }
        rejected = RejectedToken(token: bearer.token, since: uptime, wasAccepted: accepted == bearer.token)
    }

    /// The server refused a token.
    mutating func refuse(_ bearer: Bearer, at uptime: Duration) -> Action {
        if let rejected, rejected.token == bearer.token {
            guard rejected.wasAccepted, uptime - rejected.since >= Self.pause else { return .nothing }
        }
        if first?.session != bearer.session { first = bearer }
        // Otherwise a token that came after one that was refused, and was refused too.
        return first == bearer ? .refresh : .look
    }
}
