import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// Gets codes and tokens of the emulated providers as a person with a browser does.
extension EmulatedBackend {
    /// Opens an authorization page, lets the person answer it, and returns the callback that the app was given.
    @MainActor
    func callback(
        of authorizeURL: String, _ parameters: [(name: String, value: String)],
        _ answer: ScriptedBrowser.Answer = .approve
    ) async throws -> [String: String] {
        let received = Promise<URL>()
        let browser = ScriptedBrowser(answer, transport: transport) { received.resolve($0) }
        let url = emulator.url(for: "\(authorizeURL)?\(FormCoding.encode(parameters))")
        await browser.open(url, universalLinksOnly: false)?.waitForReturn()
        let callback = try #require(received.current, "The visit ended with \(browser.visits).")
        let items = FormCoding.decode(callback.query(percentEncoded: true) ?? "") ?? []
        return Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// A Kakao access token for the app of that key.
    func kakaoAccessToken(ofKey key: String, as userID: String = "1001") async throws -> String {
        let redirectURI = "kakao\(key)://oauth"
        let callback = try await callback(
            of: "https://kauth.kakao.com/oauth/authorize",
            [("client_id", key), ("redirect_uri", redirectURI), ("response_type", "code"), ("state", "s")],
            .approve(as: userID))
        let form = FormCoding.encode([
            ("grant_type", "authorization_code"), ("client_id", key), ("redirect_uri", redirectURI),
            ("code", callback["code"] ?? ""),
        ])
        let answer = try await post(
            "https://kauth.kakao.com/oauth/token", Data(form.utf8), type: FormCoding.contentType)
        return try #require(answer["access_token"]?.string)
    }

    /// A Naver code with the state it belongs to.
    func naverCode(state: String = "s") async throws -> String {
        let naver = emulator.configuration.naver
        let callback = try await callback(
            of: "https://nid.naver.com/oauth2.0/authorize",
            [
                ("client_id", naver.clientID), ("redirect_uri", "\(naver.urlScheme)://authorize"),
                ("response_type", "code"), ("state", state),
            ])
        return try #require(callback["code"])
    }
}
