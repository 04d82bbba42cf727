import AuthStreams
import AuthStreamsTesting

/// Somebody who is signed in, and what hands out their access token.
struct BenchSession: Sendable {
    let repository: BenchRepository
    /// The use case alone: nothing works by itself beside it.
    let refreshing: RefreshSession

    /// - Throws: When the sign-in did not work.
    init(_ repository: BenchRepository, store: any SessionStore = MemorySessionStore()) async throws {
        let manager = SessionManager(store: store)
        let signIn = SignIn(repository: repository, manager: manager)
        _ = try await signIn(Credential(provider: .kakao, userID: "1")).value
        self.repository = repository
        refreshing = RefreshSession(repository: repository, manager: manager)
    }

    /// The same as an app has it.
    static func service() async throws -> AuthService {
        let auth = AuthService(
            repository: BenchRepository(), providers: [ScriptedProvider(.kakao)], store: MemorySessionStore(),
            callbacks: CallbackRouter())
        _ = try await auth.signIn(with: .kakao).value
        return auth
    }
}
