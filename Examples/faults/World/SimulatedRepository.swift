import AuthStreams
import Foundation

/// The library's repository for an app's own server, over the simulated network.
struct SimulatedRepository: AuthRepository {
    let refreshTokenRule: RefreshTokenRule
    private let server: ServerRepository

    init(rule: RefreshTokenRule, line: NetworkLine, clock: AuthClock) {
        refreshTokenRule = rule
        server = ServerRepository(at: Self.base, transport: line, clock: clock)
    }

    private static let base = URL(literal: "https://server.test/api")

    func accepts(_ provider: ProviderID) -> Bool { server.accepts(provider) }
    func signIn(with credential: Credential) async throws(AuthError) -> Session {
        try await server.signIn(with: credential)
    }
    func refresh(_ session: Session) async throws(AuthError) -> Session { try await server.refresh(session) }
    func signOut(_ session: Session) async throws(AuthError) { try await server.signOut(session) }
    func deleteAccount(_ session: Session) async throws(AuthError) { try await server.deleteAccount(session) }
}
