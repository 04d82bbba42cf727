import AuthStreams
import Testing

@testable import bench

/// What is measured in memory is the whole sign-in, and nothing outside of the process.
@Suite struct MemorySignInTests {
    @Test(arguments: [ProviderID.apple, .google, .kakao, .naver])
    func aRecordedSignInOutlivesItsServers(provider: ProviderID) async throws {
        // The emulator is gone when this returns.
        let signIn = try await MemorySignIn.recorded(with: provider)
        for _ in 0..<3 { await #expect(throws: Never.self) { try await signIn() } }
    }
}
