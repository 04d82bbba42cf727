import AuthStreams

/// The requested consents, as parameters of KakaoTalk and of the account page.
struct KakaoConsent: Sendable {
    /// The scopes of the page, with `openid` if the app uses it: Kakao omits the ID token if a request names scopes
    /// without it. Empty if only the console's scopes are requested.
    let scopes: [String]
    private let configuration: KakaoProvider.Configuration
    private let loginHint: String?
    private let shared: [(name: String, value: String)]

    init(_ configuration: KakaoProvider.Configuration, _ request: AuthRequest) {
        self.configuration = configuration
        loginHint = request.loginHint
        let scopes = configuration.scopes + request.extraScopes
        self.scopes = scopes.isEmpty || !configuration.usesOpenIDConnect ? scopes : ["openid"] + scopes
        shared = [
            ("prompt", Self.prompts(of: request)),
            ("service_terms", configuration.serviceTerms.joined(separator: ",")),
            ("channel_public_id", configuration.channelIDs.joined(separator: ",")),
        ].filter { !$0.1.isEmpty }
    }

    /// The `params` of KakaoTalk.
    func talkParameters(_ secrets: AuthorizationSecrets) -> [String: String] {
        var parameters = [
            "code_challenge": secrets.proofKey.challenge, "code_challenge_method": "S256",
        ]
        for parameter in shared { parameters[parameter.name] = parameter.value }
        if configuration.usesOpenIDConnect { parameters["nonce"] = secrets.nonce.reveal() }
        return parameters
    }

    /// The request of the account page.
    func pageRequest(_ secrets: AuthorizationSecrets) -> AuthorizationRequest {
        var page = AuthorizationRequest(
            endpoint: configuration.endpoints.authorize, clientID: configuration.nativeAppKey, state: secrets.state)
        if configuration.usesOpenIDConnect { page.set("nonce", secrets.nonce.reveal()) }
        page.challenge(with: secrets.proofKey)
        for parameter in shared { page.set(parameter.name, parameter.value) }
        page.set("login_hint", loginHint)
        page.set("scope", words: scopes)
        return page
    }

    private static func prompts(of request: AuthRequest) -> String {
        let prompts = (request.purpose == .reauthenticate ? [.login] : []) + request.prompts
        var words: [String] = []
        for prompt in prompts where prompt != .consent && !words.contains(prompt.rawValue) {
            words.append(prompt.rawValue)
        }
        return words.joined(separator: ",")
    }
}
