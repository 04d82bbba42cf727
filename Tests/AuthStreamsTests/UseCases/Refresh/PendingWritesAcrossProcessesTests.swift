import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// A store that fails in one process while another uses it: two managers, each with failures of its own, over one store.
@Suite struct PendingWritesAcrossProcessesTests {
    private let base = MemorySessionStore()

    private func twoProcesses(
        rule: RefreshTokenRule = .singleUse
    ) async throws -> (first: RefreshScene, second: RefreshScene) {
        let first = try await RefreshScene(rule: rule, over: base)
        return (first, try await RefreshScene(over: base, beside: first))
    }

    @Test func whoseWriteFailedSeesWhatAnotherProcessDoes() async throws {
        let (first, second) = try await twoProcesses()
        first.store.fail(.write)
        try await first.signIn("bob")
        first.clock.advance(by: .seconds(1))
        try await second.signIn("eve")
        try await first.manager.synchronize()
        #expect(first.manager.state.user?.id == "eve")
        first.store.heal()
        try? await first.manager.persistPending()
        #expect(try await first.storedSession()?.user.id == "eve")
    }

    @Test func aSignInThatIsNewerIsWrittenOverWhatAnotherProcessDid() async throws {
        let (first, second) = try await twoProcesses()
        try await first.signOut()
        try await second.signIn("eve")
        first.clock.advance(by: .seconds(1))
        first.store.fail(.write)
        for call in [FaultySessionStore.Call.write, .remove] { first.store.fail(call) }
        try await first.signIn("bob")
        #expect(try await first.storedSession()?.user.id == "eve")
        first.store.heal()
        try? await first.manager.persistPending()
        #expect(try await first.storedSession()?.user.id == "bob")
        #expect(first.manager.state.user?.id == "bob")
    }

    @Test func aSignOutThatCouldNotBeWrittenIsWrittenByItself() async throws {
        let scene = try await RefreshScene()
        for call in [FaultySessionStore.Call.write, .remove] { scene.store.fail(call) }
        await #expect(throws: AuthError.self) { try await scene.signOut() }
        let work = Task { await scene.refreshing.runSchedule() }
        await scene.clock.waitForSleepers(count: 1)
        scene.store.heal()
        var changes = scene.store.changes(of: .session).makeAsyncIterator()
        scene.clock.advanceToNextSleeper()
        _ = await changes.next()
        #expect(try await scene.record()?.session == nil)
        work.cancel()
        #expect(scene.manager.state == .signedOut(.user))
    }

    @Test func aRepeatIsNotSentWhereItsAnswerCouldNotBeStored() async throws {
        let scene = try await RefreshScene()
        scene.server.next(.unsent(RefreshScene.lost))
        #expect(await scene.refusal() == .timedOut)
        scene.store.fail(.write)
        #expect(await scene.refusal() == .storage)
        #expect(scene.server.sent == ["r1"])
        scene.store.heal()
        #expect(await scene.refusal() == nil)
        #expect(scene.server.sent == ["r1", "r1"])
    }

    @Test func aLostAnswerIsRememberedAlsoWhereTheStoreNeverHeldTheSession() async throws {
        let scene = try await RefreshScene(signedIn: false)
        scene.store.fail(.write)
        try await scene.signIn("ada")
        scene.server.next(.lost(RefreshScene.lost))
        #expect(await scene.refusal() == .timedOut)
        scene.store.heal()
        try? await scene.manager.persistPending()
        #expect(try await scene.record()?.isSent == true)
        #expect(await scene.refusal() == .sessionExpired)
        #expect(scene.manager.state == .signedOut(.refreshInterrupted))
    }

    /// The session is stored while its token is under way, which does not arrive.
    @Test func aTokenThatIsSentBeforeItsSessionIsStoredIsStoredWithItsMark() async throws {
        let scene = try await RefreshScene(signedIn: false)
        scene.store.fail(.write)
        try await scene.signIn("ada")
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached, saying: RefreshScene.offline))
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        scene.store.heal()
        try await scene.manager.persistPending()
        #expect(try await scene.record()?.isSent == true)
        gate.resolve(())
        #expect(await caller.value == .network)
        #expect(try await scene.record()?.isSent == true && scene.manager.read { $0.kept?.isSent } == true)
    }

    @Test func aNoToOneSessionLeavesANewerSignInOfTheSamePersonAlone() async throws {
        let (first, second) = try await twoProcesses()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        first.server.next(.held(by: gate, reached: reached))
        first.server.revoke("ada")
        let caller = Task { await first.refusal() }
        _ = await reached.value()
        // A sign-in under way here does not change that.
        _ = first.manager.begin()
        // What is read is old, so that the new sign-in is found by the refusal's own look at the store.
        first.store.fail(.read, times: 1)
        try await second.signIn("ada")
        gate.resolve(())
        _ = await caller.value
        #expect(try await first.storedSession()?.refreshToken == Secret("r2"))
        #expect(first.manager.session?.refreshToken == Secret("r2"))
    }
}
