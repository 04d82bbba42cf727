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
