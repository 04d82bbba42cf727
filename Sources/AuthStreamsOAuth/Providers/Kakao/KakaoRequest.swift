import AuthStreams
import Foundation

/// The kinds and the parameters of one sign-in with Kakao, in KakaoTalk and on the account page.
struct KakaoRequest: Sendable {
    /// The request of the app.
    let request: AuthRequest
    /// Where KakaoTalk and the page answer.
    let redirectURI: URL
    private let configuration: KakaoProvider.Configuration
    /// The scopes of the page, with `openid` if the app uses it: Kakao omits the ID token if a request names scopes
    /// without it. Empty if only the console's scopes are requested.
    private let scopes: [String]
    /// The parameters that both have.
    private let shared: [(name: String, value: String)]

    /// - Throws: `misconfigured` if the configuration's key makes no redirect URI.
    init(_ request: AuthRequest, _ configuration: KakaoProvider.Configuration) throws(AuthError) {
        guard let redirectURI = configuration.redirectURI else { throw Self.wrongKey }
        self.redirectURI = redirectURI
        self.request = request
        self.configuration = configuration
        let scopes = configuration.scopes + request.extraScopes
        self.scopes = scopes.isEmpty || !configuration.usesOpenIDConnect ? scopes : ["openid"] + scopes
        shared = [
            ("prompt", Self.prompts(of: request)),
            ("service_terms", configuration.serviceTerms.joined(separator: ",")),
            ("channel_public_id", configuration.channelIDs.joined(separator: ",")),
        ].filter { !$0.1.isEmpty }
    }

    /// The kinds to try, in order.
    ///
    /// - Throws: `misconfigured` if the prompt `none` is not alone or the request authenticates a person again; `misconfigured` or
    ///   `unsupportedProvider` if the request names KakaoTalk, which cannot do what it asks.
    var kinds: [SignInMethod.Kind] {
        get throws(AuthError) {
            let isSilent = try request.isSilent
            // Without OpenID Connect KakaoTalk's answer repeats no value of the attempt.
            let isProof = configuration.usesOpenIDConnect || request.purpose == .signIn
            if request.methodKind == .app {
                try request.requireQuestions(of: .kakao)
                guard scopes.isEmpty else { throw Self.scopesNeedThePage }
                guard isProof else { throw Self.talkProvesNothing }
                return [.app]
            }
            let isForTalk = request.methodKind == nil && scopes.isEmpty && isProof && !isSilent
            return isForTalk ? [.app, .web] : [.web]
        }
    }

    /// Returns the ways to open KakaoTalk, best first.
    ///
    /// - Parameter agent: Identifies this client to Kakao; see ``KakaoAgent``.
    func launches(by agent: String, _ secrets: AuthorizationSecrets) -> [OtherAppWait.Launch] {
        let talk = KakaoTalkRequest(
            clientID: configuration.nativeAppKey, redirectURI: redirectURI.absoluteString, agent: agent,
            parameters: talkParameters(secrets))
        var launches = [talk.universalLink.map { OtherAppWait.Launch($0, universalLinksOnly: true) }]
        if configuration.allowsCustomScheme, request.purpose == .signIn {
            launches.append(talk.customSchemeFallback.map { OtherAppWait.Launch($0) })
        }
        return launches.compactMap(\.self)
    }

    /// Returns the grant of KakaoTalk's answer.
    ///
    /// With an ID token it is bound if the universal link opened KakaoTalk: a link of Kakao's domain opens in Kakao's app
    /// alone, by Apple's documentation, so no other app receives the nonce. Not verified on a device. Without an ID token
    /// nothing in the answer repeats a value of the attempt.
    func grant(
        of callback: AuthorizationCallback, openedBy launch: OtherAppWait.Launch, _ secrets: AuthorizationSecrets
    ) -> AuthorizationGrant {
        let expectsIDToken = configuration.usesOpenIDConnect
        var grant = AuthorizationGrant(
            callback: callback, redirectURI: redirectURI, verifier: secrets.proofKey.verifier,
            nonce: expectsIDToken ? secrets.nonce(for: request) : nil,
            isBound: expectsIDToken && launch.universalLinksOnly)
        grant.rawNonce = expectsIDToken ? secrets.nonce : nil
        grant.onWarning = request.onWarning
        return grant
    }

    /// Returns the request of the account page.
    func page(_ secrets: AuthorizationSecrets) -> AuthorizationRequest {
        var page = AuthorizationRequest(
            endpoint: configuration.endpoints.authorize, clientID: configuration.nativeAppKey, state: secrets.state)
        if configuration.usesOpenIDConnect { page.set("nonce", secrets.nonce(for: request).reveal()) }
        page.challenge(with: secrets.proofKey)
        for parameter in shared { page.set(parameter.name, parameter.value) }
        page.set("login_hint", request.loginHint)
        page.set("scope", words: scopes)
        return page
    }

    /// The `params` of KakaoTalk.
    private func talkParameters(_ secrets: AuthorizationSecrets) -> [String: String] {
        var parameters = ["code_challenge": secrets.proofKey.challenge, "code_challenge_method": "S256"]
        for parameter in shared { parameters[parameter.name] = parameter.value }
        if configuration.usesOpenIDConnect { parameters["nonce"] = secrets.nonce(for: request).reveal() }
        return parameters
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

extension KakaoRequest {
    private static var wrongKey: AuthError {
        AuthError(
            .misconfigured,
            "The native app key is empty, or has characters that no key has. Copy it from App > App keys.",
            provider: .kakao)
    }

    private static var scopesNeedThePage: AuthError {
        AuthError(
            .misconfigured,
            "KakaoTalk asks for the console's consents and no others. Ask for scopes by method kind 'web', or leave them out.",
            provider: .kakao, step: .waitingForOtherApp)
    }

    private static var talkProvesNothing: AuthError {
        AuthError(
            .misconfigured,
            """
            Without OpenID Connect KakaoTalk's answer carries nothing of the attempt, so another app can answer in its place. \
            It is not used to link an identity or to re-authenticate. Turn OpenID Connect on in the console, or ask by `.web`.
            """, provider: .kakao, step: .waitingForOtherApp)
    }
}
