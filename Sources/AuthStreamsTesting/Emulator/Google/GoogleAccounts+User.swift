import AuthStreams
import LoopbackHTTP

extension GoogleAccounts {
    /// User information for an access token (OpenID Connect Core 5.3).
    func userInfo(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        guard ["GET", "POST"].contains(request.method) else { return .methodNotAllowed("GET, POST") }
        guard request.requestedError == nil,
            let token = context.grants.valid(request.bearerToken, .access, of: .google)
        else {
            let code = request.requestedError ?? "invalid_token"
            var response = LoopbackResponse.oauthError(code, "Invalid Credentials", status: 401)
            response.headers.append(("WWW-Authenticate", "Bearer error=\"\(code)\""))
            return response
        }
        guard token.grant.scopes.contains("openid") else {
            return .oauthError("insufficient_scope", "Request had insufficient authentication scopes.", status: 403)
        }
        return .json(.object(profile(of: token.grant, context)))
    }

    /// Ends the grant of a token. Google returns an error if there was none.
    func revoke(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        if let error = request.requestedError { return .oauthError(error) }
        guard let token = request.form["token"] ?? request.query["token"] else {
            return .oauthError("invalid_request", "Missing required parameter: token")
        }
        let found =
            context.grants.valid(token, .refresh, of: .google) ?? context.grants.valid(token, .access, of: .google)
        guard let found else { return .oauthError("invalid_token", "Token expired or revoked") }
        context.grants.revokeAll(of: .google, clientIDs: [found.grant.clientID], userID: found.grant.userID)
        return .json([:])
    }
}
