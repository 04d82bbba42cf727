import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

// What the article about your own server shows, between markers, in functions that supply what it leaves out.

private func aRepository(
    _ api: URL, _ providers: [AuthProviderFactory], _ platform: AuthPlatform,
    attestation: @escaping @Sendable () async throws -> String
) -> AuthService {
    // YourServer: a repository
    let auth = AuthService(
        .server(
            api,  // such as https://api.example.com/v1
            headers: { ["X-App-Attestation": try await attestation()] }),
        providers: providers, platform: platform)
    // YourServer end
    return auth
}

@Suite struct YourServerSnippets {
    @Test func theArticlesTestPasses() async throws {
        // YourServer: a test
        try await withEmulator { emulator in
            let device = await EmulatedDevice(at: emulator.baseURL, backend: .server)
            let user = try await device.auth.signIn(with: .kakao).value.user
            #expect(emulator.server.sessionCount(of: user.id) == 1)
            try await device.auth.signOut()
            #expect(emulator.server.sessionCount(of: user.id) == 0)
        }
        // YourServer end
    }
}
