import AuthStreamsTesting
import Foundation

@testable import AuthStreams

/// What tests of an account have at hand: a service whose users have identities, and what was asked of its repository.
protocol AccountSuite {}

extension AccountSuite {
    /// A service with a user of Kakao signed in.
    func signedIn(
        _ account: ScriptedAccount = ScriptedAccount(), providers: [any AuthProvider] = standardProviders,
        accepting routes: Set<ProviderID>? = nil, store: any SessionStore = MemorySessionStore(),
        clock: AuthClock = .system, expiresAt: Date? = nil
    ) async throws -> (auth: AuthService, repository: ScriptedRepository) {
        let (auth, repository) = service(
            account, providers: providers, accepting: routes, store: store, clock: clock, expiresAt: expiresAt)
        _ = try await auth.signIn(credential: Credential(provider: .kakao, userID: "1001", isBound: true)).value
        return (auth, repository)
    }

    func service(
        _ account: ScriptedAccount = ScriptedAccount(), providers: [any AuthProvider] = standardProviders,
        accepting routes: Set<ProviderID>? = nil, store: any SessionStore = MemorySessionStore(),
        clock: AuthClock = .system, expiresAt: Date? = nil
    ) -> (auth: AuthService, repository: ScriptedRepository) {
        let repository = ScriptedRepository(
            accepting: routes,
            establish: { credential in
                var session = ScriptedRepository.session(of: credential)
                session.expiresAt = expiresAt
                session.user.providers = [
                    AuthUser.LinkedProvider(
                        id: credential.provider, userID: credential.userID, email: "ada@\(credential.provider)")
                ]
                return session
            }, account: account)
        let auth = AuthService(
            repository: repository, providers: providers, store: store, callbacks: CallbackRouter(), clock: clock)
        return (auth, repository)
    }

    static var standardProviders: [any AuthProvider] { [ScriptedProvider(.kakao), ScriptedProvider(.naver)] }

    /// What was asked of the repository after the sign-in.
    func later(_ repository: ScriptedRepository) -> [ScriptedRepository.Call] { Array(repository.calls.dropFirst()) }

    func scripted(_ code: AuthError.Code) -> AuthError { AuthError(code, "Scripted.") }
}

/// A provider that must not be asked.
func unaskedProvider(_ id: ProviderID) -> ScriptedProvider {
    ScriptedProvider(id) { _ in throw AuthError(.unexpected, "The person was asked.") }
}

/// An attempt that stands still until its gate opens, and says when it stands.
struct StandingProvider: AuthProvider {
    let id: ProviderID
    let reached = Promise<Void>()
    let gate = Promise<Void>()

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream {
            reached.resolve(())
            guard await gate.value() != nil else { throw CancellationError() }
            return Credential(provider: id, idToken: Secret("token"), userID: "1001", isBound: true)
        }
    }
}

/// A point at which something stands still, whether or not its task is cancelled meanwhile.
struct Standstill: Sendable {
    let reached = Promise<Void>()
    let gate = Promise<Void>()

    func pass() async {
        reached.resolve(())
        await Task { [gate] in _ = await gate.value() }.value
    }
}

/// A store of one process alone, whose lock is always free: it does not stop a cancelled caller.
struct LocklessStore: SessionStore {
    private let base = MemorySessionStore()

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord { try await base.read(key) }
    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        try await base.write(data, for: key, replacing: version)
    }
    func waitUntilUnlocked() async {}
}

/// The events up to the end of a service that is released.
func kinds(_ events: AuthEvents, through last: AuthEvent.Kind) async -> [AuthEvent] {
    var seen: [AuthEvent] = []
    var reader = events.makeAsyncIterator()
    while seen.last?.kind != last, let event = await reader.next() { seen.append(event) }
    return seen
}
