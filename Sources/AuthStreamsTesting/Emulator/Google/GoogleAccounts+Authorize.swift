import AuthStreams
import LoopbackHTTP

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
        return ConsentPage(
            brand: .google, appName: context.configuration.appName, scopes: pending.scopes,
            users: context.configuration.google.users, hint: query["login_hint"], ticket: context.grants.keep(pending)
        ).response
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
        .redirect(to: AuthorizationRedirect.adding([("state", pending.state)] + fields, to: pending.redirectURI))
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
