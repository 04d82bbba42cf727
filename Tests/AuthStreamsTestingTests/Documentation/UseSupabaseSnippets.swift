import AuthStreams
import AuthStreamsOAuth
import AuthStreamsSupabase
import AuthStreamsTesting
import Foundation
import Testing

// What the article 'Use Supabase' shows is between the marks, in functions that supply what it leaves out.

private func theService(
    _ projectURL: URL, _ googleClientID: String, _ apple: AuthProviderFactory, platform: AuthPlatform
) -> AuthService {
    // UseSupabase: the service
    let auth = AuthService(
        .supabase(url: projectURL, key: "sb_publishable_…", deletionFunction: "delete-account"),
        providers: [.apple, .google(clientID: googleClientID), .kakao(nativeAppKey: "0123abcd"), .password],
        platform: platform)
    // UseSupabase end
    return auth
}

extension AuthProviderFactory {
    /// Stands for that of AuthStreamsApple.
    fileprivate static var apple: Self { .provider(ScriptedProvider(.apple)) }
}

private func furtherProviders(_ projectURL: URL) -> AuthRepositoryFactory {
    // UseSupabase: further providers
    let server = AuthRepositoryFactory.supabase(
        SupabaseProject(url: projectURL, key: "sb_publishable_…"),
        providers: [.apple: "apple", .google: "google", .kakao: "kakao", "line": "custom:line"])
    // UseSupabase end
    return server
}

private func passwordsAndCodes(_ auth: AuthService, _ email: String, _ password: String) async throws -> [AuthUser] {
    // UseSupabase: passwords and codes
    let newUser = try await auth.signUp(credential: .password(email: email, password)).value.user
    let user = try await auth.signIn(credential: .code(to: "+82 10 1234 5678")).value.user
    // UseSupabase end
    return [newUser, user]
}

private func secondFactor(_ auth: AuthService) async throws -> [Challenge.Factor] {
    // UseSupabase: second factor
    _ = try await auth.enrollSecondFactor(named: "My phone").value  // shows a prompt with the secret
    let factors = try await auth.secondFactors()
    // UseSupabase end
    return factors
}

@Suite struct UseSupabaseSnippets {
    @Test func aSignUpIsTested() async throws {
        try await withEmulator { emulator in
            // UseSupabase: testing
            let auth = AuthService(
                .supabase(emulator.configuration.supabase.client(at: emulator.baseURL)), providers: [.password],
                platform: .isolated(transport: EmulatorTransport(to: emulator)))
            var view = auth.prompts.presenting().makeAsyncIterator()
            let minji = Credential.password(email: "minji@example.com", "correct horse")
            let attempt = Task { try await auth.signUp(credential: minji).value.user }
            while let shown = await view.next() {
                guard let code = shown?.code, let sent = emulator.supabase.messages.last?.code else { continue }
                code.submit(sent.reveal())
                break
            }
            let user = try await attempt.value
            // UseSupabase end
            #expect(user.email == "minji@example.com" && emulator.supabase.userIDs == [user.id])
        }
    }
}
