import AuthStreams
import AuthStreamsTesting
import Testing

@Suite struct ScriptedProviderTests {
    @Test func methodKindsAreTheOnesGivenElseTheOneWithoutAName() {
        #expect(ScriptedProvider(.kakao).methodKinds == [.standard])
        #expect(ScriptedProvider(.kakao, methodKinds: [.web, .app], userID: "1").methodKinds == [.web, .app])
        #expect(ScriptedProvider.failing(.kakao, with: .network).methodKinds == [.standard])
    }

    @Test func scriptSeesTheKindAndRunsForNoOthers() async throws {
        let provider = ScriptedProvider(.kakao, methodKinds: [.app, .web]) { request in
            Credential(provider: .kakao, userID: request.methodKind?.rawValue ?? "choice")
        }
        for (kind, user) in [(.app, "app"), (.web, "web"), (nil, "choice")] as [(SignInMethod.Kind?, String)] {
            #expect(try await provider.authenticate(AuthRequest(methodKind: kind)).value.userID == user)
        }
        let error = await #expect(throws: AuthError.self) {
            try await provider.authenticate(AuthRequest(methodKind: .sheet)).value
        }
        #expect(error?.code == .unsupportedProvider)
    }
}
