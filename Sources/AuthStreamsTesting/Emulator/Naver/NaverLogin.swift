import AuthStreams
import Foundation
import LoopbackHTTP

/// Naver's authorization server: `nid.naver.com`.
///
/// Its SDKs use the older endpoints below `/oauth2.0`. Those of OpenID Connect are below `/oauth2`.
struct NaverLogin: EmulatorService {
    static let host = "nid.naver.com"
    static let issuer = "https://nid.naver.com"

    var hosts: [String] { [Self.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.path {
        case "/.well-known/openid-configuration": request.taking("GET") { discovery(context) }
        case "/oauth2/jwks": request.taking("GET") { .json(context.signer.keySet(host: Self.host)) }
        case "/oauth2/authorize", "/oauth2.0/authorize": request.taking("GET", "POST") { authorize(request, context) }
        case "/oauth2/token": request.taking("POST") { token(request, context) }
        case ConsentPage.path: request.taking("POST") { consent(request, context) }
        case "/oauth2.0/token": request.taking("GET", "POST") { token(request, context) }
        case "/oauth2.0/revoke": request.taking("POST") { revoke(request, context) }
        case AccountPage.path:
            await AccountPage(
                brand: .naver, users: context.configuration.naver.users, events: [("unlink", "Stop using the app")]
            ).respond(to: request, context) { [await EmulatedNaver(context: context).unlink($1.id)] }
        case "/emulator/app-code": request.taking("POST") { appCode(request, context) }
        default: nil
        }
    }

    private func discovery(_ context: EmulatorContext) -> LoopbackResponse {
        let base = context.served(Self.issuer)
        return .json([
            "issuer": .string(context.issuer(Self.issuer)), "jwks_uri": .string("\(base)/oauth2/jwks"),
            "authorization_endpoint": .string("\(base)/oauth2/authorize"),
            "token_endpoint": .string("\(base)/oauth2/token"),
            "userinfo_endpoint": .string(context.served("https://openapi.naver.com/v1/nid/me")),
            "response_types_supported": ["code"], "scopes_supported": ["openid", "profile"],
            "grant_types_supported": ["authorization_code"], "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "none"],
            "subject_types_supported": ["pairwise"], "id_token_signing_alg_values_supported": ["RS256"],
        ])
    }

    /// Checks an authorization request, by GET or POST, and asks the person. `scope` is required for OpenID Connect, and the
    /// other four parameters always are.
    func authorize(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let query = request.query.merged(with: request.form)
        let naver = context.configuration.naver
        if let name = query.repeated { return .error("invalid_request", "The parameter \(name) came more than once.") }
        guard Mismatch.accepts("client_id", query["client_id"], [naver.clientID], in: "naver.clientID") else {
            return .error("unauthorized_client", "client_id is not registered.")
        }
        guard
            let redirectURI = AuthorizationRedirect.registered(
                query["redirect_uri"], in: naver.redirectURIs, of: "naver.redirectURIs", context)
        else { return .error("invalid_request", "redirect_uri is not registered.") }
        guard query["response_type"] == "code" else {
            return .error("unsupported_response_type", "response_type must be code.")
        }
        guard let state = query["state"] else { return .error("invalid_request", "state is required.") }
        var pending = PendingAuthorization(
            issuer: .naver, clientID: naver.clientID, redirectURI: redirectURI,
            scopes: naver.requiredItems.union(naver.additionalItems), optional: naver.additionalItems,
            question: query["auth_type"] == "reprompt" ? .everything : .unanswered, state: state)
        if NaverDialect(request) == .openID {
            guard query.words("scope").contains("openid") else {
                return .error("invalid_scope", "scope must have openid.")
            }
            pending.scopes.insert("openid")
            guard query["code_challenge_method"] ?? "S256" == "S256" else {
                return .error("invalid_request", "code_challenge_method must be S256.")
            }
            (pending.nonce, pending.challenge) = (query["nonce"], query["code_challenge"].map(Grant.Challenge.s256))
        }
        if let error = request.requestedError { return pending.redirect(error: error, "As the test asked.") }
        return context.ask(pending, .naver, naver.users)
    }

    /// Returns the person's answer to the app.
    func consent(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .naver, users: context.configuration.naver.users, context) {
        case .refused(let page): return page
        case .denied(let pending): return pending.redirect(error: "access_denied", "Canceled By User")
        case .approved(let pending, let user):
            return pending.redirect([("code", code(for: pending, user, context)), ("state", pending.state)])
        }
    }

    private func code(for pending: PendingAuthorization, _ user: EmulatorUser, _ context: EmulatorContext) -> String {
        let grant = pending.grant(userID: user.id, context)
        _ = context.grants.consents { $0.record(grant, as: context.link(of: grant), at: context.now) }
        return context.grants.issueCode(for: grant)
    }

    /// The server behind the Naver app, as far as an emulated phone needs it.
    ///
    /// A form's `items` are the additional ones that the person agrees to, separated by spaces; all of them without it.
    /// The answer has no `state`. `authCode` is the code; `code` is the number of an error: 6 invalid_request,
    /// 7 unauthorized_client, 8 unsupported_response_type, 9 server_error, 10 undefined, 2 the person's cancel.
    func appCode(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let form = request.form
        let naver = context.configuration.naver
        guard form["client_id"] == naver.clientID else { return .json(["error": "unauthorized_client"], status: 400) }
        // Any other scheme would send codes to another app.
        guard form["callback_scheme"] == naver.urlScheme else {
            return .json(["error": "callback_scheme is not registered"], status: 400)
        }
        if let error = request.requestedError { return redirect(context, failure: error) }
        guard form["response_type"] == "code" else { return redirect(context, failure: "8") }
        switch form["decision"] {
        case "deny": return redirect(context, failure: "2")
        case "approve":
            guard let user = naver.users.named(form["user"]) else {
                return .json(["error": "unknown user"], status: 400)
            }
            let items = form["items"] == nil ? naver.additionalItems : form.words("items")
            let pending = PendingAuthorization(
                issuer: .naver, clientID: naver.clientID, redirectURI: "",
                scopes: naver.requiredItems.union(naver.additionalItems), optional: naver.additionalItems,
                question: .unanswered
            ).answered(by: user, refusing: { !items.contains($0) }, context)
            return redirect(context, [("authCode", code(for: pending, user, context))])
        default: return .json(["error": "decision must be approve or deny"], status: 400)
        }
    }

    private static let details = [
        "2": "user_cancel", "6": "invalid_request", "7": "unauthorized_client", "8": "unsupported_response_type",
        "9": "server_error",
    ]

    private func redirect(_ context: EmulatorContext, failure code: String) -> LoopbackResponse {
        redirect(context, [("code", code), ("error_detail", Self.details[code] ?? "undefined")])
    }

    private func redirect(_ context: EmulatorContext, _ fields: [(name: String, value: String?)]) -> LoopbackResponse {
        let callback = "\(context.configuration.naver.urlScheme)://thirdPartyLoginResult"
        return .json(["redirect": .string(AuthorizationRedirect.adding(fields, to: callback))])
    }

    /// The token endpoint, for exchange and refresh; the older one also for deletion, and by GET.
    func token(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let (parameters, dialect) = (request.query.merged(with: request.form), NaverDialect(request))
        if let error = request.requestedError { return dialect.failure(error, "As the test asked.") }
        if parameters.repeated != nil { return dialect.failure("invalid_request", "A parameter came more than once.") }
        // The secret is a parameter. OpenID Connect refuses HTTP Basic.
        guard isAuthenticated(parameters, context) else {
            return dialect.failure(
                "unauthorized_client", "wrong client id / client secret pair.", standard: "invalid_client")
        }
        switch (parameters["grant_type"], dialect) {
        case ("authorization_code", _):
            guard let code = parameters["code"], let grant = context.grants.redeem(code: code, by: .naver),
                dialect.issued(grant), dialect == .oauth || grant.accepts(verifier: parameters["code_verifier"])
            else { return dialect.failure("invalid_request", "no valid data in session", standard: "invalid_grant") }
            // Documented as required, but omitted by the iOS SDK: so it may be missing, but must not differ.
            if let state = parameters["state"], let expected = grant.state, state != expected {
                Mismatch.note("state", state, [expected], remedy: .sameState)
                return dialect.failure("invalid_request", "state does not match.")
            }
            let refresh = context.grants.issueToken(.refresh, for: grant, lifetime: 365 * 86_400)
            return tokens(for: grant, refresh, request, context)
        case ("refresh_token", _):
            guard let token = context.grants.valid(parameters["refresh_token"], .refresh, of: .naver),
                dialect.issued(token.grant)
            else { return dialect.failure("invalid_request", "invalid refresh_token", standard: "invalid_grant") }
            return tokens(for: token.grant, nil, request, context)
        case ("delete", .oauth): return delete(parameters, context)
        default:
            return dialect.failure(
                "invalid_request", "grant_type is missing or unknown.", standard: "unsupported_grant_type")
        }
    }

    /// Ends the link of a token's person, with all their tokens: 200 without a body, also for an unknown token or a wrong hint.
    func revoke(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let form = request.form
        let statuses = ["unauthorized_client": 401, "temporarily_unavailable": 503]
        if let error = request.requestedError { return .oauthError(error, status: statuses[error] ?? 400) }
        guard form.repeated == nil, form["client_id"] != nil, form["client_secret"] != nil, let text = form["token"]
        else { return .oauthError("invalid_request", "client_id, client_secret and token are required, once each.") }
        guard isAuthenticated(form, context) else {
            return .oauthError("unauthorized_client", "Client authentication failed.", status: 401)
        }
        if let token = context.grants.valid(text, of: .naver) {
            context.grants.revokeAll(of: context.link(of: token.grant))
        }
        return LoopbackResponse(status: 200)
    }

    /// The ID token has no claim of the profile. Its `sub` is the `id` there; Naver does not document whether they are equal.
    private func tokens(
        for grant: Grant, _ refreshToken: String?, _ request: EmulatorRequest, _ context: EmulatorContext
    ) -> LoopbackResponse {
        var members: [String: AuthJSON] = [
            "access_token": .string(context.grants.issueToken(.access, for: grant, lifetime: 3600)),
            "token_type": "bearer", "expires_in": "3600",
        ]
        members.add("refresh_token", refreshToken)
        if NaverDialect(request) == .openID {
            var claims: [String: AuthJSON] = [
                "iss": .string(context.issuer(Self.issuer)), "aud": .string(grant.clientID),
                "azp": .string(grant.clientID), "sub": .string(grant.userID), "jti": .string(GrantStore.random()),
                "iat": .seconds(context.now), "exp": .seconds(context.now + 3600),
            ]
            claims.add("nonce", grant.nonce)
            members["expires_in"] = 3600
            let token = context.signer.idToken(claims, host: Self.host, fault: request.tokenFault)
            members["id_token"] = .string(token)
        }
        return .json(.object(members))
    }

    /// Naver answers success for any token, even an unknown one.
    private func delete(_ parameters: EmulatorParameters, _ context: EmulatorContext) -> LoopbackResponse {
        guard let text = parameters["access_token"], parameters["service_provider"] == "NAVER" else {
            return NaverDialect.oauth.failure(
                "invalid_request", "access_token and service_provider=NAVER are required.")
        }
        if let token = context.grants.valid(text, .access, of: .naver) {
            context.grants.revokeAll(of: context.link(of: token.grant))
        }
        return .json(["access_token": .string(text), "result": "success"])
    }

    private func isAuthenticated(_ parameters: EmulatorParameters, _ context: EmulatorContext) -> Bool {
        let naver = context.configuration.naver
        return Mismatch.accepts("client_id", parameters["client_id"], [naver.clientID], in: "naver.clientID")
            && Mismatch.accepts(
                "client_secret", secret: parameters["client_secret"], naver.clientSecret, in: "naver.clientSecret")
    }
}

/// One of the two sets of Naver's endpoints. A code or a refresh token of one is unknown in the other.
enum NaverDialect {
    /// OAuth 2.0 without PKCE. Its errors have status 200, and `expires_in` is a string.
    case oauth
    /// OpenID Connect.
    case openID

    init(_ request: EmulatorRequest) { self = request.path.hasPrefix("/oauth2/") ? .openID : .oauth }

    func issued(_ grant: Grant) -> Bool { grant.scopes.contains("openid") == (self == .openID) }

    /// An error of the token endpoint.
    ///
    /// - Parameter standard: The code of RFC 6749, if that of the older endpoint is another.
    func failure(_ code: String, _ description: String, standard: String? = nil) -> LoopbackResponse {
        guard self == .openID else { return .oauthError(code, description, status: 200) }
        let code = standard ?? code
        return .oauthError(code, description, status: code == "invalid_client" ? 401 : 400)
    }
}

/// Naver's API for holders of an access token: `openapi.naver.com`.
///
/// Its answers do not name the client, so a server must not accept an access token from an app.
struct NaverAPI: EmulatorService {
    var hosts: [String] { ["openapi.naver.com"] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard ["/v1/nid/me", "/v1/nid/verify"].contains(request.path) else { return nil }
        guard ["GET", "POST"].contains(request.method) else { return .methodNotAllowed("GET, POST") }
        if let error = request.requestedError { return failure(error, "As the test asked.") }
        guard request.header("Authorization") != nil else { return failure("028", "Authentication header not exists") }
        guard let token = context.grants.valid(request.bearerToken, .access, of: .naver) else {
            return failure("024", "Authentication failed")
        }
        var members: [String: AuthJSON] = ["resultcode": "00", "message": "success"]
        let agreed = context.grants.consents { $0[context.link(of: token.grant)]?.agreed ?? [] }
        if request.path == "/v1/nid/me" {
            members["response"] = profile(of: token.grant.userID, agreed, context)
        } else if request.query.merged(with: request.form)["info"] == "true" {
            let names = ["email": "naveremail", "birthday": "birthdate"]
            let allowed = ["id"] + agreed.subtracting(["openid"]).sorted().map { names[$0] ?? $0 }
            // The time of Korea, without its zone.
            let expiry = (token.expiresAt + 9 * 3600).formatted(.iso8601.dateTimeSeparator(.space)).dropLast()
            members["response"] = [
                "token": .string(request.bearerToken ?? ""), "expire_date": .string(String(expiry)),
                "allowed_profile": .string(allowed.map { "profile/\($0)" }.joined(separator: ",")),
            ]
        }
        return .json(.object(members))
    }

    /// Every value is a string, and only `id` is always present.
    private func profile(of userID: String, _ agreed: Set<String>, _ context: EmulatorContext) -> AuthJSON {
        var members: [String: AuthJSON] = ["age": "20-29", "gender": "U"]
        if let user = context.configuration.naver.users.first(where: { $0.id == userID }) {
            members["name"] = .string(user.name)
            members["nickname"] = .string(user.name)
            members.add("email", user.email)
            members.add("profile_image", user.pictureURL)
        }
        members = members.filter { agreed.contains($0.key) }
        members["id"] = .string(userID)
        return .object(members)
    }

    private func failure(_ code: String, _ message: String) -> LoopbackResponse {
        .json(["resultcode": .string(code), "message": .string(message)], status: 401)
    }
}
