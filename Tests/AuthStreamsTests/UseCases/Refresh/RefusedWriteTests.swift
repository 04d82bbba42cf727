import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// A store that refuses every write, as if another process wrote each time in between. An app is told, and does not hang.
@Suite struct RefusedWriteTests {
    private final class RefusingStore: SessionStore {
        let base = MemorySessionStore()
        let refuses = Lock(false)

        func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord { try await base.read(key) }
        func write(
            _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
        ) async throws(AuthError) -> RecordVersion? {
            refuses.withLock { $0 } ? nil : try await base.write(data, for: key, replacing: version)
        }
        func waitUntilUnlocked() async {}
        func lock(
            _ name: SessionStoreKey, waitingAtMost limit: Duration
        ) async throws(AuthError) -> SessionStoreLock { try await base.lock(name, waitingAtMost: limit) }
    }

    @Test func callersAreToldThatTheRecordIsBusy() async throws {
        let (store, clock) = (RefusingStore(), ManualClock())
        let time = clock.authClock(startingAt: RefreshScene.noon)
        let manager = SessionManager(store: store, clock: time)
        let server = RotatingServer(clock: time)
        _ = try await AuthSignIn(repository: server, manager: manager)(Credential(provider: .kakao, userID: "ada"))
            .value
        store.refuses.withLock { $0 = true }
        let refreshing = RefreshSession(repository: server, manager: manager)
        let refreshed = await #expect(throws: AuthError.self) { try await refreshing.accessToken(forceRefresh: true) }
        #expect(refreshed?.code == .storage && refreshed?.explanation.contains("refused") == true)
        #expect(server.sent == [] && manager.state.user?.id == "ada")
        let signedOut = await outcome(of: AuthSignOut(repository: server, manager: manager)())?.error
        #expect(signedOut?.code == .storage && signedOut?.explanation.contains("refused") == true)
        // Its first reading is still to come, so what another process writes until then is older.
        store.refuses.withLock { $0 = false }
        let beside = SessionManager(store: store, clock: time)
        _ = try await AuthSignIn(repository: server, manager: beside)(Credential(provider: .kakao, userID: "ada")).value
        try await manager.persistPending()
        #expect(try await store.read(.session).data.flatMap(SessionRecord.session(in:)) == nil)
    }
}
