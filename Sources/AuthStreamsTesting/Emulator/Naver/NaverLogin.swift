import AuthStreams
import LoopbackHTTP

/// Naver's authorization server: `nid.naver.com`, with the older endpoints that its SDKs use.
struct NaverLogin: EmulatorService {
    static let host = "nid.naver.com"

    var hosts: [String] { [Self.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.path {
        case "/oauth2.0/authorize": request.taking("GET") { authorize(request, context) }
        case ConsentPage.path: request.taking("POST") { consent(request, context) }
        case "/oauth2.0/token": token(request, context)
        case "/oauth2.0/revoke": request.taking("POST") { revoke(request, context) }
        case "/emulator/app-code": request.taking("POST") { appCode(request, context) }
        default: nil
        }
    }
}

extension NaverLogin {
    /// Checks an authorization request and asks the person. All four parameters are required.
    func authorize(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let query = request.query
        let naver = context.configuration.naver
        if let name = query.repeated { return page("invalid_request", "The parameter \(name) came more than once.") }
        guard query["client_id"] == naver.clientID else {
            return page("unauthorized_client", "client_id is not registered.")
        }
        guard let redirectURI = query["redirect_uri"],
            AuthorizationRedirect.isRegistered(redirectURI, in: naver.redirectURIs, context)
        else { return page("invalid_request", "redirect_uri is not registered.") }
        guard query["response_type"] == "code" else {
            return page("unsupported_response_type", "response_type must be code.")
        }
        guard let state = query["state"] else { return page("invalid_request", "state is required.") }
        let pending = PendingAuthorization(
            issuer: .naver, clientID: naver.clientID, redirectURI: redirectURI, state: state)
        if let error = request.requestedError { return pending.redirect(error: error, "As the test asked.") }
        return context.ask(pending, .naver, naver.users)
    }

    /// Returns the person's answer to the app.
    func consent(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .naver, users: context.configuration.naver.users, context) {
        case .refused(let page): return page
        case .denied(let pending): return pending.redirect(error: "access_denied", "Canceled By User")
        case .approved(let pending, let user):
            let code = context.grants.issueCode(for: pending.grant(userID: user.id, context))
            return pending.redirect([("code", code), ("state", pending.state)])
        }
    }

    private func page(_ code: String, _ message: String) -> LoopbackResponse { MessagePage.error(code, message) }
}

extension NaverLogin {
    /// The server behind the Naver app, as far as an emulated phone needs it.
    ///
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
            let grant = Grant(issuer: .naver, clientID: naver.clientID, userID: user.id, approvedAt: context.now)
            return redirect(context, [("authCode", context.grants.issueCode(for: grant))])
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
}

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

/// Naver's API for holders of an access token: `openapi.naver.com`.
///
/// Its answers do not name the client, so a server must not accept an access token from an app.
struct NaverAPI: EmulatorService {
    var hosts: [String] { ["openapi.naver.com"] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard ["/v1/nid/me", "/v1/nid/verify"].contains(request.path) else { return nil }
        guard ["GET", "POST"].contains(request.method) else { return .methodNotAllowed("GET, POST") }
        if let error = request.requestedError { return failure(error, "As the test asked.") }
        guard request.header("Authorization") != nil else {
            return failure("028", "Authentication header not exists")
        }
        guard let token = context.grants.valid(request.bearerToken, .access, of: .naver) else {
            return failure("024", "Authentication failed")
        }
        var members: [String: AuthJSON] = ["resultcode": "00", "message": "success"]
        if request.path == "/v1/nid/me" { members["response"] = profile(of: token.grant, context) }
        return .json(.object(members))
    }

    /// Every value is a string, and only `id` is always present.
    private func profile(of grant: Grant, _ context: EmulatorContext) -> AuthJSON {
        var members: [String: AuthJSON] = ["id": .string(grant.userID)]
        if let user = context.configuration.naver.users.first(where: { $0.id == grant.userID }) {
            members["name"] = .string(user.name)
            members["nickname"] = .string(user.name)
            members.add("email", user.email)
            members.add("profile_image", user.pictureURL)
            members["age"] = "20-29"
            members["gender"] = "U"
        }
        return .object(members)
    }

    private func failure(_ code: String, _ message: String) -> LoopbackResponse {
        .json(["resultcode": .string(code), "message": .string(message)], status: 401)
    }
}
