import AuthStreams
import Foundation
import LoopbackHTTP

/// Kakao's authorization server: `kauth.kakao.com`.
struct KakaoAccount: EmulatorService {
    static let host = "kauth.kakao.com"
    static let issuer = "https://kauth.kakao.com"

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
            issuer: .kakao, clientID: key, redirectURI: redirectURI, scopes: scopes,
            optional: scopes.subtracting(kakao.requiredScopes),
            question: query["scope"] == nil ? .unanswered : .missing, state: query["state"], nonce: query["nonce"],
            challenge: challenge)
        if let error = request.requestedError {
            return error.hasPrefix("KOE") ? KakaoDialect.page(error) : pending.redirect(error: error, "As asked.")
        }
        if query["prompt"]?.split(separator: ",").contains("none") == true {
            return pending.redirect(error: "login_required", "user login is required.")
        }
        return context.ask(pending, .kakao, kakao.users, hint: query["login_hint"])
    }

    /// Returns the person's answer to the app.
    func consent(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .kakao, users: context.configuration.kakao.users, context) {
        case .refused(let page): return page
        case .denied(let pending): return pending.redirect(error: "access_denied", "User denied access")
        case .approved(let pending, let user):
            let code = context.grants.issueCode(for: pending.grant(userID: user.id, context))
            return pending.redirect([("code", code), ("state", pending.state)])
        }
    }
}

extension KakaoAccount {
    private static let month: TimeInterval = 30 * 86_400

    /// The token endpoint.
    func token(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let form = request.form
        let kakao = context.configuration.kakao
        if let error = request.requestedError { return KakaoDialect.failure(error) }
        if form.repeated != nil { return KakaoDialect.failure("KOE204") }
        guard let key = form["client_id"] else { return KakaoDialect.failure("KOE207") }
        guard kakao.appID(ofKey: key) != nil else { return KakaoDialect.failure("KOE101") }
        if let bundleID = form["ios_bundle_id"], kakao.nativeAppKeys.contains(key), !kakao.bundleIDs.contains(bundleID)
        {
            return KakaoDialect.failure("KOE009")
        }
        if key == kakao.restAPIKey, let secret = kakao.restSecret, form["client_secret"] != secret {
            return KakaoDialect.failure("KOE010")
        }
        switch form["grant_type"] {
        case "authorization_code":
            return exchange(request, key: key, context)
        case "refresh_token":
            guard let text = form["refresh_token"] else { return KakaoDialect.failure("KOE319") }
            guard let token = context.grants.valid(text, .refresh, of: .kakao), token.grant.clientID == key else {
                return KakaoDialect.failure("KOE322")
            }
            // A refresh token that is valid for more than a month is not replaced; one with less is, and ends.
            let renews = token.expiresAt < context.now + Self.month
            if renews { context.grants.revoke(text) }
            return tokens(for: token.grant, withRefreshToken: renews, request.tokenFault, context)
        case nil: return KakaoDialect.failure("KOE207")
        default: return KakaoDialect.failure("KOE310")
        }
    }

    private func exchange(_ request: EmulatorRequest, key: String, _ context: EmulatorContext) -> LoopbackResponse {
        guard let code = request.form["code"] else { return KakaoDialect.failure("KOE207") }
        guard let grant = context.grants.redeem(code: code, by: .kakao), grant.clientID == key else {
            // Kakao quotes the code, which is one more reason to keep descriptions out of errors and logs.
            return KakaoDialect.failure("KOE320", "authorization code not found for code=\(code)")
        }
        guard grant.redirectURI == request.form["redirect_uri"] else { return KakaoDialect.failure("KOE303") }
        guard grant.accepts(verifier: request.form["code_verifier"]) else {
            return KakaoDialect.failure("KOE320", "code verifier does not match code challenge.")
        }
        _ = context.grants.consents { $0.record(grant, as: context.link(of: grant), at: context.now) }
        return tokens(for: grant, withRefreshToken: true, request.tokenFault, context)
    }

    private func tokens(
        for grant: Grant, withRefreshToken: Bool, _ fault: EmulatorFault.Token?, _ context: EmulatorContext
    ) -> LoopbackResponse {
        let lifetime: Int64 = grant.clientID == context.configuration.kakao.restAPIKey ? 21_599 : 43_199
        let access = context.grants.issueToken(.access, for: grant, lifetime: TimeInterval(lifetime))
        var members: [String: AuthJSON] = [
            "token_type": "bearer", "access_token": .string(access), "expires_in": .integer(lifetime),
            "scope": .string(grant.scopes.sorted().joined(separator: " ")),
        ]
        if withRefreshToken {
            members["refresh_token"] = .string(context.grants.issueToken(.refresh, for: grant, lifetime: 5_183_999))
            members["refresh_token_expires_in"] = 5_183_999
        }
        if grant.scopes.contains("openid") {
            members["id_token"] = .string(idToken(for: grant, lifetime: lifetime, fault, context))
        }
        return .json(.object(members))
    }

    /// The nonce is echoed unchanged, and `aud` is the key that was used, native or REST.
    private func idToken(
        for grant: Grant, lifetime: Int64, _ fault: EmulatorFault.Token?, _ context: EmulatorContext
    ) -> String {
        var claims: [String: AuthJSON] = [
            "iss": .string(context.served(Self.issuer)), "aud": .string(grant.clientID), "sub": .string(grant.userID),
            "iat": .seconds(context.now), "exp": .seconds(context.now + TimeInterval(lifetime)),
            "auth_time": .seconds(grant.approvedAt),
        ]
        claims.add("nonce", grant.nonce)
        claims.merge(Self.profile(of: grant, context)) { own, _ in own }
        return context.signer.idToken(claims, host: Self.host, fault: fault)
    }

    /// Returns the claims of the person to which the grant has their consent: of an ID token, and of the user-info.
    static func profile(of grant: Grant, _ context: EmulatorContext) -> [String: AuthJSON] {
        guard let user = context.configuration.kakao.users.first(where: { $0.id == grant.userID }) else { return [:] }
        var claims: [String: AuthJSON] = [:]
        if grant.scopes.contains("profile_nickname") { claims["nickname"] = .string(user.name) }
        if grant.scopes.contains("profile_image") { claims.add("picture", user.pictureURL) }
        if grant.scopes.contains("account_email") { claims.add("email", user.email) }
        return claims
    }
}
