import AuthStreams
import LoopbackHTTP

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
