import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// A store that fails in one process while another uses it: two keepers, each with failures of its own, over one store.
@Suite(.timeLimit(.minutes(1))) struct OwedWritesTests {
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
        try await first.keeper.reread()
        #expect(first.keeper.state.user?.id == "eve")
        first.store.heal()
        await first.keeper.catchUp()
        #expect(try await first.storedSession()?.user.id == "eve")
    }

    @Test func aSignInThatIsNewerIsWrittenOverWhatAnotherProcessDid() async throws {
        let (first, second) = try await twoProcesses()
        try await first.signOut()
        try await second.signIn("eve")
        first.clock.advance(by: .seconds(1))
        first.store.fail(.write)
        try await first.signIn("bob")
        first.store.heal()
        await first.keeper.catchUp()
        #expect(try await first.storedSession()?.user.id == "bob")
        #expect(first.keeper.state.user?.id == "bob")
    }

    @Test func aSignOutThatCouldNotBeWrittenIsWrittenByItself() async throws {
        let scene = try await RefreshScene()
        scene.store.fail(.remove)
        await #expect(throws: AuthError.self) { try await scene.signOut() }
        let work = Task { await scene.refreshing.keepAhead() }
        await scene.clock.waitForSleepers(count: 1)
        scene.store.heal()
        var changes = scene.store.changes(of: .session).makeAsyncIterator()
        scene.clock.advanceToNextSleeper()
        _ = await changes.next()
        #expect(try await scene.record() == nil)
        work.cancel()
        #expect(scene.keeper.state == .signedOut(.user))
    }

    @Test func nobodyRefreshesWhileTheStoreHoldsATokenThatIsUsed() async throws {
        let store = LockWatchingStore()
        let first = try await RefreshScene(over: store)
        let second = try await RefreshScene(over: store, beside: first)
        let (gate, reached) = (OneShot<Void>(), OneShot<Void>())
        first.server.next(.held(by: gate, reached: reached))
        let early = Task { await first.refusal() }
        _ = await reached.value()
        first.store.fail(.write)
        gate.resolve(())
        #expect(await early.value == .storage)
        let late = Task { try await second.refreshing.accessToken(forceRefresh: true) }
        _ = await store.asked(2).value()
        #expect(first.server.sent == ["r1"])
        first.store.heal()
        await first.keeper.catchUp()
        #expect(try await late.value == Secret("a2"))
        #expect(first.server.sent == ["r1"])
    }

    @Test func aRefusalThatCouldNotBeWrittenKeepsTheRefusedTokenFromBeingSentAgain() async throws {
        let store = LockWatchingStore()
        let first = try await RefreshScene(over: store)
        let second = try await RefreshScene(over: store, beside: first)
        first.server.revoke("ada")
        first.store.fail(.remove)
        #expect(await first.refusal() == .sessionExpired)
        let late = Task { await second.refusal() }
        _ = await store.asked(2).value()
        first.store.heal()
        await first.keeper.catchUp()
        #expect(await late.value == .superseded)
        #expect(first.server.sent == ["r1"])
    }

    @Test func theNoToOneSessionLeavesANewSignInElsewhereAloneAlsoWhileSomebodySignsInHere() async throws {
        let (first, second) = try await twoProcesses()
        let (gate, reached) = (OneShot<Void>(), OneShot<Void>())
        first.server.next(.held(by: gate, reached: reached))
        first.server.revoke("ada")
        let caller = Task { await first.refusal() }
        _ = await reached.value()
        let attempt = first.keeper.begin()
        // What is read is old, so that the new sign-in is found by the refusal's own look at the store.
        first.store.fail(.read, times: 1)
        try await second.signIn("ada")
        gate.resolve(())
        _ = await caller.value
        #expect(try await first.storedSession()?.refreshToken == Secret("r2"))
        #expect(first.keeper.session?.refreshToken == Secret("r2"))
        _ = attempt
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
        await scene.keeper.catchUp()
        #expect(try await scene.record()?.isUnanswered == true)
        #expect(await scene.refusal() == .sessionExpired)
        #expect(scene.keeper.state == .signedOut(.refreshInterrupted))
    }

    @Test func aRecordThatIsDamagedMeanwhileIsSetAsideAndWrittenAnew() async throws {
        let scene = try await RefreshScene()
        let damage = Data("{".utf8)
        try await scene.store.write(damage, for: .session)
        try await scene.keeper.reread()
        #expect(try await scene.storedSession()?.user.id == "ada")
        #expect(try await scene.store.read(.damagedSession) == damage)
        #expect(scene.keeper.state.user?.id == "ada")
    }

    @Test func newsThatCannotBeReadAreReadLater() async throws {
        let (first, second) = try await twoProcesses()
        let changes = second.store.changes(of: .session)
        let following = Task { await second.keeper.follow(changes) }
        var states = second.keeper.states.makeAsyncIterator()
        _ = await states.next()
        second.store.fail(.read, times: 2)
        try await first.signIn("bob")
        for _ in 0..<2 {
            await second.clock.waitForSleepers(count: 1)
            second.clock.advanceToNextSleeper()
        }
        #expect(await states.next() == .signedIn(AuthUser(id: "bob"), .cached))
        following.cancel()
    }

    @Test func aStoreThatFailsAtLaunchIsReadAgainByItself() async throws {
        let scene = try await RefreshScene(over: base)
        let store = FaultySessionStore(base)
        store.fail(.read, times: 3)
        let keeper = SessionKeeper(store: store, clock: scene.clock.authClock(startingAt: RefreshScene.noon))
        var states = keeper.states.makeAsyncIterator()
        let restoring = Task { await keeper.restoreAtLast() }
        for _ in 0..<3 {
            await scene.clock.waitForSleepers(count: 1)
            scene.clock.advanceToNextSleeper()
        }
        await restoring.value
        #expect(await states.next() == .restoring(.reading))
        #expect(await states.next() == .signedOut(nil))
        #expect(await states.next() == .signedIn(AuthUser(id: "ada"), .cached))
    }

    @Test func whoAsksForATokenMeanwhileIsNotToldThatNobodyIsSignedIn() async throws {
        let scene = try await RefreshScene(over: base)
        let store = FaultySessionStore(base)
        store.fail(.read)
        let keeper = SessionKeeper(store: store, clock: scene.clock.authClock(startingAt: RefreshScene.noon))
        await #expect(throws: AuthError.self) { try await keeper.restore() }
        let refreshing = RefreshSession(repository: scene.server, keeper: keeper)
        let error = await #expect(throws: AuthError.self) { try await refreshing.accessToken() }
        #expect(error?.code == .storage)
        store.heal()
        #expect(try await refreshing.accessToken() == Secret("a1"))
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aTokenThatWasRefusedIsNotHandedOutBecauseItsRefreshHasNotLandedYet() async throws {
        let scene = try await RefreshScene()
        let boarding = try #require(scene.keeper.board(for: .new))
        let (session, generation) = try #require(scene.keeper.presentSession)
        let next = try await scene.server.refresh(session)
        _ = try await scene.keeper.replace(session, with: next, in: generation)
        let executor = ManualExecutor()
        let token = OneShot<Secret>()
        _ = Task(executorPreference: executor) {
            token.resolve(try await scene.refreshing.accessToken(replacing: Secret("a2")))
        }
        // Until it waits for the flight.
        executor.run()
        scene.keeper.land(boarding.flight, .success(next))
        while token.current == nil {
            executor.run()
            await Task.yield()
        }
        #expect(token.current == Secret("a3"))
    }
}
