import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// An answer that was read, while the store holds the token that was sent: no other process may send it, and no session is
/// lost.
@Suite struct ConsumedTokenTests {
    private static let adoptable = AdoptableSession(refreshToken: Secret("old"), user: AuthUser(id: "ada"))
    private let base = MemorySessionStore()

    private func manager(over store: any SessionStore) async throws -> SessionManager {
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        return manager
    }

    @Test func anAdoptedSessionThatCouldNotBeStoredKeepsTheLock() async throws {
        let store = FaultySessionStore(base)
        let manager = try await manager(over: store)
        await manager.beginAdoption(of: Self.adoptable)
        let refresh = try #require(manager.refreshBegan())
        let request = try #require(manager.read { $0.request(for: refresh) })
        try await manager.withRefreshLock(.singleUse) { _ throws(AuthError) in
            store.fail(.write)
            _ = try? await manager.commit(.sample(user: "ada"), to: request)
        }
        #expect(manager.read { $0.storage.retainsLock })
        store.heal()
        try? await manager.persistPending()
        #expect(!manager.read { $0.storage.retainsLock })
    }

    /// Another process, of a newer version of the app, writes the session in its form while the token is under way.
    @Test func anAnswerIsKeptWhileTheRecordIsOfANewerVersion() async throws {
        let scene = try await RefreshScene(over: base)
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        let record = try #require(try await base.read(.session).data)
        let newer = String(decoding: record, as: UTF8.self).replacing("\"version\":3", with: "\"version\":1001")
        try await base.write(Data(newer.utf8), for: .session)
        gate.resolve(())
        #expect(await caller.value == .storage)
        #expect(await scene.refusal(forced: false) == .storage)
        #expect(scene.manager.read { $0.storage.retainsLock })
        #expect(try await base.read(.session).data == Data(newer.utf8))
        // That version is gone.
        try await base.write(record, for: .session)
        #expect(try await scene.refreshing.accessToken() == Secret("a2"))
        #expect(try await scene.storedSession()?.refreshToken == Secret("r2"))
        #expect(scene.server.sent == ["r1"])
    }

    /// Else each failure would make the next retry later.
    @Test func crowdThatWaitsForAWriteThatFailsWritesOnce() async throws {
        let scene = try await RefreshScene(over: base)
        let hold = scene.store.hold(.write)
        scene.store.fail(.write)
        scene.store.fail(.remove)
        _ = scene.manager.transition { machine, _ in machine.signOut() }
        await withTaskGroup(of: AuthError?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do throws(AuthError) {
                        try await scene.manager.persistPending()
                        return nil
                    } catch { return error }
                }
            }
            await hold.reached()
            _ = try? await wait(for: "all but one caller to wait for the store") {
                scene.manager.storeMutex.waiting == 99
            }
            let before = scene.store.operations.count
            hold.release()
            for await error in group { #expect(error?.code == .storage) }
            #expect(scene.store.operations.dropFirst(before).allSatisfy { $0.call != .write })
        }
        #expect(scene.manager.read { $0.storage.pending?.backoff.failures } == 1)
    }

    @Test func aCrowdThatWaitsForTheStoreWritesOnce() async throws {
        let scene = try await RefreshScene(over: base)
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        scene.store.fail(.write, times: 1)
        gate.resolve(())
        #expect(await caller.value == .storage)
        let before = scene.store.operations.count
        let hold = scene.store.hold(.write)
        try await withThrowingTaskGroup(of: Secret?.self) { group in
            for _ in 0..<100 { group.addTask { try? await scene.refreshing.accessToken() } }
            // One writes, and all others wait for their turn.
            await hold.reached()
            try await wait(for: "all but one caller to wait for the store") { scene.manager.storeMutex.waiting == 99 }
            hold.release()
            for try await token in group { #expect(token == Secret("a2")) }
        }
        #expect(scene.store.operations.dropFirst(before).count { $0.call == .write } == 1)
    }

    @Test func readingADamagedRecordOnceMoreSignsNoUserOut() async throws {
        let scene = try await RefreshScene(over: base)
        scene.store.damage(.session)
        #expect(try await scene.manager.restore()?.id == "ada")
        try await scene.manager.synchronize()
        try await scene.manager.persistPending()
        #expect(scene.manager.state.user?.id == "ada")
        #expect(try await scene.storedSession()?.user.id == "ada")
    }

    @Test func aSignInThatCameTooLateIsGivenBack() async throws {
        let scene = try await RefreshScene(signedIn: false)
        let hold = scene.store.hold(.write)
        let signingIn = Task { try await scene.signIn("ada") }
        await hold.reached()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await scene.signOut() }
            try await wait(for: "the sign-out to wait for the store") { scene.manager.storeMutex.waiting > 0 }
            hold.release()
            try await group.waitForAll()
        }
        await #expect(throws: AuthError.self) { try await signingIn.value }
        // In a task of its own, which no caller waits for.
        try await wait(for: "the server to be told of the sign-out") { !scene.server.signedOut.isEmpty }
        #expect(scene.server.signedOut == ["a1"])
    }
}
