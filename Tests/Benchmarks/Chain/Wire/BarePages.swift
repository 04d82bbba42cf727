import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// What is opened for each provider, made once.
struct BarePages {
    /// By provider.
    let all: [ProviderID: URL]

    /// - Parameter redirect: Where redirects to this machine go.
    init(at base: URL, redirect: URL, _ secrets: AttemptSecrets) {
        let apps = EmulatorConfiguration()
        var apple = AuthorizationRequest(
            endpoint: URL(literal: "https://appleid.apple.com/auth/authorize").relocated(onto: base),
            clientID: apps.apple.servicesID, responseType: "code id_token", state: secrets.state)
        apple.set("scope", "name email")
        apple.set("response_mode", "form_post")
        apple.set("nonce", AppleNonce.hashed(secrets.nonce))

        var google = AuthorizationRequest(
            endpoint: URL(literal: "https://accounts.google.com/o/oauth2/v2/auth").relocated(onto: base),
            clientID: apps.google.desktop.id, state: secrets.state)
        google.set("scope", "openid email profile")
        google.set("nonce", secrets.nonce.reveal())
        google.challenge(with: secrets.proofKey)

        let kakao = KakaoTalkRequest(
            clientID: apps.kakao.nativeAppKey, redirectURI: apps.kakao.nativeRedirectURI,
            agent: KakaoAgent.current(bundleID: apps.kakao.bundleIDs.first),
            parameters: [
                "code_challenge": secrets.proofKey.challenge, "code_challenge_method": "S256",
                "nonce": secrets.nonce.reveal(),
            ])
        let naver = NaverAppRequest(
            clientID: apps.naver.clientID, urlScheme: apps.naver.urlScheme, appName: apps.appName, authType: nil)
        let relay = URL(literal: "https://apple-relay.example/callback").relocated(onto: base)
        let pages: [ProviderID: URL?] = [
            .apple: apple.url(redirectURI: relay), .google: google.url(redirectURI: redirect),
            .kakao: kakao.universalLink, .naver: naver.url,
        ]
        all = pages.compactMapValues(\.self)
    }
}
