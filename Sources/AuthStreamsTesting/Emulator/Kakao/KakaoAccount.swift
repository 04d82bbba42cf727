import AuthStreams
import Foundation
import LoopbackHTTP

/// Kakao's authorization server: `kauth.kakao.com`.
///
/// Each request shows the page, where the person chooses an account. It asks each account only for what is missing. Only
/// `prompt=none` is answered without it, for the person who has agreed in the same browser before, as a cookie says.
struct KakaoAccount: EmulatorService {
    static let host = "kauth.kakao.com"
    static let issuer = "https://kauth.kakao.com"

    /// The access tokens for whose people a ticket opens the page.
    private let tickets = Lock(KeyedStore<String>("ticket", limit: EmulatorLimit.signIns))

    var hosts: [String] { [Self.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        let call = Call(request: request, context: context, tickets: tickets)
        return switch request.path {
        case "/.well-known/openid-configuration": request.taking("GET") { call.discovery }
        case "/.well-known/jwks.json": request.taking("GET") { .json(context.signer.keySet(host: Self.host)) }
        case "/oauth/authorize": request.taking("GET") { call.page(call.authorize) }
        case ConsentPage.path: request.taking("POST") { call.consent() }
        case "/oauth/token": request.taking("POST") { call.answer(call.token) }
        case "/oauth/tokeninfo": request.taking("POST") { call.answer(call.tokenInfo) }
        case "/oauth/logout": request.taking("GET") { call.page(call.logOut) }
        case "/api/agt": request.taking("POST") { call.answer(call.ticket) }
        case AccountPage.path:
            await AccountPage(
                brand: .kakao, users: context.configuration.kakao.users,
                events: [("UNLINK_FROM_APPS", "Stop using the app"), ("ACCOUNT_DELETE", "Delete the Kakao account")]
            ).respond(to: request, context) { event, user in
                [await EmulatedKakao(context: context).unlink(user.id, by: .init(rawValue: event) ?? .accountSettings)]
            }
        default: nil
        }
    }

    /// Returns what a request asks for: the scopes that it names, or else all that the console offers.
    static func pending(
        _ fields: EmulatorParameters, of key: String, to redirectURI: String, _ kakao: EmulatorConfiguration.Kakao
    ) throws(KakaoRefusal) -> PendingAuthorization {
        let offered = kakao.scopes.union(kakao.isOpenIDEnabled ? ["openid"] : [])
        let named = fields["scope"].map { Set($0.split { $0 == " " || $0 == "," }.map(String.init)) }
        let unknown = named?.subtracting(offered) ?? []
        for scope in unknown { Mismatch.note("scope", scope, offered.sorted(), remedy: .use(["kakao.scopes"])) }
        guard unknown.isEmpty else { throw KakaoRefusal("KOE205") }
        let challenge = fields["code_challenge"]
        guard challenge == nil || fields["code_challenge_method"] == "S256" else { throw KakaoRefusal("KOE204") }
        return PendingAuthorization(
            issuer: .kakao, clientID: key, redirectURI: redirectURI, scopes: named ?? offered,
            optional: offered.subtracting(kakao.requiredScopes), question: named == nil ? .unanswered : .missing,
            state: fields["state"], nonce: fields["nonce"], challenge: challenge.map { .s256($0) })
    }

    /// Returns the person's claims to which they agree.
    static func profile(of link: Consents.Link, _ context: EmulatorContext) -> [String: AuthJSON] {
        guard let user = context.configuration.kakao.users.first(where: { $0.id == link.id.userID }) else { return [:] }
        var claims: [String: AuthJSON] = [:]
        if link.agreed.contains("profile_nickname") { claims["nickname"] = .string(user.name) }
        if link.agreed.contains("profile_image") { claims.add("picture", user.pictureURL) }
        if link.agreed.contains("account_email") { claims.merge(user.claims(for: ["email"])) { $1 } }
        return claims
    }

    /// One request.
    fileprivate struct Call {
        let request: EmulatorRequest
        let context: EmulatorContext
        let tickets: Lock<KeyedStore<String>>
        var kakao: EmulatorConfiguration.Kakao { context.configuration.kakao }
    }
}

extension KakaoAccount.Call {
    /// Answers a browser. A page shows an error, as of an invalid configuration, by its code.
    func page(_ response: () throws(KakaoRefusal) -> LoopbackResponse) -> LoopbackResponse {
        do throws(KakaoRefusal) { return try response() } catch { return KakaoDialect.page(error.code) }
    }

    /// Answers an app or a server. An error has its code and its description; one that a test asked for comes first.
    func answer(_ response: () throws(KakaoRefusal) -> LoopbackResponse) -> LoopbackResponse {
        do throws(KakaoRefusal) {
            if let error = request.requestedError { throw KakaoRefusal(error) }
            return try response()
        } catch { return KakaoDialect.failure(error.code, error.description) }
    }

    var discovery: LoopbackResponse {
        let base = context.served(KakaoAccount.issuer)
        return .json([
            "issuer": .string(context.issuer(KakaoAccount.issuer)),
            "authorization_endpoint": .string("\(base)/oauth/authorize"),
            "token_endpoint": .string("\(base)/oauth/token"),
            "userinfo_endpoint": .string(context.served("https://kapi.kakao.com/v1/oidc/userinfo")),
            "jwks_uri": .string("\(base)/.well-known/jwks.json"),
            "token_endpoint_auth_methods_supported": ["client_secret_post"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"], "request_uri_parameter_supported": false,
            "response_types_supported": ["code"], "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": [
                "iss", "aud", "sub", "auth_time", "exp", "iat", "nonce", "nickname", "picture", "email",
            ],
        ])
    }

    /// Checks an authorization request and asks the person.
    func authorize() throws(KakaoRefusal) -> LoopbackResponse {
        let query = request.query
        let pending = try check()
        if let error = request.requestedError {
            if error.hasPrefix("KOE") { throw KakaoRefusal(error) }
            return pending.redirect(error: error, "As asked.")
        }
        if query["prompt"]?.split(separator: ",").contains("none") == true { return answerInSession(pending) }
        guard let ticket = query["agt"] else {
            return context.ask(pending, .kakao, kakao.users, hint: query["login_hint"])
        }
        // The person whose access token lacked a consent.
        let token = tickets.withLock { $0.take(ticket) }
        guard let grant = context.grants.valid(token, .access, of: .kakao)?.grant, grant.clientID == pending.clientID
        else { throw KakaoRefusal("KOE204") }
        return context.ask(pending, .kakao, kakao.users.filter { $0.id == grant.userID })
    }

    /// Returns what the parameters of the page ask for, if each of them is valid.
    private func check() throws(KakaoRefusal) -> PendingAuthorization {
        let query = request.query
        let key = try key(in: query)
        guard
            let redirectURI = AuthorizationRedirect.registered(
                query["redirect_uri"], in: kakao.redirectURIs(ofKey: key),
                of: key == kakao.restAPIKey ? "kakao.redirectURIs" : nil, context)
        else { throw KakaoRefusal("KOE006") }
        guard query["response_type"] == "code" else { throw KakaoRefusal("KOE201") }
        return try KakaoAccount.pending(query, of: key, to: redirectURI, kakao)
    }

    /// Returns the app key of a request whose parameters come once each.
    private func key(in fields: EmulatorParameters) throws(KakaoRefusal) -> String {
        if fields.repeated != nil { throw KakaoRefusal("KOE204") }
        guard let key = fields["client_id"] else { throw KakaoRefusal("KOE207") }
        guard kakao.isKey(key) else { throw KakaoRefusal("KOE101") }
        return key
    }

    /// Answers `prompt=none`, for the person of the browser's session.
    private func answerInSession(_ pending: PendingAuthorization) -> LoopbackResponse {
        let cookies = request.header("Cookie")?.split(separator: "; ").map(String.init) ?? []
        guard let user = kakao.users.first(where: { cookies.contains("kakao=\($0.id)") }) else {
            return pending.redirect(error: "login_required", "user login is required.")
        }
        let link = context.link(of: user.id, by: pending.clientID, at: .kakao)
        guard context.grants.consents({ $0[link] != nil }), context.items(of: pending, for: user).isEmpty else {
            return pending.redirect(error: "consent_required", "user consent required.")
        }
        return approve(pending.answered(by: user, refusing: { _ in false }, context), user)
    }

    /// Returns the person's answer to the app.
    func consent() -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .kakao, users: kakao.users, context) {
        case .refused(let page): page
        case .denied(let pending): pending.redirect(error: "access_denied", "User denied access")
        case .approved(let pending, let user): approve(pending, user)
        }
    }

    private func approve(_ pending: PendingAuthorization, _ user: EmulatorUser) -> LoopbackResponse {
        let code = context.grants.issueCode(for: pending.grant(userID: user.id, context))
        return pending.redirect([("code", code), ("state", pending.state)]).inSession(of: user.id)
    }

    /// Ends the session of this browser. The app's tokens stay valid.
    func logOut() throws(KakaoRefusal) -> LoopbackResponse {
        let query = request.query
        guard kakao.isKey(query["client_id"] ?? "") else { throw KakaoRefusal("KOE101") }
        guard
            let uri = AuthorizationRedirect.registered(
                query["logout_redirect_uri"], in: kakao.logoutRedirectURIs, of: "kakao.logoutRedirectURIs", context)
        else { throw KakaoRefusal("KOE007") }
        let target = AuthorizationRedirect.adding([("state", query["state"])], to: uri)
        return LoopbackResponse(status: 302, headers: [("Location", target)]).inSession(of: "")
    }

    /// Issues a ticket that opens the page for the person of an access token, without a choice of accounts.
    func ticket() throws(KakaoRefusal) -> LoopbackResponse {
        guard let token = request.form["access_token"], let key = request.form["client_id"],
            context.grants.valid(token, .access, of: .kakao)?.grant.clientID == key
        else { throw KakaoRefusal("KOE400") }
        return .json(["agt": .string(tickets.withLock { $0.add(token) })])
    }

    private static let month: TimeInterval = 30 * 86_400

    /// The token endpoint.
    func token() throws(KakaoRefusal) -> LoopbackResponse {
        let form = request.form
        let key = try key(in: form)
        if let bundleID = form["ios_bundle_id"], kakao.nativeAppKeys.contains(key),
            !Mismatch.accepts("ios_bundle_id", bundleID, kakao.bundleIDs, in: "kakao.bundleIDs")
        {
            throw KakaoRefusal("KOE009")
        }
        if key == kakao.restAPIKey, let secret = kakao.restSecret,
            !Mismatch.accepts("client_secret", secret: form["client_secret"], secret, in: "kakao.restSecret")
        {
            throw KakaoRefusal("KOE010")
        }
        switch form["grant_type"] {
        case "authorization_code": return try exchange(key: key)
        case "refresh_token": return try refresh(key: key)
        case nil: throw KakaoRefusal("KOE207")
        default: throw KakaoRefusal("KOE310")
        }
    }

    private func exchange(key: String) throws(KakaoRefusal) -> LoopbackResponse {
        let form = request.form
        guard let code = form["code"] else { throw KakaoRefusal("KOE207") }
        guard let grant = context.grants.redeem(code: code, by: .kakao, for: key) else {
            // Kakao quotes the code, which is one more reason to keep descriptions out of errors and logs.
            throw KakaoRefusal("KOE320", "authorization code not found for code=\(code)")
        }
        guard grant.isRedirected(to: form["redirect_uri"]) else { throw KakaoRefusal("KOE303") }
        guard grant.accepts(verifier: form["code_verifier"]) else {
            throw KakaoRefusal("KOE320", "code verifier does not match code challenge.")
        }
        var consent = grant
        consent.scopes.remove("openid")
        _ = context.grants.consents { $0.record(consent, as: context.link(of: grant), at: context.now) }
        return tokens(for: grant, withRefreshToken: true)
    }

    private func refresh(key: String) throws(KakaoRefusal) -> LoopbackResponse {
        guard let text = request.form["refresh_token"] else { throw KakaoRefusal("KOE319") }
        guard let token = context.grants.valid(text, .refresh, of: .kakao), token.grant.clientID == key else {
            throw KakaoRefusal("KOE322")
        }
        // A refresh token that is valid for more than a month is not replaced; one with less is, and ends.
        let renews = token.expiresAt < context.now + Self.month
        if renews { context.grants.revoke(text) }
        return tokens(for: token.grant, withRefreshToken: renews)
    }

    private func tokens(for grant: Grant, withRefreshToken: Bool) -> LoopbackResponse {
        // What the person has agreed to, in this log-in or before; an ID token only if this one has asked for it.
        let scopes = (context.grants.consents { $0[context.link(of: grant)]?.agreed } ?? [])
            .union(grant.scopes.intersection(["openid"]))
        let lifetime: Int64 = grant.clientID == kakao.restAPIKey ? 21_599 : 43_199
        let access = context.grants.issueToken(.access, for: grant, lifetime: TimeInterval(lifetime))
        var members: [String: AuthJSON] = [
            "token_type": "bearer", "access_token": .string(access), "expires_in": .integer(lifetime),
            "scope": .string(scopes.sorted().joined(separator: " ")),
        ]
        if withRefreshToken {
            members["refresh_token"] = .string(context.grants.issueToken(.refresh, for: grant, lifetime: 5_183_999))
            members["refresh_token_expires_in"] = 5_183_999
        }
        if grant.scopes.contains("openid") { members["id_token"] = .string(idToken(for: grant, lifetime: lifetime)) }
        return .json(.object(members))
    }

    /// The nonce is echoed unchanged, and `aud` is the key that was used, native or REST.
    private func idToken(for grant: Grant, lifetime: Int64) -> String {
        var claims: [String: AuthJSON] = [
            "iss": .string(context.issuer(KakaoAccount.issuer)), "aud": .string(grant.clientID),
            "sub": .string(grant.userID), "iat": .seconds(context.now),
            "exp": .seconds(context.now + TimeInterval(lifetime)), "auth_time": .seconds(grant.approvedAt),
        ]
        claims.add("nonce", grant.nonce)
        let link = context.grants.consents { $0[context.link(of: grant)] }
        var profile = link.map { KakaoAccount.profile(of: $0, context) } ?? [:]
        // An ID token has no address that is not verified.
        if profile.removeValue(forKey: "email_verified") == false { profile["email"] = nil }
        claims.merge(profile) { own, _ in own }
        return context.signer.idToken(claims, host: KakaoAccount.host, fault: request.tokenFault)
    }

    /// Returns the claims of a valid ID token.
    func tokenInfo() throws(KakaoRefusal) -> LoopbackResponse {
        let rules = ServerIDTokenVerifier.kakao(in: context.configuration)
        guard let claims = try? rules.claims(ofSigned: request.form["id_token"] ?? "", in: context) else {
            throw KakaoRefusal("KOE400")
        }
        return .json(.object(claims))
    }
}

extension LoopbackResponse {
    /// The response, after which the browser is in a session of the person at Kakao.
    fileprivate func inSession(of userID: String) -> Self {
        var response = self
        response.headers.append(("Set-Cookie", "kakao=\(userID); Path=/\(KakaoAccount.host); HttpOnly; SameSite=Lax"))
        return response
    }
}
