import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

// What the article about your own server shows, between markers, in functions that supply what it leaves out.

private func aRepository(
    _ api: URL, _ providers: [any AuthProvider], _ callbacks: CallbackRouter,
    attestation: @escaping @Sendable () async throws -> String
) -> AuthService {
    // YourServer: a repository
    let repository = ServerRepository(
        at: api,  // such as https://api.example.com/v1
        headers: { ["X-App-Attestation": try await attestation()] },
        transport: URLSessionTransport())
    let auth = AuthService(
        repository: repository, providers: providers, store: FileSessionStore.standard(application: "com.example.app"),
        callbacks: callbacks)
    // YourServer end
    return auth
}

private func anotherContract(_ api: URL, _ transport: any HTTPTransport) -> ServerRepository {
    // YourServer: another contract
    var contract = ServerContract()
    contract.signIn.path = "v2/login/social"
    contract.signOut = nil  // this server need not be told
    contract.signInAnonymously = nil  // and has no such users
    contract.unlink = .init(.post, "v2/social/{provider}/unlink")
    contract.credential.idToken = "id_token"
    contract.credential.accessToken = nil  // never sent
    contract.session.accessToken = "access_token"
    contract.user.displayName = "nickname"
    contract.problems["account-locked"] = .userDisabled
    contract.refreshStatuses[401] = .sessionExpired  // its problems have no types, and it stands alone
    let repository = ServerRepository(at: api, contract: contract, accepting: [.kakao, .naver], transport: transport)
    // YourServer end
    return repository
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
