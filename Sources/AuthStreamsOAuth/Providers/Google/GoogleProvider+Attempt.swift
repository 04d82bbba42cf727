import AuthStreams
import Foundation

extension GoogleProvider {
    /// Page, token request, ID token: the authorization code flow with PKCE.
    func attempt(_ request: AuthRequest, secrets: AuthorizationSecrets) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        let steps = ProgressReporter(of: id, reportingTo: request)
        let (callback, redirectURI) = try await steps.run(.presenting) {
            try await userAgent.callback(
                of: authorization(for: request, secrets: secrets), comingBackBy: try comesBack(),
                expecting: ExpectedCallback(state: secrets.state, dialect: GoogleErrors.dialect),
                presentation: request.presentation)
        }
        return try await steps.run(.exchanging) {
            let answer = try await tokens.redeem(
                code: try callback.code(), clientID: clientID,
                authentication: clientSecret.map { .post($0) } ?? .none, redirectURI: redirectURI,
                verifier: secrets.proofKey.verifier, extra: audience)
            guard let token = answer.idToken else {
                throw AuthError(.invalidResponse, "Google's answer has no ID token although openid was asked for.")
            }
            let idToken = try await validator.validate(
                token,
                in: IDTokenContext(
                    channel: .tokenEndpoint, nonce: secrets.nonce, accessToken: answer.accessToken, date: answer.date))
            try checkDomain(of: idToken)
            return Credential(
                provider: id, idToken: token, rawNonce: secrets.nonce, accessToken: answer.accessToken,
                serverAuthCode: serverAuthCode(in: answer), userID: idToken.subject)
        }
    }

    /// The server that tokens are requested for, as a parameter of the page and the token endpoint, as in Google's own
    /// client.
    private var audience: [(name: String, value: String)] {
        serverClientID.map { [("audience", $0)] } ?? []
    }

    /// Returns the code only if one was requested.
    private func serverAuthCode(in answer: TokenResponse) -> Secret? {
        guard serverClientID != nil, let code = answer.members["server_code"]?.string, !code.isEmpty else { return nil }
        return Secret(code)
    }

    private func authorization(for request: AuthRequest, secrets: AuthorizationSecrets) -> AuthorizationRequest {
        var authorization = AuthorizationRequest(
            endpoint: endpoints.authorization, clientID: clientID, state: secrets.state)
        authorization.set("scope", joinedScopes(scopes + request.extraScopes))
        authorization.set("nonce", secrets.nonce.reveal())
        authorization.challenge(with: secrets.proofKey)
        authorization.set("login_hint", request.loginHint)
        authorization.set("prompt", Self.prompt(for: request))
        authorization.set("hd", hostedDomain)
        authorization.set("include_granted_scopes", request.extraScopes.isEmpty ? nil : "true")
        for field in audience { authorization.set(field.name, field.value) }
        return authorization
    }

    /// Google has no prompt for the password; choosing the account is the nearest one.
    private static func prompt(for request: AuthRequest) -> String {
        var prompts = request.prompts.map { $0 == .login ? AuthRequest.Prompt.selectAccount : $0 }
        if request.purpose == .reauthenticate { prompts.append(.selectAccount) }
        return joinedScopes(prompts.map(\.rawValue))
    }

    private func comesBack() throws(AuthError) -> AuthorizationPage.Return {
        guard !clientID.isEmpty else {
            throw AuthError(.misconfigured, "Google has no client ID. Create one in the Google Cloud console.")
        }
        switch redirect {
        case .loopback: return .loopback(path: "/oauth2callback")
        case .reversedClientID:
            guard let uri = Redirect.reversed(clientID: clientID) else {
                throw AuthError(
                    .misconfigured,
                    "A reversed client ID needs one of the form NUM-HASH.apps.googleusercontent.com, of type iOS.")
            }
            return .redirect(uri)
        }
    }

    /// `hd` in the request is an unprotected hint; the claim is signed by Google.
    private func checkDomain(of token: IDToken) throws(AuthError) {
        guard let hostedDomain else { return }
        let domain = token["hd"]?.string?.lowercased()
        guard let domain, hostedDomain == "*" || domain == hostedDomain.lowercased() else {
            throw AuthError(
                .accessDenied, "The Google account does not belong to the Workspace domain that is required.")
        }
    }
}
