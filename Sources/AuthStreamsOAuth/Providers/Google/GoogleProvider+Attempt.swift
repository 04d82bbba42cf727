import AuthStreams
import Foundation

extension GoogleProvider {
    /// Page, token request, ID token: the authorization code flow with PKCE.
    func attempt(_ request: AuthRequest, secrets: AuthorizationSecrets) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        let steps = ProgressReporter(of: id, reportingTo: request)
        let grant = try await steps.run(.presenting) {
            try await client.authorize(
                request, scopes: scopes, redirect: try comesBack(), userAgent: userAgent, secrets: secrets
            ) { page in
                page.set("prompt", words: Self.prompts(for: request))
                // Google's ID tokens do not say when the person logged in.
                page.set("max_age", nil)
                page.set("hd", hostedDomain)
                page.set("include_granted_scopes", request.extraScopes.isEmpty ? nil : "true")
                // The server that tokens are requested for, as in Google's own client.
                page.set("audience", serverClientID)
            }
        }
        return try await steps.run(.exchanging) {
            let answer = try await client.redeem(grant, parameters: serverClientID.map { ["audience": $0] } ?? [:])
            let idToken = try await client.idToken(of: answer, for: grant)
            try checkDomain(of: idToken)
            return Credential(
                provider: id, idToken: idToken.token, rawNonce: secrets.nonce, accessToken: answer.accessToken,
                serverAuthCode: serverAuthCode(in: answer), userID: idToken.subject)
        }
    }

    /// Returns the code only if one was requested.
    private func serverAuthCode(in answer: TokenResponse) -> Secret? {
        guard serverClientID != nil, let code = answer.members["server_code"]?.string, !code.isEmpty else { return nil }
        return Secret(code)
    }

    /// Google has no prompt for the password; choosing the account is the nearest one.
    private static func prompts(for request: AuthRequest) -> [String] {
        let prompts = request.prompts + (request.purpose == .reauthenticate ? [.login] : [])
        return prompts.map { ($0 == .login ? .selectAccount : $0).rawValue }
    }

    private func comesBack() throws(AuthError) -> AuthorizationPage.Return {
        switch redirect {
        case .loopback: return .loopback(path: "/oauth2callback")
        case .reversedClientID:
            guard let uri = Redirect.reversed(clientID: client.clientID) else {
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
