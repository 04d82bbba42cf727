import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

// What the articles about your own server and the emulated one show, between markers, in functions that supply what they
// leave out.

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

private func offering() -> ServerContract {
    // YourServer: offering
    let contract = ServerContract(offering: [.passwords, .codes, .emailLinks, .secondFactors, .passkeys])
    // YourServer end
    return contract
}

@Suite struct YourServerSnippets {
    @Test func theArticlesCodeSignsIn() async throws {
        // TheEmulatedServer: a code
        try await withEmulator { emulator in
            let auth = await EmulatedDevice(at: emulator.baseURL, backend: .server).auth
            async let user = auth.signIn(credential: .code(to: "minji@example.com")).value.user
            for await prompt in auth.prompts.presenting() {
                guard let code = prompt?.code else { continue }
                #expect(code.destination == "m•••@example.com")
                code.submit(emulator.messages.last?.code?.reveal() ?? "")
                break
            }
            let email = try await user.email
            #expect(email == "minji@example.com")
        }
        // TheEmulatedServer end
    }

    /// Each endpoint of the article's table is the emulated server's.
    @Test func theArticlesOfferIsTheDocumentedOne() {
        let all = offering()
        #expect(all.passwordSignIn?.path == "auth/password" && all.removeSecondFactor?.path == "auth/factors/{factor}")
        #expect(
            [all.passkeySignInOptions, all.passkeySignIn, all.passkeyRegistrationOptions, all.passkeyRegistration]
                .map { $0?.path }
                == ["sign-in/options", "sign-in/verify", "registration/options", "registration/verify"]
                .map { "auth/passkeys/\($0)" })
        #expect(ServerContract(offering: []) == ServerContract())
    }

    @Test func theArticlesTestPasses() async throws {
        // TheEmulatedServer: a test
        try await withEmulator { emulator in
            let device = await EmulatedDevice(at: emulator.baseURL, backend: .server)
            let user = try await device.auth.signIn(with: .kakao).value.user
            #expect(emulator.server.sessionCount(of: user.id) == 1)
            try await device.auth.signOut()
            #expect(emulator.server.sessionCount(of: user.id) == 0)
        }
        // TheEmulatedServer end
    }
}
