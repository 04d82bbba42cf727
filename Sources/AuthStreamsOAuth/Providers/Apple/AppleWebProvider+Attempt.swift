import AuthStreams
import Foundation

extension AppleWebProvider {
    /// Page, relay, ID token. There is no token request, because the server with the client secret redeems the code.
    func attempt(_ request: AuthRequest, secrets: AuthorizationSecrets) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        let steps = ProgressReporter(of: id, reportingTo: request)
        let hashedNonce = Secret(AppleNonce.hashed(secrets.nonce))
        do { try checkAddresses() } catch { throw error.located(provider: id) }
        let grant = try await steps.run(.presenting) {
            try await userAgent.grant(
                for: page(for: request, state: secrets.state, nonce: hashedNonce), secrets: secrets,
                redirect: .redirect(callback), relay: relayURL, dialect: AppleErrors.dialect,
                presentation: request.presentation)
        }
        await keepProfile(of: grant, for: request)
        return try await steps.run(.exchanging) {
            let code = try grant.callback.code()
            guard let token = grant.callback["id_token"].map(Secret.init) else {
                throw AuthError(.invalidResponse, "The callback has no ID token. Does the relay hand on every field?")
            }
            let idToken = try await client.idToken(token, for: grant)
            return Credential(
                provider: id, idToken: token, rawNonce: secrets.nonce,
                authorizationCode: Credential.AuthorizationCode(code: code, redirectURI: grant.redirectURI),
                userID: idToken.subject, profile: grant.callback["user"].flatMap(AppleProfile.parse))
        }
    }

    /// Stores the profile, which Apple returns only once, before the keys are fetched; also if the task is cancelled or
    /// the device's clock is wrong.
    private func keepProfile(of grant: AuthorizationGrant, for request: AuthRequest) async {
        guard let profile = grant.callback["user"].flatMap(AppleProfile.parse),
            let token = grant.callback["id_token"].map(Secret.init),
            // The token identifies the person, and its nonce the attempt. The profile is used only after the signature
            // was verified.
            let claimed = try? await client.identify(token, for: grant)
        else { return }
        await request.keepProfile(Credential(provider: id, userID: claimed.subject, profile: profile))
    }

    /// Apple's web flow documents no PKCE.
    private func page(for request: AuthRequest, state: Secret, nonce: Secret) -> AuthorizationRequest {
        var page = AuthorizationRequest(
            endpoint: endpoints.authorization, clientID: client.clientID, responseType: "code id_token", state: state)
        page.set("scope", words: scopes.map(\.rawValue) + request.extraScopes)
        // Required with any scope; and with an ID token in the answer Apple does not allow a query.
        page.set("response_mode", "form_post")
        page.set("nonce", nonce.reveal())
        return page
    }

    private func checkAddresses() throws(AuthError) {
        guard !client.clientID.isEmpty else {
            throw AuthError(.misconfigured, "Apple has no Services ID. Create one in the developer account.")
        }
        guard RedirectURI.isConfidential(relayURL), relayURL.fragment() == nil else {
            throw AuthError(
                .misconfigured,
                "Apple's relay must be an https URL without fragment: Apple posts the answer there, to your server.")
        }
        guard let scheme = callback.scheme?.lowercased(), scheme != "http" || RedirectURI.isConfidential(callback)
        else {
            throw AuthError(
                .misconfigured, "The callback of Apple's relay must be a scheme of the app or an https link it claims.")
        }
    }
}
