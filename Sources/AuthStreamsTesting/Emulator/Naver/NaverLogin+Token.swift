import AuthStreams
import LoopbackHTTP

extension NaverLogin {
    /// The token endpoint, by GET or POST, for exchange, refresh and deletion.
    ///
    /// Its errors have status 200; only the member `error` marks them. `expires_in` is a string.
    func token(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        guard ["GET", "POST"].contains(request.method) else { return .methodNotAllowed("GET, POST") }
        let parameters = request.query.merged(with: request.form)
        if let error = request.requestedError { return failure(error, "As the test asked.") }
        if parameters.repeated != nil { return failure("invalid_request", "A parameter came more than once.") }
        guard isOurClient(parameters, context) else {
            return failure("unauthorized_client", "wrong client id / client secret pair.")
        }
        switch parameters["grant_type"] {
        case "authorization_code": return exchange(parameters, context)
        case "refresh_token":
            guard let token = context.grants.valid(parameters["refresh_token"], .refresh, of: .naver) else {
                return failure("invalid_request", "invalid refresh_token")
            }
            return .json(.object(accessToken(for: token.grant, context)))
        case "delete": return delete(parameters, context)
        default: return failure("invalid_request", "grant_type is missing or unknown.")
        }
    }

    /// The newer endpoint that revokes a token pair: 200 without a body.
    func revoke(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        if let error = request.requestedError { return failure(error, "As the test asked.") }
        guard isOurClient(request.form, context) else {
            return failure("unauthorized_client", "wrong client id / client secret pair.")
        }
        guard let text = request.form["token"] else { return failure("invalid_request", "token is missing.") }
        let found = context.grants.valid(text, .access, of: .naver) ?? context.grants.valid(text, .refresh, of: .naver)
        if let found { context.grants.revoke(pairOf: found.grant) }
        return LoopbackResponse(status: 200)
    }

    private func exchange(_ parameters: EmulatorParameters, _ context: EmulatorContext) -> LoopbackResponse {
        guard let code = parameters["code"], let grant = context.grants.redeem(code: code, by: .naver) else {
            return failure("invalid_request", "no valid data in session")
        }
        // Documented as required, but omitted by the iOS SDK: so it may be missing, but must not differ.
        if let state = parameters["state"], let expected = grant.state, state != expected {
            return failure("invalid_request", "state does not match.")
        }
        var members = accessToken(for: grant, context)
        members["refresh_token"] = .string(context.grants.issueToken(.refresh, for: grant, lifetime: 365 * 86_400))
        return .json(.object(members))
    }

    private func accessToken(for grant: Grant, _ context: EmulatorContext) -> [String: AuthJSON] {
        [
            "access_token": .string(context.grants.issueToken(.access, for: grant, lifetime: 3600)),
            "token_type": "bearer", "expires_in": "3600",
        ]
    }

    /// Naver answers success for any token, even an unknown one.
    private func delete(_ parameters: EmulatorParameters, _ context: EmulatorContext) -> LoopbackResponse {
        guard let text = parameters["access_token"], parameters["service_provider"] == "NAVER" else {
            return failure("invalid_request", "access_token and service_provider=NAVER are required.")
        }
        if let token = context.grants.valid(text, .access, of: .naver) {
            context.grants.revokeAll(of: .naver, clientIDs: [token.grant.clientID], userID: token.grant.userID)
        }
        return .json(["access_token": .string(text), "result": "success"])
    }

    private func isOurClient(_ parameters: EmulatorParameters, _ context: EmulatorContext) -> Bool {
        parameters["client_id"] == context.configuration.naver.clientID
            && parameters["client_secret"] == context.configuration.naver.clientSecret
    }

    private func failure(_ code: String, _ description: String) -> LoopbackResponse {
        .oauthError(code, description, status: 200)
    }
}
