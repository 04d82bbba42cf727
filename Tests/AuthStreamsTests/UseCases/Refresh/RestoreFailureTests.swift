import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// A store that cannot be read, at launch or later, and one with an unreadable record.
@Suite struct RestoreFailureTests {
    private let base = MemorySessionStore()

    /// A transient failure does not show the log-in screen; from the third failure on it is not transient.
    @Test(arguments: [3, 4])
    func aStoreThatFailsAtLaunchIsReadAgainByItselfEverMoreSeldom(failures: Int) async throws {
        let scene = try await RefreshScene(over: base)
        let store = FaultySessionStore(base)
        store.fail(.read, times: failures)
        let manager = SessionManager(store: store, clock: scene.clock.authClock(startingAt: RefreshScene.noon))
        var states = manager.states.makeAsyncIterator()
        let restoring = Task { await manager.restoreUntilRead() }
        try await expectDelays(failures, of: scene.clock)
        await restoring.value
        var seen: [AuthState] = []
        while seen.last?.user == nil, let state = await states.next() { seen.append(state) }
        let shown: [AuthState] = failures > 3 ? [.signedOut(nil)] : []
        #expect(seen == [.restoring(.reading)] + shown + [.signedIn(AuthUser(id: "ada"), .cached)])
    }

    @Test func newsThatCannotBeReadAreReadLater() async throws {
        let first = try await RefreshScene(over: base)
        let second = try await RefreshScene(over: base, beside: first)
        let changes = second.store.changes(of: .session)
        let following = Task { await second.manager.follow(changes) }
        var states = second.manager.states.makeAsyncIterator()
        _ = await states.next()
        second.store.fail(.read, times: 2)
        try await first.signIn("bob")
        try await expectDelays(2, of: second.clock)
        #expect(await states.next() == .signedIn(AuthUser(id: "bob"), .cached))
        following.cancel()
    }

    /// At most 1 s, 2 s, 4 s …, each shortened by up to a half.
    private func expectDelays(_ count: Int, of clock: ManualClock) async throws {
        for number in 0..<count {
            await clock.waitForSleepers(count: 1)
            let whole = Duration.seconds(1 << number)
            let delay = try #require(clock.advanceToNextSleeper())
            #expect(delay >= whole / 2 && delay <= whole, "The wait after failure \(number + 1).")
        }
    }

    @Test func callerForATokenIsNotToldMeanwhileThatNoUserIsSignedIn() async throws {
        let scene = try await RefreshScene(over: base)
        let store = FaultySessionStore(base)
        store.fail(.read)
        let manager = SessionManager(store: store, clock: scene.clock.authClock(startingAt: RefreshScene.noon))
        await #expect(throws: AuthError.self) { try await manager.restore() }
        let refreshing = RefreshSession(repository: scene.server, manager: manager)
        let error = await #expect(throws: AuthError.self) { try await refreshing.accessToken() }
        #expect(error?.code == .storage)
        store.heal()
        #expect(try await refreshing.accessToken() == Secret("a1"))
    }

    @Test func aRecordThatIsDamagedMeanwhileIsSetAsideAndWrittenAnew() async throws {
        let scene = try await RefreshScene()
        let damage = Data("{".utf8)
        scene.store.damage(.session, with: damage)
        try await scene.manager.synchronize()
        #expect(try await scene.storedSession()?.user.id == "ada")
        #expect(try await scene.store.read(.damagedSession).data == damage)
        #expect(scene.manager.state.user?.id == "ada")
    }

    /// The other process may have replaced the refresh token, or signed in another user, and may write that again. It has had the
    /// time for it once this process has the refresh lock.
    @Test(arguments: [RefreshTokenRule.singleUse, .reusable])
    func damagedRecordOfAnotherProcessEndsTheSessionWhenItsTokenIsToBeReplaced(rule: RefreshTokenRule) async throws {
        let scene = try await RefreshScene(rule: rule)
        let damage = Data("{".utf8)
        try await scene.store.write(damage, for: .session)
        try await scene.manager.synchronize()
        try await scene.manager.persistPending()
        #expect(try await scene.store.read(.session).data == damage)
        #expect(try await scene.store.read(.damagedSession).data == damage)
        #expect(scene.manager.state.user?.id == "ada")
        #expect(try await scene.refreshing.accessToken() == scene.manager.session?.accessToken)
        #expect(await scene.refusal() == .superseded)
        #expect(scene.manager.state == .signedOut(.elsewhere))
        #expect(scene.server.sent.isEmpty)
        #expect(try await scene.store.read(.session).data == damage)
        try await scene.signIn("ada")
        #expect(try await scene.storedSession()?.user.id == "ada")
    }
}
