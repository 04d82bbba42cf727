import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// Sign-ins without the library: the same HTTP calls in the same order, with the least code that makes them succeed.
///
/// State, nonce and proof key are always the same ones, so the URLs that are opened are made beforehand; nothing that
/// comes back is checked, no step is told, and no session is kept.
struct BareSignIn: Sendable {
    private let calls: BareCalls
    private let firebase: BareFirebase
    let person: BarePerson
    private let secrets = AttemptSecrets()
    private let pages: [ProviderID: URL]

    /// - Parameter reusesConnections: Whether one session makes all requests, or each `POST` has its own.
    /// - Throws: When no port can be opened.
    init(at base: URL, reusesConnections: Bool = true) async throws {
        let network = PlainSession()
        calls = BareCalls(session: reusesConnections ? network : nil, base: base)
        firebase = BareFirebase(calls: calls)
        person = try await BarePerson(at: base, network)
        pages = BarePages(at: base, redirect: person.redirect, secrets).all
    }

    /// Signs in once.
    func signIn(with provider: ProviderID) async throws {
        guard let page = pages[provider] else { throw BareCalls.Missing(name: provider.rawValue) }
        let answer = try await person.answer(to: page)
        let nonce = secrets.nonce.reveal()
        switch provider {
        case .apple:
            try await firebase.signIn(idToken: answer.text("id_token"), nonce: nonce, from: provider.rawValue)
        case .google:
            let tokens = try await calls.post(
                calls.place("https://oauth2.googleapis.com/token"), form: googleForm(code: answer.text("code")))
            try await firebase.signIn(idToken: tokens.text("id_token"), nonce: nonce, from: provider.rawValue)
        case .kakao:
            let tokens = try await calls.post(
                calls.place("https://kauth.kakao.com/oauth/token"), form: kakaoForm(code: answer.text("code")))
            try await firebase.signIn(
                byFunction: [
                    "provider": "kakao", "idToken": tokens.text("id_token"), "nonce": nonce,
                    "accessToken": tokens.text("access_token"),
                ])
        default:
            try await firebase.signIn(byFunction: ["provider": "naver", "code": answer.text("authCode")])
        }
    }

    /// Lets go of the port. Call it when the last sign-in has ended.
    func end() { person.leave() }

    private func googleForm(code: String) -> [(name: String, value: String)] {
        let client = EmulatorConfiguration().google.desktop
        return [
            ("grant_type", "authorization_code"), ("client_id", client.id), ("client_secret", client.secret ?? ""),
            ("code", code), ("code_verifier", secrets.proofKey.verifier.reveal()),
            ("redirect_uri", person.redirect.absoluteString),
        ]
    }

    private func kakaoForm(code: String) -> [(name: String, value: String)] {
        let app = EmulatorConfiguration().kakao
        return [
            ("grant_type", "authorization_code"), ("client_id", app.nativeAppKey), ("code", code),
            ("code_verifier", secrets.proofKey.verifier.reveal()), ("redirect_uri", app.nativeRedirectURI),
        ]
    }
}
