import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A sign-in replaces the previous user only once it is committed, also while the store fails.
@Suite struct CommittedSignInTests {
    private let store = FaultySessionStore()

    private struct Gated: AuthProvider {
        let id: ProviderID
        let reached = Promise<Void>()
        func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
            AuthStream {
                reached.resolve(())
                _ = await Promise<Never>().value()
                throw CancellationError()
            }
        }
    }

    private func adaIsStored() async throws {
        try await store.write(SessionRecord(.sample(user: "ada")).data(), for: .session)
    }

    /// The person signs in, taps another button while the store stands still, and turns back there.
    private func tapTwiceAndTurnBack(
        _ manager: SessionManager, at hold: FaultySessionStore.Hold
    ) async -> [AuthError.Code?] {
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let first = Task { await outcome(of: signIn(Credential(provider: .kakao, userID: "2"))) }
        await hold.reached()
        let page = Gated(id: .google)
        let second = Task { await outcome(of: signIn(with: page)) }
        _ = await page.reached.value()
        hold.release()
        let one = await first.value
        second.cancel()
        let two = await second.value
        return [one?.error?.code, two?.error?.code]
    }

    private func nextLaunch() async throws -> AuthUser.ID? {
        store.heal()
        return try await SessionManager(store: store).restore()?.id
    }

    @Test(arguments: [true, false], [FaultySessionStore.Call.read, .write, .remove])
    func supersededBeforeItIsWrittenItLeavesTheUserBefore(
        isRestored: Bool, failing: FaultySessionStore.Call
    ) async throws {
        try await adaIsStored()
        let manager = SessionManager(store: store)
        if isRestored { _ = try await manager.restore() }
        // The store stands still just before the sign-in is committed.
        let hold = store.hold(.read, .before, of: .session)
        store.fail(failing)
        #expect(await tapTwiceAndTurnBack(manager, at: hold) == [.superseded, .cancelled])
        #expect(manager.session?.user.id == (isRestored ? "ada" : nil))
        store.heal()
        #expect(try await manager.restore()?.id == "ada")
        #expect(try await nextLaunch() == "ada")
    }

    @Test func writtenItStaysAlthoughAnotherBeganMeanwhile() async throws {
        try await adaIsStored()
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        #expect(await tapTwiceAndTurnBack(manager, at: store.hold(.write, .after)) == [nil, .cancelled])
        #expect(manager.session?.user.id == "kakao:2")
        #expect(try await nextLaunch() == "kakao:2")
    }

    @Test func signOutWhileItIsWrittenEndsIt() async throws {
        try await adaIsStored()
        let repository = ScriptedRepository()
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        let hold = store.hold(.write, .after)
        let first = Task {
            await outcome(
                of: AuthSignIn(repository: repository, manager: manager)(Credential(provider: .kakao, userID: "2")))
        }
        await hold.reached()
        let signOut = Task { await outcome(of: AuthSignOut(repository: repository, manager: manager)()) }
        try await wait(for: "the sign-out to be shown") { manager.state == .signedOut(.user) }
        hold.release()
        #expect(await first.value?.error?.code == .superseded)
        #expect(await signOut.value?.error == nil)
        #expect(try await nextLaunch() == nil)
    }

    @Test func unreadableRecordIsNotTakenForAnEmptyOne() async throws {
        try await adaIsStored()
        let manager = SessionManager(store: store)
        store.fail(.read)
        _ = try await AuthSignIn(repository: ScriptedRepository(), manager: manager)(
            Credential(provider: .kakao, userID: "2")
        ).value
        #expect(manager.session?.user.id == "kakao:2")
        #expect(
            store.operations.count { $0 == .init(.write, .session) } == 1, "What cannot be read is not overwritten.")
        store.heal()
        try await manager.persistPending()
        #expect(try await nextLaunch() == "kakao:2")
    }

    /// The system stops a process between its look at the record and its write, and another process signs in meanwhile.
    @Test(arguments: [true, false]) func stoppedWriterDoesNotOverwriteANewerSignIn(isSameUser: Bool) async throws {
        let shared = MemorySessionStore()
        let stopped = FaultySessionStore(shared)
        let clock = ManualClock().authClock(startingAt: Date(timeIntervalSince1970: 1_000_000))
        let ada = AuthSession.sample(user: "ada")
        try await shared.write(
            SessionRecord(KeptSession(ada, savedAt: Date(timeIntervalSince1970: 0))).data(), for: .session)
        var account = ScriptedAccount()
        account.refresh = { session in
            var next = session
            (next.accessToken, next.refreshToken) = (Secret("a2"), Secret("r2"))
            return next
        }
        let one = SessionManager(store: stopped, clock: clock)
        _ = try await one.restore()
        let hold = stopped.hold(.write)
        let refreshing = RefreshSession(repository: ScriptedRepository(account: account), manager: one)
        let call = Task { try await refreshing.accessToken(forceRefresh: true) }
        await hold.reached()
        let two = SessionManager(store: shared, clock: clock)
        let new = AuthSession(
            accessToken: Secret("new access"), refreshToken: Secret("new refresh"), expiresAt: nil,
            user: AuthUser(id: isSameUser ? "ada" : "bob"), provider: .kakao)
        _ = try await AuthSignIn(repository: ScriptedRepository(establish: { _ in new }), manager: two)(
            Credential(provider: .kakao, userID: "1")
        ).value
        hold.release()
        _ = try? await call.value
        let present = try #require(one.session)
        #expect(present.user == new.user)
        let stored = try #require(try await shared.read(.session).data.flatMap(SessionRecord.session(in:)))
        #expect(stored.user == new.user)
        #expect(stored.refreshToken != ada.refreshToken)
    }
}
