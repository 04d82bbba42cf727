import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

// What the README shows, between markers, in functions that supply what it leaves out.

// The README lines its comments up.
// swift-format-ignore
@MainActor
private func threeLines(
    _ auth: AuthService, show: (AuthState) -> Void, handle: (Result<SignInResult, AuthError>) -> Void
) async throws {
    // README: three lines
    for await state in auth.states { show(state) }                    // every screen may have its own loop
    for await result in auth.signIn(with: .kakao) { handle(result) }  // Result<SignInResult, AuthError>, exactly one
    let user = try await auth.signIn(with: .kakao).value.user         // the same, as throws(AuthError)
    // README end
    _ = user
}

private func aResult(_ auth: AuthService, welcome: (AuthUser) -> Void) async throws {
    // README: a result
    let signIn = try await auth.signIn(with: .kakao).value
    if signIn.isNewUser { welcome(signIn.user) }
    // README end
}

private struct Screen {
    func show(_ user: AuthUser) {}
    func show(_ error: AuthError) {}
}

private func aCatch(_ auth: AuthService) {
    let screen = Screen()
    @Sendable func show(_ user: AuthUser) { screen.show(user) }
    @Sendable func show(_ error: AuthError) { screen.show(error) }
    // README: a catch
    Task {
        do throws(AuthError) { show(try await auth.signIn(with: .kakao).value.user) } catch { show(error) }
    }
    // README end
}

private func byHand(
    _ kakao: KakaoProvider, _ auth: AuthService, handle: (Result<SignInResult, AuthError>) -> Void
) async {
    // README: by hand
    for await result in kakao.authenticate().flatMap(auth.signIn(credential:)) { handle(result) }
    // README end
}

@MainActor
private func button(_ auth: AuthService, show: (Result<SignInResult, AuthError>) -> Void) async {
    // README: button
    let (taps, button) = AsyncStream<ProviderID>.makeStream()
    button.yield(.naver)  // in the button's action
    for await result in taps.flatMapFirst({ auth.signIn(with: $0) }) { show(result) }
    // README end
}

// The README lines its comments up.
// swift-format-ignore
private func people(_ auth: AuthService, show: (AuthUser?) -> Void, addButton: (ProviderID) -> Void) async {
    // README: people
    for id in auth.providers { addButton(id) }             // as configured, in order
    for await user in auth.states.users { show(user) }     // nil: signed out; nothing comes before storage was read
    // README end
}

// The README lines its comments up.
// swift-format-ignore
private func methodKinds(_ auth: AuthService, nameFromServer: String) async throws {
    // README: method kinds
    let byPage = auth.signIn(with: .kakao, using: .web)                       // not by KakaoTalk
    let byName = auth.signIn(with: try SignInMethod(serverValue: nameFromServer))  // "APPLE_WEB", "KAKAO_TALK", …
    let asked = auth.signIn(with: .google, AuthRequest(prompts: [.selectAccount], loginHint: "ada@example.com"))
    // README end
    _ = (byPage, byName, asked)
}

// The README lines its comments up.
// swift-format-ignore
private func texts(_ error: AuthError, show: (String) -> Void) {
    // README: texts
    var texts = AuthErrorTexts.preferred()               // by the person's languages
    texts[.network] = "You seem to be offline."          // yours instead
    if let text = texts.text(for: error) { show(text) }  // nil for the person's own cancel
    // README end
}

// The README lines its comments up.
// swift-format-ignore
private func tokens(_ auth: AuthService, loadFeed: (_ bearer: Secret) async throws -> String) async throws {
    // README: tokens
    let token = try await auth.accessToken()                                    // valid now
    let feed = try await auth.withAccessToken { try await loadFeed($0) }  // again, once, if it throws AccessTokenRefused
    // README end
    _ = (token, feed)
}

private func authorised(_ auth: AuthService, _ url: URL) async throws -> HTTPResponse {
    // README: authorised
    let answer = try await auth.data(for: HTTPRequest(.get, url))  // with `api: APIAccess(to: [url])` at the service
    // README end
    return answer
}

// The README lines its comments up.
// swift-format-ignore
private func accounts(
    _ auth: AuthService, welcome: (Result<SignInResult, AuthError>) -> Void,
    handle: (Result<AuthUser, AuthError>) -> Void, show: (Result<Void, AuthError>) -> Void
) async throws {
    // README: accounts
    for await result in auth.signInAnonymously() { welcome(result) }       // try it first …
    for await result in auth.link(with: .apple) { handle(result) }         // … then keep the same user
    for await result in auth.unlink(.kakao) { handle(result) }             // never the last identity
    for await result in auth.reload() { handle(result) }                   // the user as the server has them now
    for await result in auth.updateProfile(displayName: .set("Mia")) { handle(result) }
    for await result in auth.reauthenticate() { handle(result) }           // where the server requires a recent sign-in
    try await auth.signOut(everywhere: true)                               // on all devices, where the server can
    for await result in auth.deleteAccount() { show(result) }              // at the provider, at the server, and here
    // README end
}

private func server(_ base: URL, _ transport: any HTTPTransport) -> ServerRepository {
    // README: your server
    let repository = ServerRepository(at: base, transport: transport)  // POST base/auth/sign-in, …
    // README end
    return repository
}

private func withoutServer(
    _ issuer: URL, _ callback: URL, _ browser: any UserAgent, _ transport: any HTTPTransport,
    _ store: any SessionStore, _ callbacks: CallbackRouter
) -> AuthService {
    // README: no server
    let keycloak = OpenIDProvider.keycloak(
        realm: "app", at: issuer, clientID: "my-app", redirect: .redirect(callback),
        redeemer: .repository, userAgent: browser, transport: transport)
    let auth = AuthService(
        repository: OpenIDRepository(for: keycloak), providers: [keycloak], store: store, callbacks: callbacks)
    // README end
    return auth
}

private func restricted(appCheck: @escaping @Sendable () async throws -> String) -> FirebaseProject {
    // README: a restricted project
    let project = FirebaseProject(
        id: "my-app", apiKey: "AIza…", bundleID: "com.example.app",
        appCheckToken: { Secret(try await appCheck()) })
    // README end
    return project
}

private func broadcast(show: @escaping @Sendable (Int) -> Void) {
    // README: a broadcast
    let score = Broadcast(0)
    let reading = Task { for await points in score { show(points) } }
    score.send(1)
    // README end
    reading.cancel()
}

private func callbacks(_ auth: AuthService, url: URL, openElsewhere: (URL) -> Void) {
    // README: callbacks
    if !auth.handle(url) { openElsewhere(url) }
    // README end
}

// README: without a network
@Test func aPersonWhoTurnsBackStaysSignedOut() async {
    let auth = AuthService(
        repository: ScriptedRepository(),
        providers: [ScriptedProvider.failing(.kakao, with: .cancelled)],
        store: MemorySessionStore(), callbacks: CallbackRouter())

    let result = await auth.signIn(with: .kakao).result

    #expect(throws: AuthError.self) { try result.get() }
    #expect(auth.state.user == nil)
}
// README end

// README: with the emulator
@MainActor
@Test func kakaoTalkSignsIn() async throws {
    try await withEmulator { emulator in
        let device = EmulatedDevice(at: emulator.baseURL)

        let user = try await device.auth.signIn(with: .kakao).value.user

        #expect(user.id == "kakao:1001")
        #expect(device.apps.visits == [.kakaoTalk: 1])
    }
}
// README end
