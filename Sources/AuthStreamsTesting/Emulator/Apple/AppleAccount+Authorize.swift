import AuthStreams
import LoopbackHTTP

extension AppleAccount {
    /// Checks an authorization request and asks the person. An invalid request is only shown as an error page.
    func authorize(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let query = request.query
        if let name = query.repeated { return .error("invalid_request", "The parameter \(name) came more than once.") }
        let apple = context.configuration.apple
        guard Mismatch.accepts("client_id", query["client_id"], [apple.servicesID], in: "apple.servicesID") else {
            return .error("invalid_client", "client_id is no registered Services ID.")
        }
        guard
            let redirectURI = AuthorizationRedirect.registered(
                query["redirect_uri"], in: apple.redirectURIs, of: "apple.redirectURIs", context)
        else { return .error("invalid_request", "Invalid web redirect url.") }
        let types = query.words("response_type")
        guard types == ["code"] || types == ["code", "id_token"] else {
            return .error("unsupported_response_type", "response_type must be code, or code id_token.")
        }
        let scopes = query.words("scope")
        guard scopes.isSubset(of: ["name", "email", "openid"]) else {
            return .error("invalid_scope", "scope may hold name and email.")
        }
        let wantsIDToken = types.contains("id_token")
        let fallback = wantsIDToken ? "fragment" : "query"
        guard let mode = PendingAuthorization.ResponseMode(rawValue: query["response_mode"] ?? fallback),
            !(wantsIDToken && mode == .query)
        else { return .error("invalid_request", "Invalid response mode.") }
        guard mode == .formPost || scopes.isDisjoint(with: ["name", "email"]) else {
            return .error("invalid_request", "response_mode must be form_post when name or email scope is requested.")
        }
        let pending = PendingAuthorization(
            issuer: .apple, clientID: apple.servicesID, redirectURI: redirectURI, scopes: scopes,
            state: query["state"], nonce: query["nonce"], wantsIDToken: wantsIDToken, responseMode: mode)
        if let error = request.requestedError { return answer(pending, [("error", error)]) }
        return context.ask(pending, .apple, apple.users)
    }

    /// Returns the person's answer to the app.
    func consent(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        switch ConsentAnswer(request, issuer: .apple, users: context.configuration.apple.users, context) {
        case .refused(let page):
            return page
        case .denied(let pending):
            return answer(pending, [("error", "user_cancelled_authorize")])
        case .approved(let pending, let user):
            let grant = pending.grant(userID: user.id, context)
            let isFirst = context.record(grant, email: request.form["email"])
            let code = context.grants.issueCode(for: grant)
            var fields: [(name: String, value: String?)] = [("code", code)]
            if pending.wantsIDToken {
                let token = idToken(for: grant, code: code, fault: request.tokenFault, context)
                context.note("id_token", token, host: Self.host)
                fields.append(("id_token", token))
            }
            context.note("code", code, host: Self.host)
            if isFirst, let profile = profile(of: user, scopes: pending.scopes, context) {
                fields.append(("user", profile))
            }
            return answer(pending, fields)
        }
    }

    /// Sends an answer by the response mode of the request, `state` included.
    private func answer(
        _ pending: PendingAuthorization, _ fields: [(name: String, value: String?)]
    ) -> LoopbackResponse {
        let all = fields + [("state", pending.state)]
        switch pending.responseMode {
        case .query: return pending.redirect(all)
        case .fragment: return .redirect(to: AuthorizationRedirect.adding(all, to: pending.redirectURI, separator: "#"))
        case .formPost: return .formPost(all, to: pending.redirectURI)
        }
    }

    /// The `user` field: sent once, unsigned, and only for the requested scopes.
    private func profile(of user: EmulatorUser, scopes: Set<String>, _ context: EmulatorContext) -> String? {
        var members: [String: AuthJSON] = [:]
        if scopes.contains("name") {
            members["name"] = ["firstName": .string(user.givenName), "lastName": .string(user.familyName)]
        }
        if scopes.contains("email") { members.add("email", context.sharedEmail(of: user)?.address) }
        return members.isEmpty ? nil : String(decoding: AuthJSON.object(members).data, as: UTF8.self)
    }
}

extension EmulatorContext {
    /// Records a person's approval at Apple.
    ///
    /// - Parameter email: `hide` for an address of Apple's relay. Only the first choice counts, for all of the team's clients.
    /// - Returns: Whether it is the first one.
    func record(_ grant: Grant, email: String?) -> Bool {
        let (hides, link) = (hidesEmail(grant.userID) ?? (email == "hide"), link(of: grant))
        return grants.consents { consents in
            defer { consents[link]?.hidesEmail = hides }
            return consents.record(grant, as: link, at: now)
        }
    }

    /// Whether a person hides their address from the team; `nil` before a client of it has asked for the address.
    func hidesEmail(_ userID: String) -> Bool? {
        let (apple, grants) = (configuration.apple, grants)
        let ids = [apple.bundleID, apple.servicesID].map { link(of: userID, by: $0, at: .apple) }
        let links = grants.consents { consents in ids.compactMap { consents[$0] } }
            .filter { $0.agreed.contains("email") }
        return links.isEmpty ? nil : links.contains(where: \.hidesEmail)
    }

    /// The address that a person shares with the app, and whether it is one of the relay; `nil` for none.
    func sharedEmail(of user: EmulatorUser) -> (address: String, isPrivate: Bool)? {
        user.email.map { email in
            guard hidesEmail(user.id) == true else {
                return (email, ["@privaterelay.example", "@private.icloud.example"].contains(where: email.hasSuffix))
            }
            let name = SHA256.hex("\(configuration.apple.teamID) \(user.id)").prefix(10)
            return ("\(name)@private.icloud.example", true)
        }
    }
}

/// The page on an app's own server to which Apple posts its answer, and which redirects it to the app.
///
/// Apple posts if any scope was requested, and an app cannot receive a POST. The configuration fixes the redirect's
/// target; a relay that took it from the request would be an open redirector.
struct AppleRelay: EmulatorService {
    var hosts: [String] { ["apple-relay.example"] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == "/callback" else { return nil }
        return request.taking("POST") {
            let error = request.requestedError ?? request.form["error"]
            let names = error == nil ? ["code", "id_token", "state", "user"] : ["state"]
            let fields = names.map { (name: $0, value: request.form[$0]) }
            return .redirect(
                to: AuthorizationRedirect.adding(
                    [("error", error)] + fields, to: context.configuration.apple.relayCallback))
        }
    }
}
