import AuthStreams

extension CredentialVerifier {
    /// Whose Kakao credential it is: by the ID token, else by the access token.
    func kakaoIdentity(of credential: PresentedCredential) async throws(CredentialRefusal) -> VerifiedIdentity {
        if credential.idToken != nil {
            return try identity(of: credential, from: .kakao, by: .kakao(in: context.configuration))
        }
        guard let accessToken = credential.accessToken else {
            throw .malformed("Kakao needs 'idToken' or 'accessToken'.")
        }
        return try await kakaoIdentity(accessToken: accessToken)
    }

    /// An access token of another app is good at Kakao, so the app it was made for is asked first.
    private func kakaoIdentity(accessToken: String) async throws(CredentialRefusal) -> VerifiedIdentity {
        let info = try await kakaoAnswer(at: "/v1/user/access_token_info", accessToken: accessToken)
        guard info["app_id"]?.lenientInteger == context.configuration.kakao.appID else {
            throw .refused("The access token was made for another app.")
        }
        let user = try await kakaoAnswer(at: "/v2/user/me", accessToken: accessToken)
        guard let id = user["id"]?.lenientInteger, info["id"]?.lenientInteger == id else {
            throw .unavailable("Kakao's answer has no user.")
        }
        let account = user["kakao_account"]
        return VerifiedIdentity(
            provider: .kakao, userID: "\(id)", email: account?["email"]?.string,
            isEmailVerified: account?["is_email_verified"]?.lenientBool ?? false,
            displayName: account?["profile"]?["nickname"]?.string,
            photoURL: account?["profile"]?["profile_image_url"]?.string)
    }

    private func kakaoAnswer(at path: String, accessToken: String) async throws(CredentialRefusal) -> JSONValue {
        let request = EmulatorRequest(
            "GET", host: "kapi.kakao.com", path: path, headers: [("Authorization", "Bearer \(accessToken)")])
        let (status, json) = try await answer(to: request)
        // Kakao tells its own troubles with a 400 and one of these.
        if let code = json["code"]?.lenientInteger, [-1, -7, -603, -9798].contains(code) {
            throw .unavailable("Kakao is in trouble.")
        }
        guard status == 200 else { throw .refused("Kakao refused the access token.") }
        return json
    }
}
