import AuthStreams

extension SocialLogin {
    /// Whose Kakao credential it is, once it is certain that it was made for this app.
    func kakaoUserID(for call: CallableRequest, in context: EmulatorContext) async throws(CallableError) -> String {
        if let idToken = try call.string("idToken") {
            return try kakaoUserID(idToken: idToken, rawNonce: call.string("nonce"), in: context)
        }
        guard let accessToken = try call.string("accessToken") else {
            throw CallableError(.invalidArgument, "Kakao needs 'idToken' or 'accessToken'.")
        }
        return try await kakaoUserID(accessToken: accessToken, in: context)
    }

    private func kakaoUserID(
        idToken: String, rawNonce: String?, in context: EmulatorContext
    ) throws(CallableError) -> String {
        let kakao = context.configuration.kakao
        let rules = IDTokenRules(
            issuer: "https://kauth.kakao.com", audiences: [kakao.nativeAppKey, kakao.restAPIKey])
        do {
            return try rules.claims(of: idToken, rawNonce: rawNonce, in: context)["sub"]?.string ?? ""
        } catch {
            switch error {
            case .nonce(let detail), .token(let detail): throw CallableError(.unauthenticated, detail)
            }
        }
    }

    /// An access token of another app is good at Kakao, so the app it was made for is asked first.
    private func kakaoUserID(
        accessToken: String, in context: EmulatorContext
    ) async throws(CallableError) -> String {
        let info = try await kakaoAnswer(at: "/v1/user/access_token_info", accessToken: accessToken, in: context)
        guard info["app_id"]?.lenientInteger == context.configuration.kakao.appID else {
            throw CallableError(.unauthenticated, "The access token was made for another app.")
        }
        let user = try await kakaoAnswer(at: "/v2/user/me", accessToken: accessToken, in: context)
        guard let id = user["id"]?.lenientInteger, info["id"]?.lenientInteger == id else {
            throw CallableError(.unavailable, "Kakao's answer has no user.")
        }
        return "\(id)"
    }

    private func kakaoAnswer(
        at path: String, accessToken: String, in context: EmulatorContext
    ) async throws(CallableError) -> JSONValue {
        let request = EmulatorRequest(
            "GET", host: "kapi.kakao.com", path: path, headers: [("Authorization", "Bearer \(accessToken)")])
        let (status, json) = try await answer(to: request, in: context)
        // Kakao tells its own troubles with a 400 and one of these.
        if let code = json["code"]?.lenientInteger, [-1, -7, -603, -9798].contains(code) {
            throw CallableError(.unavailable, "Kakao is in trouble.")
        }
        guard status == 200 else { throw CallableError(.unauthenticated, "Kakao refused the access token.") }
        return json
    }
}
