import AuthStreams

/// A link to an authorization request, as an app would make it, whose answer ``AppServer`` shows.
struct TryLink {
    let name: String
    let provider: String
    let url: String

    /// One for each provider.
    static func all(for configuration: EmulatorConfiguration, base: String) -> [TryLink] {
        [
            TryLink(
                "Apple", "apple", "appleid.apple.com/auth/authorize", client: configuration.apple.servicesID,
                base: base, [("scope", "name email"), ("response_mode", "form_post"), ("nonce", "try")]),
            TryLink(
                "Google", "google", "accounts.google.com/o/oauth2/v2/auth", client: configuration.google.web.id,
                base: base, [("scope", "openid email profile"), ("nonce", "try")]),
            TryLink(
                "Kakao", "kakao", "kauth.kakao.com/oauth/authorize", client: configuration.kakao.restAPIKey,
                base: base, [("nonce", "try")]),
            TryLink(
                "Naver", "naver", "nid.naver.com/oauth2.0/authorize", client: configuration.naver.clientID, base: base,
                []),
        ]
    }

    private init(
        _ name: String, _ provider: String, _ endpoint: String, client: String, base: String,
        _ more: [(name: String, value: String)]
    ) {
        self.name = name
        self.provider = provider
        let parameters = [
            (name: "response_type", value: "code"), (name: "client_id", value: client),
            (name: "redirect_uri", value: "\(base)/\(AppServer.host)/\(provider)"), (name: "state", value: "try"),
        ]
        url = "\(base)/\(endpoint)?\(FormCoding.encode(parameters + more))"
    }
}
