import AuthStreams
import Foundation

extension AppleWebProvider {
    /// Page, relay, ID token. There is no token request, because the server with the client secret redeems the code.
    func attempt(_ request: AuthRequest, secrets: AuthorizationSecrets) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        let steps = ProgressReporter(of: id, reportingTo: request)
        let hashedNonce = Secret(AppleNonce.hashed(secrets.nonce))
        do { try checkAddresses() } catch { throw error.located(provider: id) }
        let (callback, redirectURI) = try await steps.run(.presenting) {
            try await userAgent.callback(
                of: authorization(for: request, state: secrets.state, nonce: hashedNonce),
                comingBackBy: .redirect(self.callback), redirectURI: relayURL,
                expecting: ExpectedCallback(state: secrets.state, dialect: AppleErrors.dialect),
                presentation: request.presentation)
        }
        await keepProfile(of: callback, nonce: hashedNonce, for: request)
        return try await steps.run(.exchanging) {
            let code = try callback.code()
            guard let token = callback["id_token"].map(Secret.init) else {
                throw AuthError(.invalidResponse, "The callback has no ID token. Does the relay hand on every field?")
            }
            let idToken = try await validator.validate(
                token, in: IDTokenContext(channel: .browser, nonce: hashedNonce, code: code))
            return Credential(
                provider: id, idToken: token, rawNonce: secrets.nonce,
                authorizationCode: Credential.AuthorizationCode(code: code, redirectURI: redirectURI),
                userID: idToken.subject, profile: callback["user"].flatMap(AppleProfile.parse))
        }
    }

    /// Stores the profile, which Apple returns only once, before the keys are fetched; also if the task is cancelled or
    /// the device's clock is wrong.
    private func keepProfile(of callback: AuthorizationCallback, nonce: Secret, for request: AuthRequest) async {
        guard let profile = callback["user"].flatMap(AppleProfile.parse),
            let token = callback["id_token"].map(Secret.init),
            // The token identifies the person, and its nonce the attempt. The profile is used only after the signature
            // was verified.
            let claimed = try? validator.rules.identify(token, in: IDTokenContext(channel: .browser, nonce: nonce))
        else { return }
        await request.keepProfile(Credential(provider: id, userID: claimed.subject, profile: profile))
    }

    private func authorization(for request: AuthRequest, state: Secret, nonce: Secret) -> AuthorizationRequest {
        var authorization = AuthorizationRequest(
            endpoint: endpoints.authorization, clientID: servicesID, responseType: "code id_token", state: state)
        authorization.set("scope", joinedScopes(scopes.map(\.rawValue) + request.extraScopes))
        // Required with any scope; and with an ID token in the answer Apple does not allow a query.
        authorization.set("response_mode", "form_post")
        authorization.set("nonce", nonce.reveal())
        return authorization
    }

    private func checkAddresses() throws(AuthError) {
        guard !servicesID.isEmpty else {
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
