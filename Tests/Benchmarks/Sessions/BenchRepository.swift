import AuthStreams
import Foundation

/// A server that makes and refreshes sessions at once, unless it is told to wait.
final class BenchRepository: AuthRepository {
    /// Seconds that the first token is good.
    private let firstLife: Double
    private let beforeAnswering: @Sendable () async -> Void
    private let clock: AuthClock
    private let count = Guarded(0)

    init(
        firstLife: Double = 3600, clock: AuthClock = .system,
        beforeAnswering: @escaping @Sendable () async -> Void = {}
    ) {
        self.firstLife = firstLife
        self.clock = clock
        self.beforeAnswering = beforeAnswering
    }

    /// How many were asked for.
    var refreshes: Int { count.withLock { $0 } }

    func accepts(_ provider: ProviderID) -> Bool { true }

    func signIn(with credential: Credential) async throws(AuthError) -> Session {
        Session(
            accessToken: Secret(Self.token(0)), refreshToken: Secret(Self.token(-1)),
            expiresAt: clock.date.addingTimeInterval(firstLife),
            user: AuthUser(id: "u1", email: "kim@example.com", displayName: "Kim"), provider: credential.provider)
    }

    /// Both tokens are new each time.
    func refresh(_ session: Session) async throws(AuthError) -> Session {
        let number = count.withLock { count in
            count += 1
            return count
        }
        await beforeAnswering()
        var session = session
        session.accessToken = Secret(Self.token(number))
        session.refreshToken = Secret(Self.token(-number))
        session.expiresAt = clock.date.addingTimeInterval(3600)
        return session
    }

    func signOut(_ session: Session) async throws(AuthError) {}
    func deleteAccount(_ session: Session) async throws(AuthError) {}

    /// As long as a JSON Web Token with a few claims.
    private static func token(_ number: Int) -> String { String(repeating: "t", count: 900) + String(number) }
}
