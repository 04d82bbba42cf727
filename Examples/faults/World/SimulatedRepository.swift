import AuthStreams
import Foundation

/// The library's repository for an app's own server, over the simulated network.
struct SimulatedRepository: AuthRepository {
    let refreshTokenRule: RefreshTokenRule
    private let server: ServerRepository

    init(_ plan: Plan, line: NetworkLine, clock: AuthClock) {
        refreshTokenRule = plan.rule
        var contract = ServerContract()
        contract.revocableProviders = plan.revokesAccess ? [.kakao] : []
        server = ServerRepository(at: Self.base, contract: contract, transport: line, clock: clock)
    }

    private static let base = URL(literal: "https://server.test/api")

    func accepts(_ provider: ProviderID) -> Bool { server.accepts(provider) }
    func signIn(with credential: Credential) async throws(AuthError) -> Session {
        try await server.signIn(with: credential)
    }
    func refresh(_ session: Session) async throws(AuthError) -> Session { try await server.refresh(session) }
    func signOut(_ session: Session) async throws(AuthError) { try await server.signOut(session) }
    func deleteAccount(_ session: Session) async throws(AuthError) { try await server.deleteAccount(session) }
    func signInAnonymously() async throws(AuthError) -> Session { try await server.signInAnonymously() }
    func adopt(_ left: AdoptableSession) async throws(AuthError) -> Session { try await server.adopt(left) }
    func signOutEverywhere(_ session: Session) async throws(AuthError) { try await server.signOutEverywhere(session) }
    func link(_ credential: Credential, to session: Session) async throws(AuthError) -> Session {
        try await server.link(credential, to: session)
    }
    func unlink(_ provider: ProviderID, from session: Session) async throws(AuthError) -> Session {
        try await server.unlink(provider, from: session)
    }
    func reauthenticate(_ session: Session, with credential: Credential) async throws(AuthError) -> Session {
        try await server.reauthenticate(session, with: credential)
    }
    func revokesAccess(at provider: ProviderID) -> Bool { server.revokesAccess(at: provider) }
    func revokeAccess(with credential: Credential, of session: Session) async throws(AuthError) {
        try await server.revokeAccess(with: credential, of: session)
    }
}
