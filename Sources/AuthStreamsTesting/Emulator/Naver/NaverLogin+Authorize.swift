import AuthStreams
import LoopbackHTTP

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
        if let error = request.requestedError { return answer(pending, error: error, "As the test asked.") }
        return ConsentPage(
            brand: .naver, appName: context.configuration.appName, scopes: [], users: naver.users,
            ticket: context.grants.keep(pending)
        ).response
    }

    /// Returns the person's answer to the app.
    func consent(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .naver, users: context.configuration.naver.users, context) {
        case .refused(let page): return page
        case .denied(let pending): return answer(pending, error: "access_denied", "Canceled By User")
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

    private func page(_ code: String, _ message: String) -> LoopbackResponse { MessagePage.error(code, message) }
}
