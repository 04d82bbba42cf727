import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// An answer that was read, while the store holds what was sent: nobody else may send it, and nobody is lost by it.
@Suite struct OwedAnswersTests {
    private static let left = AdoptableSession(refreshToken: Secret("old"), user: AuthUser(id: "ada"))
    private let base = MemorySessionStore()

    private func keeper(over store: any SessionStore) async throws -> SessionKeeper {
        let keeper = SessionKeeper(store: store)
        _ = try await keeper.restore()
        return keeper
    }

    @Test func anAdoptedSessionThatCouldNotBeStoredKeepsTheLock() async throws {
        let store = FaultySessionStore(base)
        let keeper = try await keeper(over: store)
        _ = await keeper.beginAdoption(of: Self.left)
        let refreshing = RefreshSession(repository: ScriptedRepository(), keeper: keeper)
        let adoption = try #require(keeper.adoption)
        try await refreshing.alone { _ throws(AuthError) in
            store.fail(.write)
            try await keeper.establish(.sample(user: "ada"), by: .adoption(adoption))
        }
        #expect(keeper.apply { rules, _ in rules.heldLock != nil })
        store.heal()
        try? await keeper.persist()
        #expect(keeper.apply { rules, _ in rules.heldLock == nil })
    }

    @Test func aCrowdThatWaitsForTheStoreWritesOnce() async throws {
        let scene = try await RefreshScene(over: base)
        let (gate, reached) = (OneShot<Void>(), OneShot<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        scene.store.fail(.write, times: 1)
        gate.resolve(())
        #expect(await caller.value == .storage)
        let before = scene.store.operations.count
        let hold = scene.store.hold(.write)
        await withTaskGroup(of: Secret?.self) { group in
            for _ in 0..<100 { group.addTask { try? await scene.refreshing.accessToken() } }
            // One writes, and all others wait for their turn.
            await hold.reached()
            while scene.keeper.storeGate.waiting < 99 { await Task.yield() }
            hold.release()
            for await token in group { #expect(token == Secret("a2")) }
        }
        #expect(scene.store.operations.dropFirst(before).count { $0.call == .write } == 1)
    }

    @Test func readingADamagedRecordOnceMoreSignsNobodyOut() async throws {
        let scene = try await RefreshScene(over: base)
        scene.store.damage(.session)
        #expect(try await scene.keeper.restore()?.id == "ada")
        try await scene.keeper.reread()
        try await scene.keeper.persist()
        #expect(scene.keeper.state.user?.id == "ada")
        #expect(try await scene.storedSession()?.user.id == "ada")
    }

    @Test func aSignInThatCameTooLateIsGivenBack() async throws {
        let scene = try await RefreshScene(signedIn: false)
        let hold = scene.store.hold(.write)
        let signingIn = Task { try await scene.signIn("ada") }
        await hold.reached()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await scene.signOut() }
            while scene.keeper.storeGate.waiting == 0 { await Task.yield() }
            hold.release()
            try await group.waitForAll()
        }
        await #expect(throws: AuthError.self) { try await signingIn.value }
        // In a task of its own, and nobody waits for it.
        while scene.server.signedOut.isEmpty { await Task.yield() }
        #expect(scene.server.signedOut == ["a1"])
    }
}
