import AuthStreamsTesting
import Testing

@testable import AuthStreams

/// What the use case hands to the provider: everything that it was given.
@Suite struct SignInRequestTests {
    @MainActor private final class Window {}

    @MainActor
    @Test(arguments: [AuthRequest.Purpose.signIn, .link, .reauthenticate])
    func requestReachesTheProviderAsItWasGiven(purpose: AuthRequest.Purpose) async throws {
        let window = Window()
        let given = AuthRequest(
            purpose: purpose, methodKind: .web, presentation: .in(window),
            prompts: [.consent, .login], loginHint: "a@example.com", extraScopes: ["friends"])
        let seen = Promise<AuthRequest>()
        let provider = ScriptedProvider(.kakao, methodKinds: [.app, .web]) { request in
            seen.resolve(request)
            return Credential(provider: .kakao, userID: "1001")
        }
        let manager = SessionManager(store: MemorySessionStore())
        _ = try await manager.restore()
        _ = try await AuthSignIn(repository: ScriptedRepository(), manager: manager)(with: provider, given).value

        let request = try #require(await seen.value())
        #expect(request.purpose == purpose && request.methodKind == .web)
        #expect(request.prompts == [.consent, .login] && request.loginHint == "a@example.com")
        #expect(request.extraScopes == ["friends"])
        guard case .window(let reference) = request.presentation else {
            Issue.record("The request has no window.")
            return
        }
        #expect(reference.window === window)
    }

    @Test func aKindThatTheProviderHasNotEndsTheAttemptBeforeItBegins() async throws {
        let manager = SessionManager(store: MemorySessionStore())
        _ = try await manager.restore()
        // It does not look at the kind itself.
        struct Careless: AuthProvider {
            let id = ProviderID.kakao
            let methodKinds: [SignInMethod.Kind] = [.app]
            func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
                Issue.record("The provider was asked.")
                return AuthStream { Credential(provider: .kakao) }
            }
        }
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let error = await signIn(with: Careless(), AuthRequest(methodKind: .web)).result.error
        #expect(error?.code == .unsupportedProvider)
        #expect(error?.explanation == "kakao cannot ask by method kind 'web'. It has: app.")
        #expect(manager.state == .signedOut(nil))
    }
}
