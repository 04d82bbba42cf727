import AuthStreams
import AuthStreamsTesting
import Testing

@MainActor
struct FirstHourTests {
    @Test(arguments: [ProviderID.kakao, .google])
    func personSignsIn(with provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let phone = Phone(at: emulator.baseURL)

            let user = try await phone.auth.signIn(with: provider).value.user

            #expect(user.displayName == "김민지")
        }
    }
}
