import AuthStreams

extension CredentialVerifier {
    /// Returns the identity of a code by redeeming it with the secret, which works only for a code of this app.
    func naverIdentity(of credential: PresentedCredential) async throws(CredentialRefusal) -> VerifiedIdentity {
        try await naverIdentity(accessToken: naverAccessToken(of: credential))
    }

    /// Redeems a code for an access token.
    func naverAccessToken(of credential: PresentedCredential) async throws(CredentialRefusal) -> String {
        guard let code = credential.code else {
            throw .malformed("Naver needs 'code' and 'state'; an access token does not say which app it is for.")
        }
        return try await redeem(code, state: credential.state, redirectURI: credential.redirectURI)
    }

    /// Returns the identity of an access token. Only for a token from a code of this app.
    func naverIdentity(accessToken: String) async throws(CredentialRefusal) -> VerifiedIdentity {
        let request = EmulatorRequest(
            "GET", host: "openapi.naver.com", path: "/v1/nid/me", headers: [("Authorization", "Bearer \(accessToken)")])
        let (_, profile) = try await answer(to: request)
        guard profile["resultcode"]?.string == "00", let user = profile["response"], let id = user["id"]?.string else {
            throw .refused("Naver refused its own access token.")
        }
        return VerifiedIdentity(
            provider: .naver, userID: id, email: user["email"]?.string,
            displayName: (user["nickname"] ?? user["name"])?.string,
            photoURL: user["profile_image"]?.string)
    }

    private func redeem(
        _ code: String, state: String?, redirectURI: String?
    ) async throws(CredentialRefusal) -> String {
        let naver = context.configuration.naver
        var form = [
            (name: "grant_type", value: "authorization_code"), (name: "client_id", value: naver.clientID),
            (name: "client_secret", value: naver.clientSecret), (name: "code", value: code),
        ]
        // The app-to-app flow has neither.
        if let state { form.append(("state", state)) }
        if let redirectURI { form.append(("redirect_uri", redirectURI)) }
        let request = EmulatorRequest("POST", host: "nid.naver.com", path: "/oauth2.0/token", form: form)
        let (_, json) = try await answer(to: request)
        // Naver marks an error by its member, not by the status.
        guard json["error"] == nil, let accessToken = json["access_token"]?.string else {
            let isNaversFault = json["error"]?.string == "server_error"
            throw isNaversFault ? .unavailable("Naver failed.") : .refused("Naver refused the code.")
        }
        return accessToken
    }
}
