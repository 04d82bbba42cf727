import AuthStreams
import AuthStreamsOAuth
import Foundation

extension GoogleAccounts {
    /// The token endpoint. A wrong client is a 401, everything else a 400.
    func token(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let form = request.form
        if let error = request.requestedError { return failure(error, "As the test asked.") }
        if let name = form.repeated { return failure("invalid_request", "Parameter repeated: \(name)") }
        let clientID: String
        switch client(request, context) {
        case .success(let client): clientID = client.id
        case .failure(let refusal): return refusal.response
        }
        switch form["grant_type"] {
        case "authorization_code":
            guard let code = form["code"] else { return failure("invalid_request", "Missing required parameter: code") }
            guard let grant = context.grants.redeem(code: code, by: .google), grant.clientID == clientID else {
                return failure("invalid_grant", "Malformed auth code.")
            }
            guard grant.redirectURI == form["redirect_uri"] else {
                return failure("redirect_uri_mismatch", "Bad Request")
            }
            guard grant.accepts(verifier: form["code_verifier"]) else {
                return failure("invalid_grant", grant.challenge == nil ? "Bad Request" : "Invalid code verifier.")
            }
            return tokens(for: grant, request, isFirst: true, context)
        case "refresh_token":
            guard let token = context.grants.valid(form["refresh_token"], .refresh, of: .google),
                token.grant.clientID == clientID
            else { return failure("invalid_grant", "Token has been expired or revoked.") }
            return tokens(for: token.grant, request, isFirst: false, context)
        case nil: return failure("invalid_request", "Missing required parameter: grant_type")
        case let other?: return failure("unsupported_grant_type", "Invalid grant_type: \(other)")
        }
    }

    private func tokens(
        for grant: Grant, _ request: EmulatorRequest, isFirst: Bool, _ context: EmulatorContext
    ) -> LoopbackResponse {
        let access = context.grants.issueToken(.access, for: grant, lifetime: 3599)
        var members: [String: JSONValue] = [
            "access_token": .string(access), "token_type": "Bearer", "expires_in": 3599,
            "scope": .string(grant.scopes.sorted().joined(separator: " ")),
        ]
        if isFirst {
            members["refresh_token"] = .string(
                context.grants.issueToken(.refresh, for: grant, lifetime: 180 * 86_400))
        }
        // An app that names its server as the audience gets a token for the server, and a code that it may exchange.
        let servers = context.configuration.google.clients.map(\.id)
        let server = request.form["audience"].flatMap { servers.contains($0) ? $0 : nil }
        if let server, isFirst {
            var serverGrant = Grant(
                issuer: .google, clientID: server, userID: grant.userID, scopes: grant.scopes,
                approvedAt: grant.approvedAt)
            serverGrant.nonce = grant.nonce
            members["server_code"] = .string(context.grants.issueCode(for: serverGrant))
        }
        if grant.scopes.contains("openid") {
            var claims = profile(of: grant, context)
            claims["iss"] = .string(context.served(Self.issuer))
            claims["azp"] = .string(grant.clientID)
            claims["aud"] = .string(server ?? grant.clientID)
            claims["iat"] = .seconds(context.now)
            claims["exp"] = .seconds(context.now + 3600)
            claims["at_hash"] = .string(EmulatorCrypto.halfHash(access))
            claims.add("nonce", grant.nonce)
            members["id_token"] = .string(context.signer.idToken(claims, host: Self.host, fault: request.tokenFault))
        }
        return .json(.object(members))
    }

    private struct Refusal: Error {
        let response: LoopbackResponse
    }

    /// The client of a token request, by `client_secret_basic` or `client_secret_post`.
    private func client(
        _ request: EmulatorRequest, _ context: EmulatorContext
    ) -> Result<EmulatorConfiguration.Google.Client, Refusal> {
        let basic = basicCredentials(request)
        let id = basic?.id ?? request.form["client_id"]
        guard let id else {
            return .failure(
                Refusal(response: failure("invalid_request", "Could not determine client ID from request.")))
        }
        guard let client = context.configuration.google.clients.first(where: { $0.id == id }) else {
            return .failure(Refusal(response: failure("invalid_client", "The OAuth client was not found.")))
        }
        let secret = basic?.secret ?? request.form["client_secret"]
        guard secret == client.secret else {
            let refusal =
                secret == nil
                ? failure("invalid_request", "client_secret is missing.")
                : failure("invalid_client", "The provided client secret is invalid.")
            return .failure(Refusal(response: refusal))
        }
        return .success(client)
    }

    /// Both parts are form-encoded before Base64 (RFC 6749 section 2.3.1).
    private func basicCredentials(_ request: EmulatorRequest) -> (id: String, secret: String)? {
        guard let header = request.header("Authorization"), header.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: header.dropFirst("basic ".count).trimmingCharacters(in: .whitespaces))
        else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let id = parts[0].removingPercentEncoding, let secret = parts[1].removingPercentEncoding
        else { return nil }
        return (id, secret)
    }

    private func failure(_ code: String, _ description: String) -> LoopbackResponse {
        .oauthError(code, description, status: code == "invalid_client" ? 401 : 400)
    }
}
