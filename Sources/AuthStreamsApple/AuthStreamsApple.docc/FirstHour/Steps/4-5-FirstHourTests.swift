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

    @Test func statesFollowAPersonInAndOut() async throws {
        try await withEmulator { emulator in
            let auth = Phone(at: emulator.baseURL).auth
            let signIn = Task { try await auth.signIn(with: .kakao).value }

            for await state in auth.states where state.user != nil { break }
            #expect(try await signIn.value.user == auth.user)

            try await auth.signOut()
            for await state in auth.states where state.isSignedOut { break }
            #expect(auth.lastSignIn?.provider == .kakao)
        }
    }
}
