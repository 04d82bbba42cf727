import AuthStreams

extension SocialLogin {
    /// Whose code it is, by redeeming it with the secret: only a code of this app can be.
    func naverUserID(for call: CallableRequest, in context: EmulatorContext) async throws(CallableError) -> String {
        guard let code = try call.string("code") else {
            throw CallableError(
                .invalidArgument, "Naver needs 'code' and 'state'; an access token does not say which app it is for.")
        }
        let accessToken = try await redeem(
            code, state: call.string("state"), redirectURI: call.string("redirectURI"), in: context)
        let request = EmulatorRequest(
            "GET", host: "openapi.naver.com", path: "/v1/nid/me", headers: [("Authorization", "Bearer \(accessToken)")])
        let (_, profile) = try await answer(to: request, in: context)
        guard profile["resultcode"]?.string == "00", let id = profile["response"]?["id"]?.string else {
            throw CallableError(.unauthenticated, "Naver refused its own access token.")
        }
        return id
    }

    private func redeem(
        _ code: String, state: String?, redirectURI: String?, in context: EmulatorContext
    ) async throws(CallableError) -> String {
        let naver = context.configuration.naver
        var form = [
            (name: "grant_type", value: "authorization_code"), (name: "client_id", value: naver.clientID),
            (name: "client_secret", value: naver.clientSecret), (name: "code", value: code),
        ]
        // The app-to-app flow has neither.
        if let state { form.append(("state", state)) }
        if let redirectURI { form.append(("redirect_uri", redirectURI)) }
        let request = EmulatorRequest("POST", host: "nid.naver.com", path: "/oauth2.0/token", form: form)
        let (_, json) = try await answer(to: request, in: context)
        // Naver tells an error by its member, not by the status.
        guard json["error"] == nil, let accessToken = json["access_token"]?.string else {
            let isNaversFault = json["error"]?.string == "server_error"
            throw CallableError(isNaversFault ? .unavailable : .unauthenticated, "Naver refused the code.")
        }
        return accessToken
    }
}
