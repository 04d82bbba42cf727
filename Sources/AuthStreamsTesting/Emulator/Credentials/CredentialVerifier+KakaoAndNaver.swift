import AuthStreams

extension CredentialVerifier {
    /// Returns the identity of a Kakao credential, with Kakao's user data.
    ///
    /// The person is looked up even if an ID token has identified them, because Kakao unlinks users for whom no user
    /// API call has succeeded within a day of their first log-in.
    func kakaoIdentity(of credential: PresentedCredential) async throws(CredentialRefusal) -> VerifiedIdentity {
        let userID = try await kakaoUserID(of: credential)
        let user: AuthJSON
        if let accessToken = credential.accessToken {
            user = try await kakaoAnswer(at: "/v2/user/me", accessToken: accessToken)
        } else {
            user = try await kakaoAnswer(
                to: EmulatorRequest(
                    "POST", host: KakaoAPI.host, path: "/v2/user/me",
                    form: [("target_id_type", "user_id"), ("target_id", userID)],
                    headers: [("Authorization", "KakaoAK \(context.configuration.kakao.adminKey)")]))
        }
        guard let id = user["id"]?.lenientInteger else { throw .unavailable("Kakao's answer has no user.") }
        guard "\(id)" == userID else { throw .refused("The access token is another person's than the ID token.") }
        let account = user["kakao_account"]
        let flags = ["is_email_valid", "is_email_verified"].map { account?[$0]?.lenientBool ?? false }
        return VerifiedIdentity(
            provider: .kakao, userID: userID, email: account?["email"]?.string, isEmailVerified: !flags.contains(false),
            displayName: account?["profile"]?["nickname"]?.string,
            photoURL: account?["profile"]?["profile_image_url"]?.string)
    }

    /// Returns the user of a Kakao credential: by the ID token, otherwise by the access token.
    func kakaoUserID(of credential: PresentedCredential) async throws(CredentialRefusal) -> String {
        if credential.idToken != nil {
            return try identity(of: credential, from: .kakao, by: .kakao(in: context.configuration)).userID
        }
        guard let accessToken = credential.accessToken else {
            throw .malformed("Kakao needs 'idToken' or 'accessToken'.")
        }
        // An access token of another app is valid at Kakao, so the token's app is checked first.
        let info = try await kakaoAnswer(at: "/v1/user/access_token_info", accessToken: accessToken)
        guard info["app_id"]?.lenientInteger == context.configuration.kakao.appID else {
            throw .refused("The access token was made for another app.")
        }
        guard let id = info["id"]?.lenientInteger else { throw .unavailable("Kakao's answer has no user.") }
        return "\(id)"
    }

    private func kakaoAnswer(at path: String, accessToken: String) async throws(CredentialRefusal) -> AuthJSON {
        try await kakaoAnswer(
            to: EmulatorRequest(
                "GET", host: KakaoAPI.host, path: path, headers: [("Authorization", "Bearer \(accessToken)")]))
    }

    private func kakaoAnswer(to request: EmulatorRequest) async throws(CredentialRefusal) -> AuthJSON {
        let (status, json) = try await answer(to: request)
        // Kakao reports its own failures with a 400 and one of these codes.
        if let code = json["code"]?.lenientInteger, [-1, -7, -603, -9798].contains(code) {
            throw .unavailable("Kakao is in trouble.")
        }
        guard status == 200 else { throw .refused("Kakao refused the look-up.") }
        return json
    }
}

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
