import AuthStreams
import LoopbackHTTP

/// Kakao's authorization server: `kauth.kakao.com`.
struct KakaoAccount: EmulatorService {
    static let host = "kauth.kakao.com"
    static let issuer = "https://kauth.kakao.com"

    let links: Lock<KakaoLinks>

    var hosts: [String] { [Self.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.path {
        case "/.well-known/openid-configuration": request.taking("GET") { discovery(context) }
        case "/.well-known/jwks.json": request.taking("GET") { .json(context.signer.keySet(host: Self.host)) }
        case "/oauth/authorize": request.taking("GET") { authorize(request, context) }
        case ConsentPage.path: request.taking("POST") { consent(request, context) }
        case "/oauth/token": request.taking("POST") { token(request, context) }
        default: nil
        }
    }

    private func discovery(_ context: EmulatorContext) -> LoopbackResponse {
        let base = context.served(Self.issuer)
        return .json([
            "issuer": .string(base),
            "authorization_endpoint": .string("\(base)/oauth/authorize"),
            "token_endpoint": .string("\(base)/oauth/token"),
            "userinfo_endpoint": .string(context.served("https://kapi.kakao.com/v1/oidc/userinfo")),
            "jwks_uri": .string("\(base)/.well-known/jwks.json"),
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "request_uri_parameter_supported": false,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
        ])
    }

    /// Returns the granted scopes of a request: those it names, otherwise all that the console offers.
    static func scopes(_ requested: String?, _ kakao: EmulatorConfiguration.Kakao) -> Set<String>? {
        let offered = kakao.scopes.union(kakao.isOpenIDEnabled ? ["openid"] : [])
        guard let requested else { return offered }
        let named = Set(requested.split { $0 == " " || $0 == "," }.map(String.init))
        return named.isSubset(of: offered) ? named : nil
    }
}

extension KakaoAccount {
    /// Checks an authorization request and asks the person. An invalid configuration is shown as a page with a KOE
    /// code.
    func authorize(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let query = request.query
        let kakao = context.configuration.kakao
        if query.repeated != nil { return KakaoDialect.page("KOE204") }
        guard let key = query["client_id"] else { return KakaoDialect.page("KOE207") }
        guard kakao.appID(ofKey: key) != nil else { return KakaoDialect.page("KOE101") }
        guard let redirectURI = query["redirect_uri"],
            AuthorizationRedirect.isRegistered(redirectURI, in: kakao.redirectURIs(ofKey: key), context)
        else { return KakaoDialect.page("KOE006") }
        guard query["response_type"] == "code" else { return KakaoDialect.page("KOE201") }
        guard let scopes = Self.scopes(query["scope"], kakao) else { return KakaoDialect.page("KOE205") }
        var challenge: Grant.Challenge?
        if let text = query["code_challenge"] {
            guard query["code_challenge_method"] == "S256" else { return KakaoDialect.page("KOE204") }
            challenge = .s256(text)
        }
        let pending = PendingAuthorization(
            issuer: .kakao, clientID: key, redirectURI: redirectURI, scopes: scopes, state: query["state"],
            nonce: query["nonce"], challenge: challenge)
        if let error = request.requestedError {
            return error.hasPrefix("KOE") ? KakaoDialect.page(error) : answer(pending, error: error, "As asked.")
        }
        if query["prompt"]?.split(separator: ",").contains("none") == true {
            return answer(pending, error: "login_required", "user login is required.")
        }
        return ConsentPage(
            brand: .kakao, appName: context.configuration.appName, scopes: scopes, users: kakao.users,
            hint: query["login_hint"], ticket: context.grants.keep(pending)
        ).response
    }

    /// Returns the person's answer to the app.
    func consent(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .kakao, users: context.configuration.kakao.users, context) {
        case .refused(let page): return page
        case .denied(let pending): return answer(pending, error: "access_denied", "User denied access")
        case .approved(let pending, let user):
            let code = context.grants.issueCode(for: pending.grant(userID: user.id, context))
            return .redirect(
                to: AuthorizationRedirect.adding([("code", code), ("state", pending.state)], to: pending.redirectURI))
        }
    }

    private func answer(_ pending: PendingAuthorization, error: String, _ description: String) -> LoopbackResponse {
        .redirect(
            to: AuthorizationRedirect.adding(
                [("error", error), ("error_description", description), ("state", pending.state)],
                to: pending.redirectURI))
    }
}
