import AuthStreams
import Foundation
import LoopbackHTTP

extension OpenIDIssuer {
    /// The result of checking the parameters of an authorization request.
    enum Check {
        /// There is no place to answer at, so that a page has the error.
        case unanswerable(code: String, message: String)
        /// The app receives the error, if there is one.
        case answerable(PendingAuthorization, error: String?)
    }

    /// Checks an authorization request and asks the person.
    func authorize(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let issuer = context.configuration.issuer
        let isPushed = issuer.pushedRequests != .unsupported && request.query["request_uri"] != nil
        guard let query = isPushed ? takePushed(by: request.query, context) : request.query else {
            return page("invalid_request_uri", "PAR not found. Not issued, expired or used multiple times.")
        }
        switch check(query, context) {
        case .unanswerable(let code, let message): return page(code, message)
        case .answerable(let pending, let error):
            let unpushed = issuer.pushedRequests == .required && !isPushed ? "invalid_request" : nil
            let notAsked = query["prompt"] == "none" ? "login_required" : nil
            if let error = request.requestedError ?? unpushed ?? error ?? notAsked {
                return answer(pending, [("error", error)], context)
            }
            return context.ask(pending, .issuer, issuer.users, hint: query["login_hint"])
        }
    }

    /// Checks the parameters, which come with the page or were pushed before.
    func check(_ query: EmulatorParameters, _ context: EmulatorContext) -> Check {
        let issuer = context.configuration.issuer
        if let name = query.repeated {
            return .unanswerable(code: "invalid_request", message: "Parameter repeated: \(name)")
        }
        guard Mismatch.accepts("client_id", query["client_id"], [issuer.clientID], in: "issuer.clientID") else {
            return .unanswerable(code: "invalid_client", message: "Client not found.")
        }
        guard
            let redirectURI = AuthorizationRedirect.registered(
                query["redirect_uri"], in: issuer.redirectURIs, of: "issuer.redirectURIs", context)
        else { return .unanswerable(code: "invalid_redirect_uri", message: "Invalid parameter: redirect_uri") }
        var pending = PendingAuthorization(
            issuer: .openID, clientID: issuer.clientID, redirectURI: redirectURI,
            scopes: query.words("scope"), state: query["state"], nonce: query["nonce"])
        guard query["response_type"] == "code" else { return .answerable(pending, error: "unsupported_response_type") }
        // A client without PKCE is refused.
        guard query["code_challenge_method"] == "S256", let challenge = query["code_challenge"] else {
            return .answerable(pending, error: "invalid_request")
        }
        pending.challenge = .s256(challenge)
        if issuer.dpop != .unsupported { pending.keyThumbprint = query["dpop_jkt"] }
        return .answerable(pending, error: nil)
    }

    /// Returns the person's answer to the app.
    func consent(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .openID, users: context.configuration.issuer.users, context) {
        case .refused(let page): page
        case .denied(let pending): answer(pending, by: nil, context)
        case .approved(let pending, let user): answer(pending, by: user, context)
        }
    }

    /// - Parameter user: The person who agreed; `nil` if they did not.
    private func answer(
        _ pending: PendingAuthorization, by user: EmulatorUser?, _ context: EmulatorContext
    ) -> LoopbackResponse {
        if let code = pending.deviceCode {
            return devices.decide(code, user.map { pending.grant(userID: $0.id, context) }, context)
        }
        guard let user else { return answer(pending, [("error", "access_denied")], context) }
        let code = context.grants.issueCode(for: pending.grant(userID: user.id, context), lifetime: 60)
        return answer(pending, [("code", code)], context)
    }

    /// The log-out page, which asks nothing: an ID token of this issuer says whose session ends.
    func endSession(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let (query, issuer) = (request.query, context.configuration.issuer)
        guard Mismatch.accepts("client_id", query["client_id"], [issuer.clientID], in: "issuer.clientID"),
            let uri = AuthorizationRedirect.registered(
                query["post_logout_redirect_uri"], in: issuer.postLogoutRedirectURIs,
                of: "issuer.postLogoutRedirectURIs", context)
        else { return page("invalid_request", "Invalid parameter: post_logout_redirect_uri") }
        if let hint = query["id_token_hint"] {
            guard let jwt = JSONWebToken(Secret(hint)), context.signer.verifies(jwt, hint),
                jwt.claims["iss"] == .string(identifier(context)), let subject = jwt.claims["sub"]?.string
            else { return page("invalid_request", "Invalid parameter: id_token_hint") }
            context.grants.revokeAll(of: context.link(of: subject, by: issuer.clientID, at: .openID))
        }
        return .redirect(to: AuthorizationRedirect.adding([("state", query["state"])], to: uri))
    }

    private func answer(
        _ pending: PendingAuthorization, _ fields: [(name: String, value: String?)], _ context: EmulatorContext
    ) -> LoopbackResponse {
        pending.redirect([("state", pending.state), ("iss", identifier(context))] + fields)
    }

    private func page(_ code: String, _ message: String) -> LoopbackResponse {
        .error("Error: \(code)", message)
    }

    /// Parameters of a page that were pushed (RFC 9126).
    struct PushedRequest: Sendable {
        let parameters: EmulatorParameters
        let expiresAt: Date
    }

    private static let lifetime: Int64 = 60

    /// Keeps the parameters of a page for one use, if the page would take them.
    func push(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        if let refusal = refusal(of: request, context) { return refusal }
        guard request.form["request_uri"] == nil else {
            return .oauthError("invalid_request", "Invalid parameter: request_uri")
        }
        switch check(request.form, context) {
        case .unanswerable(_, let message): return .oauthError("invalid_request", message)
        case .answerable(_, let error?): return .oauthError(error)
        case .answerable(_, nil): break
        }
        let pushed = PushedRequest(parameters: request.form, expiresAt: context.now + TimeInterval(Self.lifetime))
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
