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
        if grant.scopes.contains("profile") {
            members["given_name"] = .string(user.givenName)
            members["family_name"] = .string(user.familyName)
        }
        return members.merging(user.claims(for: grant.scopes)) { $1 }
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
        context.grants.revokeAll(
            of: .google, clientIDs: [found.grant.clientID], userID: found.grant.userID,
            app: context.link(of: found.grant).app)
        return .json([:])
    }
}

extension GoogleAccounts {
    /// Checks an authorization request and asks the person. An invalid configuration is only shown as an error page.
    func authorize(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let query = request.query
        if let name = query.repeated { return page("invalid_request", "Parameter repeated: \(name)") }
        guard let client = context.configuration.google.clients.first(where: { $0.id == query["client_id"] }) else {
            return page("invalid_client", "The OAuth client was not found.", status: 401)
        }
        guard let redirectURI = query["redirect_uri"], client.allows(redirectURI, context) else {
            return page("redirect_uri_mismatch", "The redirect_uri is not registered for this client.")
        }
        guard query["response_type"] == "code" else {
            return page("invalid_request", "Required parameter is missing or invalid: response_type")
        }
        guard let scope = query["scope"] else {
            return page("invalid_request", "Missing required parameter: scope")
        }
        var challenge: Grant.Challenge?
        if let text = query["code_challenge"] {
            challenge = Grant.Challenge(text, method: query["code_challenge_method"])
            guard challenge != nil else { return page("invalid_request", "Invalid code_challenge_method") }
        } else if query["code_challenge_method"] != nil {
            return page("invalid_request", "code_challenge_method without code_challenge")
        }
        let pending = PendingAuthorization(
            issuer: .google, clientID: client.id, redirectURI: redirectURI,
            scopes: Set(scope.split(separator: " ").map(String.init)), state: query["state"], nonce: query["nonce"],
            challenge: challenge)
        if let error = request.requestedError {
            return Self.pageOnly.contains(error)
                ? page(error, "As the test asked.") : answer(pending, [("error", error)])
        }
        // There is never a browser session here, so the person has to be asked.
        if query["prompt"] == "none" { return answer(pending, [("error", "interaction_required")]) }
        return context.ask(pending, .google, context.configuration.google.users, hint: query["login_hint"])
    }

    /// Returns the person's answer to the app.
    func consent(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .google, users: context.configuration.google.users, context) {
        case .refused(let page): return page
        case .denied(let pending): return answer(pending, [("error", "access_denied")])
        case .approved(let pending, let user):
            let code = context.grants.issueCode(for: pending.grant(userID: user.id, context))
            let scope = pending.scopes.sorted().joined(separator: " ")
            return answer(
                pending, [("code", code), ("scope", scope), ("authuser", "0"), ("prompt", "consent")])
        }
    }

    private func answer(
        _ pending: PendingAuthorization, _ fields: [(name: String, value: String?)]
    ) -> LoopbackResponse {
        pending.redirect([("state", pending.state)] + fields)
    }

    /// Errors that Google shows and never redirects.
    private static let pageOnly: Set<String> = [
        "disallowed_useragent", "redirect_uri_mismatch", "invalid_client", "deleted_client", "invalid_request",
    ]

    private func page(_ code: String, _ message: String, status: Int = 400) -> LoopbackResponse {
        MessagePage.error("Error \(status): \(code)", message, status: code == "disallowed_useragent" ? 403 : status)
    }
}

extension EmulatorConfiguration.Google.Client {
    /// Returns whether a redirect URI fits the kind of client.
    func allows(_ redirectURI: String, _ context: EmulatorContext) -> Bool {
        switch kind {
        case .iOS:
            // The reversed client ID with a single slash and any path.
            let scheme = id.split(separator: ".").reversed().joined(separator: ".").lowercased()
            return redirectURI.hasPrefix("\(scheme):/") && !redirectURI.hasPrefix("\(scheme)://")
        case .desktop:
            return AuthorizationRedirect.loopbackPath(redirectURI) != nil
        case .web(let registered):
            return AuthorizationRedirect.isRegistered(redirectURI, in: registered, context)
        }
    }
}
