import AuthStreams
import AuthStreamsTesting
import Testing

@Suite struct ScriptedProviderTests {
    @Test func meansAreTheOnesGivenElseTheOneWithoutAName() {
        #expect(ScriptedProvider(.kakao).means == [.standard])
        #expect(ScriptedProvider(.kakao, means: [.web, .app], userID: "1").means == [.web, .app])
        #expect(ScriptedProvider.failing(.kakao, with: .network).means == [.standard])
    }

    @Test func scriptSeesTheMeansAndRunsForNoOthers() async throws {
        let provider = ScriptedProvider(.kakao, means: [.app, .web]) { request in
            Credential(provider: .kakao, userID: request.means?.rawValue ?? "choice")
        }
        for (means, user) in [(.app, "app"), (.web, "web"), (nil, "choice")] as [(SignInMeans?, String)] {
            #expect(try await provider.authenticate(AuthRequest(means: means)).value.userID == user)
        }
        let error = await #expect(throws: AuthError.self) {
            try await provider.authenticate(AuthRequest(means: .sheet)).value
        }
        #expect(error?.code == .unsupportedProvider)
    }
}
