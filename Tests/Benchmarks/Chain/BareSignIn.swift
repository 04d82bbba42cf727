import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import LoopbackHTTP

/// The ways to sign in that are compared, against one emulator.
struct ChainContenders: Sendable {
    /// The library's whole chain, as an app has it.
    let device: EmulatedDevice
    /// The same calls over one session.
    let bare: BareSignIn
    /// The same calls, each `POST` over a connection of its own.
    let fresh: BareSignIn

    /// - Throws: When no port can be opened.
    init(at base: URL) async throws {
        device = await EmulatedDevice(at: base)
        bare = try await BareSignIn(at: base)
        fresh = try await BareSignIn(at: base, reusesConnections: false)
    }

    func ours(_ provider: ProviderID) async throws { _ = try await device.auth.signIn(with: provider).value }

    /// Releases the ports. Call it when the last sign-in has ended.
    func end() {
        bare.person.listener.stop()
        fresh.person.listener.stop()
    }
}

/// Sign-ins without the library: the same HTTP calls in the same order, with the least code that makes them succeed.
///
/// State, nonce and proof key are always the same, so the opened URLs are made beforehand. Nothing that comes back is
/// checked, no step is reported, and no session is kept.
struct BareSignIn: Sendable {
    let person: BarePerson
    private let calls: BareCalls
    private let apps = EmulatorConfiguration()
    private let secrets: AuthorizationSecrets
    private let pages: [ProviderID: URL]

    /// - Parameter reusesConnections: Whether one session makes all requests, or each `POST` has its own.
    /// - Throws: When no port can be opened.
    init(at base: URL, reusesConnections: Bool = true) async throws {
        calls = BareCalls(base: base, shared: reusesConnections ? BareCalls.session() : nil)
        secrets = AuthorizationSecrets()
        person = try await BarePerson(at: base)
        pages = Self.pages(at: base, redirect: person.redirect, secrets)
    }

    /// Signs in once.
    func signIn(with provider: ProviderID) async throws {
        guard let page = pages[provider] else { throw Mistake(description: "There is no page of \(provider).") }
        let answer = try await person.answer(to: page)
        let nonce = secrets.nonce.reveal()
        switch provider {
        case .apple: try await signIn(idToken: answer.text("id_token"), from: provider)
        case .google:
            let client = apps.google.desktop
            let tokens = try await calls.post(
                calls.place("https://oauth2.googleapis.com/token"),
                form: codeFields(answer.text("code"), client.id, redirect: person.redirect.absoluteString)
                    + [("client_secret", client.secret ?? "")])
            try await signIn(idToken: tokens.text("id_token"), from: provider)
        case .kakao:
            let tokens = try await calls.post(
                calls.place("https://kauth.kakao.com/oauth/token"),
                form: codeFields(
                    answer.text("code"), apps.kakao.nativeAppKey, redirect: apps.kakao.nativeRedirectURI))
            try await signIn(byFunction: [
                "provider": "kakao", "idToken": tokens.text("id_token"), "nonce": nonce,
                "accessToken": tokens.text("access_token"),
            ])
        default: try await signIn(byFunction: ["provider": "naver", "code": answer.text("authCode")])
        }
    }

    private func codeFields(_ code: String, _ client: String, redirect: String) -> [(name: String, value: String)] {
        [
            ("grant_type", "authorization_code"), ("client_id", client), ("code", code),
            ("code_verifier", secrets.proofKey.verifier.reveal()), ("redirect_uri", redirect),
        ]
    }

    /// From an ID token to a user of Firebase.
    private func signIn(idToken: String, from provider: ProviderID) async throws {
        // Firebase compares the SHA-256 of the nonce, which Google's token does not hold.
        let nonce = provider == .google ? [] : [(name: "nonce", value: secrets.nonce.reveal())]
        let assertion = FormCoding.encode([("id_token", idToken), ("providerId", provider.rawValue)] + nonce)
        let answer = try await calls.post(
            account("signInWithIdp"),
            json: ["requestUri": "http://localhost", "postBody": assertion, "returnSecureToken": true])
        try await lookUp(answer.text("idToken"))
    }

    /// From a proof that the callable function checks to a user of Firebase.
    private func signIn(byFunction proof: [String: String]) async throws {
        let function = calls.place("https://\(apps.firebase.functionsHost)/\(apps.firebase.function)")
        let result = try await calls.post(function, json: ["data": proof])["result"] as? BareCalls.Answer ?? [:]
        let answer = try await calls.post(
            account("signInWithCustomToken"), json: ["token": result.text("customToken"), "returnSecureToken": true])
        try await lookUp(answer.text("idToken"))
    }

    private func lookUp(_ idToken: String) async throws {
        let users = try await calls.post(account("lookup"), json: ["idToken": idToken])["users"] as? [BareCalls.Answer]
        _ = try (users?.first ?? [:]).text("localId")
    }

    private func account(_ method: String) -> URL {
        calls.place("https://identitytoolkit.googleapis.com/v1/accounts:\(method)?key=\(apps.firebase.apiKey)")
    }
}

extension BareSignIn {
    /// What is opened for each provider.
    ///
    /// - Parameter redirect: Where redirects to this machine go.
    private static func pages(at base: URL, redirect: URL, _ secrets: AuthorizationSecrets) -> [ProviderID: URL] {
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
        return pages.compactMapValues(\.self)
    }
}
