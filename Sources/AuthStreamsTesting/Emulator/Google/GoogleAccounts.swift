import AuthStreams
import LoopbackHTTP

/// Google's OpenID provider, on its four hosts.
struct GoogleAccounts: EmulatorService {
    static let host = "accounts.google.com"
    static let issuer = "https://accounts.google.com"

    var hosts: [String] {
        [Self.host, "oauth2.googleapis.com", "www.googleapis.com", "openidconnect.googleapis.com"]
    }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.host + request.path {
        case "accounts.google.com/.well-known/openid-configuration": request.taking("GET") { discovery(context) }
        case "accounts.google.com/o/oauth2/v2/auth": request.taking("GET") { authorize(request, context) }
        case "accounts.google.com\(ConsentPage.path)": request.taking("POST") { consent(request, context) }
        case "oauth2.googleapis.com/token": request.taking("POST") { token(request, context) }
        case "oauth2.googleapis.com/revoke": request.taking("POST") { revoke(request, context) }
        case "www.googleapis.com/oauth2/v3/certs":
            request.taking("GET") { .json(context.signer.keySet(host: Self.host)) }
        case "openidconnect.googleapis.com/v1/userinfo": userInfo(request, context)
        default: nil
        }
    }

    private func discovery(_ context: EmulatorContext) -> LoopbackResponse {
        func url(_ production: String) -> AuthJSON { .string(context.served(production)) }
        return .json([
            "issuer": url(Self.issuer),
            "authorization_endpoint": url("https://accounts.google.com/o/oauth2/v2/auth"),
            "token_endpoint": url("https://oauth2.googleapis.com/token"),
            "userinfo_endpoint": url("https://openidconnect.googleapis.com/v1/userinfo"),
            "revocation_endpoint": url("https://oauth2.googleapis.com/revoke"),
            "jwks_uri": url("https://www.googleapis.com/oauth2/v3/certs"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid", "email", "profile"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "code_challenge_methods_supported": ["plain", "S256"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
        ])
    }

    /// Returns the person's claims for the granted scopes, as in ID tokens and user information.
    func profile(of grant: Grant, _ context: EmulatorContext) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = ["sub": .string(grant.userID)]
        guard let user = context.configuration.google.users.first(where: { $0.id == grant.userID }) else {
            return members
        }
        if grant.scopes.contains("email"), let email = user.email {
            members["email"] = .string(email)
            members["email_verified"] = .bool(user.isEmailVerified)
        }
        if grant.scopes.contains("profile") {
            members["name"] = .string(user.name)
            members["given_name"] = .string(user.givenName)
            members["family_name"] = .string(user.familyName)
            members.add("picture", user.pictureURL)
        }
        return members
    }
}

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
