import AuthStreams
import LoopbackHTTP

/// Google's OpenID provider, on its four hosts.
struct GoogleAccounts: EmulatorService {
    static let host = "accounts.google.com"
    static let issuer = "https://accounts.google.com"

    let devices = DeviceCodes(
        issuer: .google, brand: .google, page: "https://www.google.com/device", isStandard: false)

    var hosts: [String] {
        [Self.host, "www.google.com", "oauth2.googleapis.com", "www.googleapis.com", "openidconnect.googleapis.com"]
    }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.host + request.path {
        case "accounts.google.com/.well-known/openid-configuration": request.taking("GET") { discovery(context) }
        case "accounts.google.com/o/oauth2/v2/auth": request.taking("GET") { authorize(request, context) }
        case "accounts.google.com\(ConsentPage.path)": request.taking("POST") { consent(request, context) }
        case "oauth2.googleapis.com/device/code": request.taking("POST") { authorizeDevice(request, context) }
        case "www.google.com/device":
            request.taking("GET") { devices.page(request, context.configuration.google.users, context) }
        case "oauth2.googleapis.com/token": request.taking("POST") { token(request, context) }
        case "oauth2.googleapis.com/revoke": request.taking("GET", "POST") { revoke(request, context) }
        case "www.googleapis.com/oauth2/v3/certs":
            request.taking("GET") { .json(context.signer.keySet(host: Self.host)) }
        case "www.googleapis.com/oauth2/v1/certs":
            request.taking("GET") { .keys(context.signer.certificates(host: Self.host)) }
        case "openidconnect.googleapis.com/v1/userinfo": request.taking("GET", "POST") { userInfo(request, context) }
        case "oauth2.googleapis.com/tokeninfo": request.taking("GET", "POST") { tokenInfo(request, context) }
        default: nil
        }
    }

    private func discovery(_ context: EmulatorContext) -> LoopbackResponse {
        func url(_ production: String) -> AuthJSON { .string(context.served(production)) }
        return .json([
            "issuer": .string(context.issuer(Self.issuer)),
            "authorization_endpoint": url("https://accounts.google.com/o/oauth2/v2/auth"),
            "device_authorization_endpoint": url("https://oauth2.googleapis.com/device/code"),
            "token_endpoint": url("https://oauth2.googleapis.com/token"),
            "userinfo_endpoint": url("https://openidconnect.googleapis.com/v1/userinfo"),
            "revocation_endpoint": url("https://oauth2.googleapis.com/revoke"),
            "jwks_uri": url("https://www.googleapis.com/oauth2/v3/certs"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "authorization_response_iss_parameter_supported": true,
            "scopes_supported": ["openid", "email", "profile"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "code_challenge_methods_supported": ["plain", "S256"],
            "grant_types_supported": ["authorization_code", "refresh_token", .string(DeviceCodes.grantType)],
        ])
    }

    /// Checks an authorization request and asks the person. An invalid configuration is only shown as an error page.
    func authorize(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        do throws(Refusal) {
            let query = request.query
            let pending = try check(query, context)
            if let error = request.requestedError {
                if Self.pageOnly.contains(error) { throw page(error, "As the test asked.") }
                return answer(pending, [("error", error)], context)
            }
            // There is never a browser session here, so the person has to be asked.
            if query.words("prompt") == ["none"] {
                return answer(pending, [("error", "interaction_required")], context)
            }
            return context.ask(pending, .google, context.configuration.google.users, hint: query["login_hint"])
        } catch { return error.response }
    }

    /// Returns what the parameters of the page ask for, if each of them is valid.
    func check(_ query: EmulatorParameters, _ context: EmulatorContext) throws(Refusal) -> PendingAuthorization {
        if let name = query.repeated { throw page("invalid_request", "Parameter repeated: \(name)") }
        guard let client = context.configuration.google.client(query["client_id"]) else {
            throw page("invalid_client", "The OAuth client was not found.", status: 401)
        }
        guard let redirectURI = query["redirect_uri"], client.allows(redirectURI, context) else {
            throw page("redirect_uri_mismatch", "The redirect_uri is not registered for this client.")
        }
        guard query["response_type"] == "code" else {
            throw page("invalid_request", "Required parameter is missing or invalid: response_type")
        }
        guard query["scope"] != nil else { throw page("invalid_request", "Missing required parameter: scope") }
        let prompts = query.words("prompt")
        guard prompts == ["none"] || prompts.isSubset(of: ["consent", "select_account"]) else {
            throw page("invalid_request", "Invalid parameter value for prompt: \(query["prompt"] ?? "")")
        }
        let scopes = try scopes(for: query.words("scope"))
        return PendingAuthorization(
            issuer: .google, clientID: client.id, redirectURI: redirectURI, scopes: scopes,
            // The page names what it asks for; boxes are for what an API of the person needs.
            optional: scopes.subtracting(GoogleScope.signIn),
            question: prompts.contains("consent") || query["approval_prompt"] == "force" ? .everything : .missing,
            state: query["state"], nonce: query["nonce"], challenge: try challenge(in: query),
            isOffline: client.isInstalled || query["access_type"] == "offline",
            includesEarlier: query["include_granted_scopes"] == "true")
    }

    /// Returns the scopes that a request of these asks for, if Google has each of them.
    private func scopes(for requested: Set<String>) throws(Refusal) -> Set<String> {
        let valid = requested.filter(GoogleScope.isKnown)
        guard valid != requested else { return GoogleScope.granted(requested) }
        let lists = [("valid", valid), ("invalid", requested.subtracting(valid))].filter { !$1.isEmpty }
            .map { name, scopes in "\(name)=[\(scopes.sorted().joined(separator: ", "))]" }
        throw page("invalid_scope", "Some requested scopes were invalid. {\(lists.joined(separator: ", "))}")
    }

    private func challenge(in query: EmulatorParameters) throws(Refusal) -> Grant.Challenge? {
        switch (query["code_challenge"], query["code_challenge_method"]) {
        case (nil, nil): return nil
        case (nil, _?): throw page("invalid_request", "code_challenge_method without code_challenge")
        case (let text?, let method):
            if let challenge = Grant.Challenge(text, method: method) { return challenge }
            throw page("invalid_request", "Invalid code_challenge_method")
        }
    }

    /// Returns the person's answer to the app.
    func consent(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .google, users: context.configuration.google.users, context) {
        case .refused(let page): return page
        case .denied(let pending),
            .approved(let pending, _) where pending.scopes.isEmpty:
            if let code = pending.deviceCode { return devices.decide(code, nil, context) }
            return answer(pending, [("error", "access_denied")], context)
        case .approved(let pending, let user):
            var grant = pending.grant(userID: user.id, context)
            let link = context.link(of: grant)
            let earlier = context.grants.consents { $0[link]?.agreed }
            grant.isNewConsent =
                pending.question == .everything
                || !(earlier?.isSuperset(of: pending.scopes.union(pending.refused)) ?? false)
            if pending.includesEarlier { grant.scopes.formUnion((earlier ?? []).subtracting(grant.refused)) }
            // A device's approval counts once it is redeemed, so that a second one links no other person.
            if let code = pending.deviceCode { return devices.decide(code, grant, context) }
            _ = context.grants.consents { $0.record(grant, as: link, at: context.now) }
            let code = context.grants.issueCode(for: grant)
            let scope = GoogleScope.bothNames(grant.scopes).sorted().joined(separator: " ")
            let prompt = grant.isNewConsent ? "consent" : "none"
            return answer(pending, [("code", code), ("scope", scope), ("authuser", "0"), ("prompt", prompt)], context)
        }
    }

    private func answer(
        _ pending: PendingAuthorization, _ fields: [(name: String, value: String?)], _ context: EmulatorContext
    ) -> LoopbackResponse {
        pending.redirect([("state", pending.state), ("iss", context.issuer(Self.issuer))] + fields)
    }

    /// Errors that Google shows and never redirects.
    private static let pageOnly: Set<String> = [
        "disallowed_useragent", "redirect_uri_mismatch", "invalid_client", "deleted_client", "invalid_request",
        "invalid_scope",
    ]

    private func page(_ code: String, _ message: String, status: Int = 400) -> Refusal {
        Refusal(
            response: .error(
                "Error \(status): \(code)", message, status: code == "disallowed_useragent" ? 403 : status))
    }
}

extension EmulatorConfiguration.Google {
    /// Returns the client of an identifier; `nil` for none, which the journal then says.
    func client(_ id: String?) -> Client? {
        Mismatch.accepts("client_id", id, clients.map(\.id), in: "google") ? clients.first { $0.id == id } : nil
    }
}

extension EmulatorConfiguration.Google.Client {
    /// Whether it is a program on a person's device.
    var isInstalled: Bool { if case .web = kind { false } else { true } }

    /// Returns whether a redirect URI fits the kind of client.
    func allows(_ redirectURI: String, _ context: EmulatorContext) -> Bool {
        switch kind {
        case .iOS:
            // The reversed client ID with a single slash and any path.
            let scheme = id.split(separator: ".").reversed().joined(separator: ".").lowercased()
            if redirectURI.hasPrefix("\(scheme):/"), !redirectURI.hasPrefix("\(scheme)://") { return true }
            Mismatch.note("redirect_uri", redirectURI, ["\(scheme):/PATH"], remedy: .fixedRedirectURI)
            return false
        case .desktop:
            // Google's own libraries for programs name the listener so.
            let name = "http://localhost"
            let isNamed = redirectURI.hasPrefix(name)
            let uri = isNamed ? "http://127.0.0.1" + redirectURI.dropFirst(name.count) : redirectURI
            if AuthorizationRedirect.loopbackPath(uri) != nil { return true }
            Mismatch.note("redirect_uri", redirectURI, ["http://127.0.0.1:PORT/PATH"], remedy: .fixedRedirectURI)
            return false
        case .limitedInput: return false
        case .web(let registered):
            return AuthorizationRedirect.registered(redirectURI, in: registered, of: "google.web.redirectURIs", context)
                != nil
        }
    }
}
