import AuthStreams
import Foundation

/// A server that makes and refreshes sessions at once, unless it is told to wait.
struct BenchRepository: AuthRepository {
    /// For how many seconds the first token is valid.
    var firstLife = 3600.0
    /// Runs before each answer to a refresh.
    var beforeAnswering: @Sendable () async -> Void = {}
    private let count = Guarded(0)

    /// How many refreshes were requested.
    var refreshes: Int { count.withLock { $0 } }

    func accepts(_ provider: ProviderID) -> Bool { true }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        AuthSession(
            accessToken: Secret(Self.token(0)), refreshToken: Secret(Self.token(-1)),
            expiresAt: Date(timeIntervalSinceNow: firstLife),
            user: AuthUser(id: "u1", email: "kim@example.com", displayName: "Kim"), provider: credential.provider)
    }

    /// Returns two new tokens each time.
    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        let number = count.withLock { count in
            count += 1
            return count
        }
        await beforeAnswering()
        var session = session
        session.accessToken = Secret(Self.token(number))
        session.refreshToken = Secret(Self.token(-number))
        session.expiresAt = Date(timeIntervalSinceNow: 3600)
        return session
    }

    func signOut(_ session: AuthSession) async throws(AuthError) {}
    func deleteAccount(_ session: AuthSession) async throws(AuthError) {}

    /// As long as a JSON Web Token with a few claims.
    static func token(_ number: Int) -> String { String(repeating: "t", count: 900) + String(number) }

    /// Signs a user in. The result hands out their access token and has no background tasks.
    func signedIn(keptIn store: any SessionStore = MemorySessionStore()) async throws -> RefreshSession {
        let manager = SessionManager(store: store)
        let signIn = AuthSignIn(repository: self, manager: manager)
        _ = try await signIn(Credential(provider: .kakao, userID: "1")).value
        return RefreshSession(repository: self, manager: manager)
    }
}
