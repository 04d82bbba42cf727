import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

// What the article 'Sign people in' shows is between the marks, in functions that supply what it leaves out.

// The article lines its comments up.
// swift-format-ignore
@MainActor
private func twoLines(_ auth: AuthService, show: (AuthState) -> Void) async throws {
    // SigningIn: two lines
    for await state in auth.states { show(state) }             // every screen may have its own loop
    let user = try await auth.signIn(with: .kakao).value.user  // throws(AuthError)
    // SigningIn end
    _ = user
}

private func aResult(_ auth: AuthService, welcome: (AuthUser) -> Void) async throws {
    // SigningIn: a result
    let signIn = try await auth.signIn(with: .kakao).value
    if signIn.isNewUser { welcome(signIn.user) }
    // SigningIn end
}

// The article lines its comments up.
// swift-format-ignore
private func aName(_ auth: AuthService, greet: (String) -> Void, askForAnAddress: () -> Void) async throws {
    // SigningIn: a name
    let signIn = try await auth.signIn(with: .apple).value
    if let name = signIn.name { greet(name.givenName ?? name.displayName) }  // 민지; the display name is 김민지
    if signIn.isPrivateEmail == true { askForAnAddress() }                   // mail goes through Apple's relay
    // SigningIn end
}

private struct Screen {
    func show(_ user: AuthUser) {}
    func show(_ error: AuthError) {}
}

private func aCatch(_ auth: AuthService) {
    let screen = Screen()
    @Sendable func show(_ user: AuthUser) { screen.show(user) }
    @Sendable func show(_ error: AuthError) { screen.show(error) }
    // SigningIn: a catch
    Task {
        do throws(AuthError) { show(try await auth.signIn(with: .kakao).value.user) } catch { show(error) }
    }
    // SigningIn end
}

private func byHand(
    _ kakao: KakaoProvider, _ auth: AuthService, handle: (Result<SignInResult, AuthError>) -> Void
) async {
    // SigningIn: by hand
    for await result in kakao.authenticate().flatMap(auth.signIn(credential:)) { handle(result) }
    // SigningIn end
}

@MainActor
private func button(_ auth: AuthService, show: (Result<SignInResult, AuthError>) -> Void) async {
    // SigningIn: button
    let (taps, button) = AsyncStream<ProviderID>.makeStream()
    button.yield(.naver)  // in the button's action
    for await result in taps.flatMapFirst({ auth.signIn(with: $0) }) { show(result) }
    // SigningIn end
}

// The article lines its comments up.
// swift-format-ignore
private func people(_ auth: AuthService, show: (AuthUser?) -> Void, addButton: (ProviderID) -> Void) async {
    // SigningIn: people
    for id in auth.providers { addButton(id) }             // as configured, in order
    for await user in auth.states.users { show(user) }     // nil: signed out; nothing comes before storage was read
    // SigningIn end
}

// The article lines its comments up.
// swift-format-ignore
private func methodKinds(_ auth: AuthService, nameFromServer: String) async throws {
    // SigningIn: method kinds
    let byPage = auth.signIn(with: .kakao, using: .web)                       // not by KakaoTalk
    let byName = auth.signIn(with: try SignInMethod(serverValue: nameFromServer))  // "APPLE_WEB", "KAKAO_TALK", …
    let asked = auth.signIn(with: .google, AuthRequest(prompts: [.selectAccount], loginHint: "ada@example.com"))
    // SigningIn end
    _ = (byPage, byName, asked)
}

// The article lines its comments up.
// swift-format-ignore
private func texts(_ error: AuthError, show: (String) -> Void) {
    // SigningIn: texts
    var texts = AuthErrorTexts.preferred()               // by the person's languages
    texts[.network] = "You seem to be offline."          // yours instead
    if let text = texts.text(for: error) { show(text) }  // nil for the person's own cancel
    // SigningIn end
}

private func callbacks(_ auth: AuthService, url: URL, openElsewhere: (URL) -> Void) {
    // SigningIn: callbacks
    if !auth.handle(url) { openElsewhere(url) }
    // SigningIn end
}

// The article lines its comments up.
// swift-format-ignore
private func lastSignIn(_ auth: AuthService, highlight: (ProviderID?) -> Void) async {
    // SigningIn: last sign-in
    if let last = auth.lastSignIn { highlight(last.provider) }        // nil until it was read
    for await last in auth.lastSignIns { highlight(last?.provider) }  // now, and after each change
    // SigningIn end
}

// SigningIn: another language
extension AuthErrorTexts {
    static let german = AuthErrorTexts(
        [
            .network: "Der Server ist nicht erreichbar.",
            .appUnavailable: .init("Die App dafür fehlt.", named: "Die App von {provider} fehlt."),
        ],
        operations: [
            .signIn: .init("Die Anmeldung ging nicht.", named: "Die Anmeldung mit {provider} ging nicht."),
            .profile: "Das Profil wurde nicht gespeichert.",
        ],
        otherwise: "Das hat nicht geklappt.",
        suggestions: [.checkConnection: "Bitte die Verbindung prüfen.", .tryAgain: "Bitte noch einmal versuchen."],
        providerNames: [.apple: "Apple", .google: "Google", .kakao: "Kakao", .naver: "Naver"])
}
// SigningIn end

private func german(_ error: AuthError, show: (String) -> Void) {
    // SigningIn: its use
    let text = AuthErrorTexts.german.text(for: error)  // of an `AuthMessage`: message.error
    let advice = AuthErrorTexts.german.suggestion(for: error)
    show([text, advice].compactMap(\.self).joined(separator: " "))
    // SigningIn end
}

/// The article's sentences are the texts of errors.
@Test func germanTextsAreShown() {
    var error = AuthError(.network, "No answer.", provider: .kakao)
    error.operation = .signIn
    var shown: [String] = []
    german(error) { shown.append($0) }
    error.operation = .profile
    german(error) { shown.append($0) }
    #expect(
        shown == [
            "Die Anmeldung mit Kakao ging nicht. Der Server ist nicht erreichbar. Bitte die Verbindung prüfen.",
            "Das Profil wurde nicht gespeichert. Der Server ist nicht erreichbar. Bitte die Verbindung prüfen.",
        ])
}
