import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The secrets of an earlier process's attempt are removed after ten minutes, whatever the store does then.
@Suite struct PendingAttemptsTests {
    private let store = FaultySessionStore()
    private let clock = ManualClock()

    private func manager() -> SessionManager {
        SessionManager(store: store, clock: clock.authClock(startingAt: RefreshScene.noon))
    }

    /// An earlier process leaves an attempt.
    private func leaveAttempt() async throws {
        let url = URL(literal: "com.example.app:/callback")
        let attempt = PendingAttempt(
            state: Secret("the state"), callbackURL: url, redirectURI: url, issuer: nil, isIssuerRequired: false,
            verifier: Secret("the verifier"), nonce: Secret("the nonce"), rawNonce: nil, maximumAge: nil,
            acceptedACRs: [], scopes: [], isBound: true)
        _ = await PendingAttempts(manager: manager()).keep(
            attempt, for: .init(provider: .google, purpose: .signIn, user: nil))
        #expect(try await holdsSecrets())
    }

    private func holdsSecrets() async throws -> Bool {
        String(decoding: try #require(await store.note(.attempt)), as: UTF8.self).contains("the verifier")
    }

    /// A later process that waits for the attempt to become too old.
    private func waiting(_ manager: SessionManager) async -> Task<Void, Never> {
        let task = Task { await PendingAttempts(manager: manager).removeExpiredSecrets() }
        await clock.waitForSleepers(count: 1)
        return task
    }

    private func calls(_ call: FaultySessionStore.Call) -> Int { store.operations.count { $0.call == call } }

    @Test(arguments: [true, false]) func attemptIsReadBackAsItWasStored(isBound: Bool) async throws {
        let url = URL(literal: "com.example.app:/callback")
        let attempt = PendingAttempt(
            state: Secret("s"), callbackURL: url, redirectURI: url.appending(path: "relay"), issuer: "i",
            isIssuerRequired: true, verifier: Secret("v"), nonce: Secret("n"), rawNonce: Secret("r"),
            maximumAge: .seconds(60), acceptedACRs: ["a"], scopes: ["openid"], isBound: isBound)
        _ = await PendingAttempts(manager: manager()).keep(
            attempt, for: .init(provider: .google, purpose: .link, user: "ada"))
        #expect(try await PendingAttempts(manager: manager()).take { _ in true }?.attempt == attempt)
    }

    /// The newer attempt may be stored before the one that it supersedes has ended.
    @Test func endOfAnAttemptLeavesTheNextOne() async throws {
        let process = PendingAttempts(manager: manager())
        let ended = await process.keep(nil, for: .init(provider: .google, purpose: .signIn, user: nil))
        _ = await process.keep(nil, for: .init(provider: .kakao, purpose: .signIn, user: nil))
        await ended()
        let left = try await PendingAttempts(manager: manager()).take { _ in true }
        #expect(left?.intent.provider == .kakao)
    }

    /// An attempt may take longer than its secrets are kept.
    @Test func endOfAnAttemptWithoutItsSecretsLeavesNone() async throws {
        let url = URL(literal: "com.example.app:/callback")
        let attempt = PendingAttempt(
            state: Secret("s"), callbackURL: url, redirectURI: url, issuer: nil, isIssuerRequired: false,
            verifier: Secret("the verifier"), nonce: nil, rawNonce: nil, maximumAge: nil, acceptedACRs: [], scopes: [],
            isBound: true)
        let ended = await PendingAttempts(manager: manager()).keep(
            attempt, for: .init(provider: .google, purpose: .signIn, user: nil))
        clock.advance(by: .seconds(601))
        await PendingAttempts(manager: manager()).removeExpiredSecrets()
        #expect(try await !holdsSecrets())
        await ended()
        #expect(try await store.note(.attempt) == nil)
    }

    @Test func deletedAccountLeavesNoAttempt() async throws {
        try await leaveAttempt()
        let manager = manager()
        let user = AuthUser(id: "ada")
        try await store.write(SessionRecord(.sample(user: user.id)).data(), for: .session)
        _ = try await manager.restore()
        let repository = ScriptedRepository()
        let refreshing = RefreshSession(repository: repository, manager: manager)
        try await DeleteAccount(refreshing: refreshing)(asking: { _, _ in ScriptedProvider(.kakao) }, AuthRequest())
            .value
        #expect(try await store.note(.attempt) == nil)
    }

    // MARK: Removal

    @Test func theyAreNeededForTenMinutes() async throws {
        try await leaveAttempt()
        let task = await waiting(manager())
        clock.advance(by: .seconds(600))
        #expect(try await holdsSecrets(), "It may still be resumed.")
        clock.advance(by: .seconds(1))
        await task.value
        #expect(try await !holdsSecrets(), "What remains tells an answer that comes later.")
    }

    /// A store that says 'cancelled' to a task that is not has failed, too.
    @Test(arguments: [FaultySessionStore.Call.read, .write], [AuthError.Code.storage, .misconfigured, .cancelled])
    func storeThatFailsIsRetried(call: FaultySessionStore.Call, code: AuthError.Code) async throws {
        try await leaveAttempt()
        let manager = manager()
        let task = await waiting(manager)
        var events = manager.events.makeAsyncIterator()
        store.fail(call, with: AuthError(code, "Scripted."), times: 3)
        let before = calls(.read)
        clock.advance(by: .seconds(601))
        for _ in 0..<3 {
            await clock.waitForSleepers(count: 1)
            let event = await events.next()
            #expect(event?.kind == .storageFailed && event?.failure?.code == code)
            clock.advanceToNextSleeper()
        }
        await task.value
        #expect(calls(.read) == before + 4, "Each failure is followed by one retry.")
        #expect(try await !holdsSecrets())
    }

    @Test func storeThatIsLockedIsRetriedAfterTheUnlock() async throws {
        try await leaveAttempt()
        let manager = manager()
        let task = await waiting(manager)
        var events = manager.events.makeAsyncIterator()
        let before = calls(.read)
        store.lock()
        clock.advance(by: .seconds(601))
        #expect(await events.next()?.kind == .storageLocked)
        store.unlock()
        await clock.waitForSleepers(count: 1)
        clock.advanceToNextSleeper()
        await task.value
        #expect(calls(.read) == before + 2)
        #expect(try await !holdsSecrets())
    }

    /// A store may say that it is locked and know no unlock to wait for.
    @Test func storeThatDoesNotWaitForTheUnlockIsNotAskedInALoop() async throws {
        try await leaveAttempt()
        let task = await waiting(manager())
        let before = calls(.read)
        store.fail(.read, with: AuthError(.storageLocked, "Scripted."), times: 20)
        clock.advance(by: .seconds(601))
        for _ in 0..<20 {
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
        }
        await task.value
        #expect(calls(.read) == before + 21)
        #expect(clock.now.offset > .seconds(1800), "The pauses grow.")
        #expect(try await !holdsSecrets())
    }

    @Test func nothingIsWaitedForWithoutSecrets() async throws {
        await PendingAttempts(manager: manager()).removeExpiredSecrets()
        _ = await PendingAttempts(manager: manager()).keep(
            nil, for: .init(provider: .kakao, purpose: .signIn, user: nil))
        await PendingAttempts(manager: manager()).removeExpiredSecrets()
        #expect(clock.sleeperCount == 0)
    }

    // MARK: The end

    /// What the task waits for when it is cancelled.
    enum Wait: CaseIterable, Sendable { case expiry, retry, unlock }

    private func wait(for wait: Wait, _ manager: SessionManager) async {
        guard wait != .expiry else { return }
        var events = manager.events.makeAsyncIterator()
        if wait == .unlock { store.lock() } else { store.fail(.read) }
        clock.advance(by: .seconds(601))
        _ = await events.next()
        if wait == .retry { await clock.waitForSleepers(count: 1) }
    }

    @Test(arguments: Wait.allCases) func cancellationEndsIt(wait: Wait) async throws {
        try await leaveAttempt()
        let manager = manager()
        let task = await waiting(manager)
        await self.wait(for: wait, manager)
        let operations = store.operations
        task.cancel()
        await task.value
        #expect(store.operations == operations, "The store is not asked again.")
        #expect(clock.sleeperCount == 0)
    }

    @Test(arguments: Wait.allCases) func serviceIsNotKeptAliveByIt(wait: Wait) async throws {
        try await leaveAttempt()
        var auth: AuthService? = AuthService(
            repository: ScriptedRepository(), providers: [], store: store, callbacks: CallbackRouter(),
            clock: clock.authClock(startingAt: RefreshScene.noon))
        weak let service = auth
        weak let manager = auth?.manager
        await clock.waitForSleepers(count: 1)
        await self.wait(for: wait, try #require(manager))
        auth = nil
        #expect(service == nil)
        try await TestSupport.wait(for: "the session manager to be released") { manager == nil }
        #expect(clock.sleeperCount == 0)
    }
}
