import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// What the tests of refreshing begin with: a user who is signed in, a store, a clock and a server.
struct RefreshScene {
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    static let lost = AuthError(.timedOut, "Scripted.")
    static let offline = AuthError(.network, "Scripted.", cause: URLError(.notConnectedToInternet))

    let clock: ManualClock
    let store: FaultySessionStore
    let server: RotatingServer
    let manager: SessionManager
    let refreshing: RefreshSession

    /// - Parameters:
    ///   - signedIn: Whether `ada` signs in first.
    ///   - restored: Whether the store is read first.
    ///   - base: The store beneath.
    ///   - scene: A scene whose clock and server this process shares, and whose store unless there is one beneath.
    init(
        rule: RefreshTokenRule = .singleUse, lifetime: TimeInterval = 3600, signedIn: Bool = true,
        restored: Bool = true, over base: (any SessionStore)? = nil, beside scene: RefreshScene? = nil
    ) async throws {
        clock = scene?.clock ?? ManualClock()
        store = base.map { FaultySessionStore($0) } ?? scene?.store ?? FaultySessionStore()
        let time = clock.authClock(startingAt: Self.noon)
        server = scene?.server ?? RotatingServer(clock: time, lifetime: lifetime, rule: rule)
        manager = SessionManager(store: store, clock: time)
        refreshing = RefreshSession(repository: server, manager: manager)
        if restored { try await manager.restore() }
        if signedIn, scene == nil { try await signIn("ada") }
    }

    func signIn(_ user: String) async throws {
        _ = try await AuthSignIn(repository: server, manager: manager)(Credential(provider: .kakao, userID: user)).value
    }

    func signOut() async throws { try await AuthSignOut(repository: server, manager: manager)().value }

    /// The record in the store.
    func record() async throws -> SessionRecord? {
        try await store.read(.session).data.flatMap { try? SessionRecord(reading: $0) }
    }

    func storedSession() async throws -> AuthSession? {
        try await record()?.session?.session
    }

    /// The code of what asking for a token throws, whose request is refused while the store has begun to fail.
    func refusalThatCannotBeStored() async -> AuthError.Code? {
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        server.next(.held(by: gate, reached: reached))
        async let refusal = refusal()
        _ = await reached.value()
        for call in [FaultySessionStore.Call.write, .remove] { store.fail(call) }
        gate.resolve(())
        return await refusal
    }

    /// The code of what asking for a token throws; `nil` when it is given one.
    func refusal(forced: Bool = true) async -> AuthError.Code? {
        do throws(AuthError) {
            _ = try await refreshing.accessToken(forceRefresh: forced)
            return nil
        } catch {
            return error.code
        }
    }
}
