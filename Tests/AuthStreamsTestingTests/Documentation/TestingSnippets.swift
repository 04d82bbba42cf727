import AuthStreams
import AuthStreamsTesting
import Testing

// What the article 'Test an app' shows is between the marks, in functions that supply what it leaves out.

// Testing: without a network
@Test func aPersonWhoTurnsBackStaysSignedOut() async {
    let auth = AuthService(
        repository: ScriptedRepository(),
        providers: [ScriptedProvider.failing(.kakao, with: .cancelled)],
        store: MemorySessionStore(), callbacks: CallbackRouter())

    let result = await auth.signIn(with: .kakao).result

    #expect(throws: AuthError.self) { try result.get() }
    #expect(auth.state.user == nil)
}
// Testing end

// Testing: with the emulator
@MainActor
@Test func kakaoTalkSignsIn() async throws {
    try await withEmulator { emulator in
        let device = EmulatedDevice(at: emulator.baseURL)

        let user = try await device.auth.signIn(with: .kakao).value.user

        #expect(user.id == "kakao:1001")
        #expect(device.apps.visits == [.kakaoTalk: 1])
    }
}
// Testing end

// Testing: a refresh that fails
@Test func aServerThatFailsSignsNoOneOut() async throws {
    var account = ScriptedAccount()
    account.refresh = { _ in throw AuthError(.server, "It answers 503.") }
    let repository = ScriptedRepository(account: account)
    let auth = AuthService(
        .repository(repository), providers: [.provider(ScriptedProvider(.kakao))], platform: .isolated())
    _ = try await auth.signIn(with: .kakao).value

    let error = await #expect(throws: AuthError.self) { try await auth.accessToken(forceRefresh: true) }

    #expect(error?.code == .server)
    #expect(auth.user?.id == "kakao:1001")
    #expect(repository.calls.prefix(2) == [.signIn(.kakao), .refresh("kakao:1001")])
}
// Testing end

// Testing: a second request
@Test func theSecondSignInIsRefused() async throws {
    /// Accepts one sign-in.
    actor Server {
        private var isUsed = false
        func session(of credential: Credential) throws -> AuthSession {
            guard !isUsed else { throw AuthError(.userDisabled, "The account was disabled.") }
            isUsed = true
            return ScriptedRepository.session(of: credential)
        }
    }
    let server = Server()
    let auth = AuthService(
        .repository(ScriptedRepository(establish: { try await server.session(of: $0) })),
        providers: [.provider(ScriptedProvider(.kakao))], platform: .isolated())
    _ = try await auth.signIn(with: .kakao).value
    try await auth.signOut()

    let error = await #expect(throws: AuthError.self) { try await auth.signIn(with: .kakao).value }

    #expect(error?.code == .userDisabled)
}
// Testing end
