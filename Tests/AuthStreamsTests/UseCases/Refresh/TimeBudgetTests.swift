import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// How long callers wait for other processes, and with which priority others wait for them.
@Suite struct TimeBudgetTests {
    /// A store whose lock is held by a process that was stopped: each wait takes as long as it may.
    private final class BusyStore: SessionStore {
        let base = MemorySessionStore()
        let clock: ManualClock
        let waits = Lock<[Duration]>([])
        /// How much of each wait it takes, until the lock is had.
        let share: Double

        init(_ clock: ManualClock, share: Double) { (self.clock, self.share) = (clock, share) }

        func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord { try await base.read(key) }
        func write(
            _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
        ) async throws(AuthError) -> RecordVersion? { try await base.write(data, for: key, replacing: version) }
        func waitUntilUnlocked() async {}
        func lock(
            _ name: SessionStoreKey, waitingAtMost limit: Duration
        ) async throws(AuthError) -> SessionStoreLock {
            waits.withLock { $0.append(limit) }
            clock.advance(by: limit * share)
            guard share < 1 else { throw AuthError(.timedOut, "Scripted.") }
            return SessionStoreLock {}
        }
    }

    @Test func operationsOfOneUseCaseShareOneLimit() async throws {
        let clock = ManualClock()
        let store = BusyStore(clock, share: 0.5)
        let time = clock.authClock(startingAt: RefreshScene.noon)
        let manager = SessionManager(store: store, clock: time)
        let server = RotatingServer(clock: time, lifetime: 3600, rule: .singleUse)
        _ = try await manager.restore()
        _ = try await AuthSignIn(repository: server, manager: manager)(Credential(provider: .kakao, userID: "ada"))
            .value
        #expect(store.waits.withLock { $0 } == [], "Neither restoring nor signing in waits for another process.")
        clock.advance(by: .seconds(3600))
        let refreshing = RefreshSession(repository: server, manager: manager)
        // The access token is over: it is refreshed, then the change is made. Each takes the lock.
        _ = try await refreshing.replaceSession(of: "ada", showing: .nothing) { session throws(AuthError) in session }
        #expect(store.waits.withLock { $0 } == [.seconds(30), .seconds(15)])
        _ = try await refreshing.accessToken(forceRefresh: true)
        #expect(store.waits.withLock { $0.last } == .seconds(30), "The next operation has a limit of its own.")
    }

    /// The proof, the withdrawal and the deletion take the lock one after the other.
    @Test func requestsOfADeletionShareOneLimit() async throws {
        let clock = ManualClock()
        let store = BusyStore(clock, share: 0.5)
        let manager = SessionManager(store: store, clock: clock.authClock(startingAt: RefreshScene.noon))
        var account = ScriptedAccount()
        account.revocable = [.kakao]
        let repository = ScriptedRepository(account: account)
        _ = try await AuthSignIn(repository: repository, manager: manager)(Credential(provider: .kakao, userID: "1"))
            .value
        let refreshing = RefreshSession(repository: repository, manager: manager)
        let deletion = DeleteAccount(refreshing: refreshing)
        try await deletion(asking: { _, _ in ScriptedProvider(.kakao) }, AuthRequest()).value
        #expect(store.waits.withLock { $0 } == [.seconds(30), .seconds(15), .seconds(7.5)])
    }

    /// Two processes may send a token that stays valid, so a process that was stopped prevents no refresh.
    @Test(arguments: [RefreshTokenRule.reusable, .singleUse])
    func tokenThatStaysValidIsSentAlsoWithoutTheLock(rule: RefreshTokenRule) async throws {
        let clock = ManualClock()
        let (store, time) = (BusyStore(clock, share: 1), clock.authClock(startingAt: RefreshScene.noon))
        let manager = SessionManager(store: store, clock: time)
        let server = RotatingServer(clock: time, rule: rule)
        _ = try await AuthSignIn(repository: server, manager: manager)(Credential(provider: .kakao, userID: "ada"))
            .value
        let refreshing = RefreshSession(repository: server, manager: manager)
        let token = try? await refreshing.accessToken(forceRefresh: true)
        #expect(token == (rule == .reusable ? Secret("a2") : nil))
        #expect(server.sent == (rule == .reusable ? ["r1"] : []))
    }

    @Test func refreshThatABackgroundTaskBeganHoldsUpNoTaskOfHigherPriority() async throws {
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        let seen = Lock<[TaskPriority]>([])
        var account = ScriptedAccount()
        account.refresh = { session in
            asked.resolve(())
            _ = await answer.value()
            seen.withLock { $0.append(Task.currentPriority) }
            var next = session
            next.accessToken = Secret("next")
            return next
        }
        let manager = SessionManager(store: MemorySessionStore())
        let repository = ScriptedRepository(account: account)
        _ = try await AuthSignIn(repository: repository, manager: manager)(Credential(provider: .kakao, userID: "1"))
            .value
        let refreshing = RefreshSession(repository: repository, manager: manager)
        let low = Task.detached(priority: .background) { try await refreshing.accessToken(forceRefresh: true) }
        _ = await asked.value()
        let high = Task.detached(priority: .high) { try await refreshing.accessToken(forceRefresh: true) }
        answer.resolve(())
        _ = try await (low.value, high.value)
        #expect(seen.withLock { $0.allSatisfy { $0 >= .high } })
    }

    @Test func nothingIsSentWithoutTheLock() async throws {
        let store = LosingStore()
        var account = ScriptedAccount()
        account.refresh = { $0 }
        let repository = ScriptedRepository(account: account)
        let manager = SessionManager(store: store)
        _ = try await AuthSignIn(repository: repository, manager: manager)(Credential(provider: .kakao, userID: "1"))
            .value
        let refreshing = RefreshSession(repository: repository, manager: manager)
        store.loseLocks()
        let error = await #expect(throws: AuthError.self) { try await refreshing.accessToken(forceRefresh: true) }
        #expect(error?.code == .storage)
        #expect(
            await outcome(
                of: DeleteAccount(refreshing: refreshing)(
                    asking: { _, _ in ScriptedProvider(.kakao) }, AuthRequest()))?.error?.code == .storage)
        #expect(repository.calls == [.signIn(.kakao)])
        #expect(manager.read { $0.active?.kept.isSent } == false, "Nothing was sent, so no answer can be lost.")
        store.keepLocks()
        #expect(await outcome(of: AuthStream { try await refreshing.accessToken(forceRefresh: true) })?.error == nil)
    }
}
