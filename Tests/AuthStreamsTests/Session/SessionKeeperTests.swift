import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

@Suite struct SessionKeeperTests {
    private static let ada = Session.sample(user: "ada")

    private func storing(_ session: Session?) async throws -> FaultySessionStore {
        let memory = MemorySessionStore()
        if let session { try await memory.write(SessionRecord(session).data(), for: .session) }
        return FaultySessionStore(memory)
    }

    private func stored(in store: FaultySessionStore) async throws -> Session? {
        try await store.read(.session).data.flatMap(SessionRecord.session(in:))
    }

    // MARK: Restoring

    @Test func theStateIsRestoringUntilTheStoreWasRead() async throws {
        let store = try await storing(nil)
        let hold = store.hold(.read)
        let keeper = SessionKeeper(store: store)
        let restoring = Task { await outcome(of: RestoreSession(keeper: keeper)()) }
        await hold.reached()
        #expect(keeper.state == .restoring(.reading))
        hold.release()
        #expect(await restoring.value == .success(nil))
        #expect(keeper.state == .signedOut(nil))
    }

    @Test func aStoredSessionIsRestoredUnconfirmed() async throws {
        let keeper = SessionKeeper(store: try await storing(Self.ada))
        #expect(try await RestoreSession(keeper: keeper)().value == Self.ada.user)
        #expect(keeper.state == .signedIn(Self.ada.user, .cached))
        #expect(keeper.session == Self.ada)
    }

    @Test func aLockedStoreIsWaitedForAndNeverTakenForAnEmptyOne() async throws {
        let store = try await storing(Self.ada)
        store.lock()
        let keeper = SessionKeeper(store: store)
        var states = keeper.states.makeAsyncIterator()
        let restoring = Task { await outcome(of: RestoreSession(keeper: keeper)()) }
        #expect(await states.next() == .restoring(.reading))
        #expect(await states.next() == .restoring(.waitingForUnlock))
        store.unlock()
        #expect(await states.next() == .signedIn(Self.ada.user, .cached))
        #expect(await restoring.value == .success(Self.ada.user))
    }

    @Test func cancellingAWaitForTheUnlockLeavesTheStateRestoring() async throws {
        let store = try await storing(Self.ada)
        store.lock()
        let keeper = SessionKeeper(store: store)
        var states = keeper.states.makeAsyncIterator()
        let restoring = Task { await outcome(of: RestoreSession(keeper: keeper)()) }
        while await states.next() != .restoring(.waitingForUnlock) {}
        restoring.cancel()
        #expect(await restoring.value?.error?.code == .cancelled)
        #expect(keeper.state == .restoring(.waitingForUnlock))
    }

    @Test func aDamagedRecordIsReportedAndSetAside() async throws {
        let memory = MemorySessionStore()
        try await memory.write(Data("{".utf8), for: .session)
        let keeper = SessionKeeper(store: memory)
        var events = keeper.events.makeAsyncIterator()
        #expect(await outcome(of: RestoreSession(keeper: keeper)()) == .success(nil))
        #expect(keeper.state == .signedOut(nil))
        #expect(await events.next()?.withoutExplanation == AuthEvent(.recordSetAside, error: .storage))
        #expect(try await memory.read(.session).data == Data("{".utf8), "Another process may still write it anew.")
        #expect(try await memory.read(.damagedSession).data == Data("{".utf8))
    }

    @Test func aRecordOfANewerVersionIsReportedAndLeftAsItIs() async throws {
        let memory = MemorySessionStore()
        let record = try SessionRecord(Self.ada).data()
        let newer = String(decoding: record, as: UTF8.self).replacing("\"version\":1", with: "\"version\":3")
        try await memory.write(Data(newer.utf8), for: .session)
        let error = await outcome(of: RestoreSession(keeper: SessionKeeper(store: memory))())?.error
        #expect(error?.explanation.contains("newer version") == true)
        #expect(try await memory.read(.session).data == Data(newer.utf8))
    }

    @Test func aRecordOfANewerVersionIsNamedThatWhateverItsForm() async throws {
        let memory = MemorySessionStore()
        try await memory.write(Data(#"{"version":3,"tokens":{}}"#.utf8), for: .session)
        let error = await outcome(of: RestoreSession(keeper: SessionKeeper(store: memory))())?.error
        #expect(error?.explanation.contains("newer version") == true)
    }

    @Test func restoringAgainAfterAFailureThatPassedFindsTheSession() async throws {
        let store = try await storing(Self.ada)
        store.fail(.read, times: 1)
        let keeper = SessionKeeper(store: store)
        #expect(await outcome(of: RestoreSession(keeper: keeper)())?.error?.code == .storage)
        #expect(keeper.state == .signedOut(nil))
        #expect(await outcome(of: RestoreSession(keeper: keeper)()) == .success(Self.ada.user))
        #expect(keeper.state == .signedIn(Self.ada.user, .cached))
    }

    @Test func aSignInThatCameDuringTheReadWinsOverTheStore() async throws {
        let store = try await storing(Self.ada)
        let keeper = SessionKeeper(store: store)
        let hold = store.hold(.read)
        let restoring = Task { await outcome(of: RestoreSession(keeper: keeper)()) }
        await hold.reached()
        let signIn = SignIn(repository: ScriptedRepository(), keeper: keeper)
        let signingIn = Task { await outcome(of: signIn(with: ScriptedProvider(.naver, userID: "7"))) }
        while keeper.state == .restoring(.reading) { await Task.yield() }
        hold.release()
        #expect(await signingIn.value?.error == nil)
        _ = await restoring.value
        #expect(keeper.state.user?.id == "naver:7")
        #expect(try await stored(in: store)?.user.id == "naver:7")
    }

    // MARK: Signing out

    @Test func signingOutEndsTheSessionInMemoryBeforeTheStoreIsCleared() async throws {
        let store = try await storing(Self.ada)
        let keeper = SessionKeeper(store: store)
        _ = try await keeper.restore()
        let hold = store.hold(.remove)
        let repository = ScriptedRepository()
        let signingOut = Task { await outcome(of: SignOut(repository: repository, keeper: keeper)()) }
        await hold.reached()
        #expect(keeper.state == .signedOut(.user))
        #expect(repository.calls.isEmpty)
        hold.release()
        #expect(await signingOut.value?.error == nil)
        #expect(repository.calls == [.signOut("ada")])
        #expect(try await store.read(.session).data == nil)
    }

    @Test func signingOutWithNobodySignedInIsASuccessWithoutARequest() async throws {
        let keeper = SessionKeeper(store: MemorySessionStore())
        _ = try await keeper.restore()
        let repository = ScriptedRepository()
        #expect(await outcome(of: SignOut(repository: repository, keeper: keeper)())?.error == nil)
        #expect(repository.calls.isEmpty)
        #expect(keeper.state == .signedOut(nil))
    }

    @Test func aStoreThatCannotBeClearedIsReportedAndClearedAtTheNextChance() async throws {
        let store = try await storing(Self.ada)
        let keeper = SessionKeeper(store: store)
        _ = try await keeper.restore()
        store.fail(.remove, times: 1)
        let signOut = SignOut(repository: ScriptedRepository(), keeper: keeper)
        #expect(await outcome(of: signOut())?.error?.code == .storage)
        #expect(keeper.state == .signedOut(.user))
        _ = try await keeper.restore()
        #expect(try await store.read(.session).data == nil)
        #expect(keeper.state == .signedOut(.user))
    }

    @Test func theServerIsToldOfASignOutAlsoWhenTheStoreFails() async throws {
        let store = try await storing(Self.ada)
        let keeper = SessionKeeper(store: store)
        _ = try await keeper.restore()
        store.fail(.remove, times: 1)
        let repository = ScriptedRepository()
        #expect(await outcome(of: SignOut(repository: repository, keeper: keeper)())?.error?.code == .storage)
        #expect(repository.calls == [.signOut("ada")])
    }

    @Test func aSlowWriteOfASessionCannotUndoALaterSignOut() async throws {
        let store = try await storing(nil)
        let keeper = SessionKeeper(store: store)
        _ = try await keeper.restore()
        let hold = store.hold(.write)
        let signIn = SignIn(repository: ScriptedRepository(), keeper: keeper)
        let signingIn = Task { await outcome(of: signIn(with: ScriptedProvider(.kakao))) }
        await hold.reached()
        let signingOut = Task {
            await outcome(of: SignOut(repository: ScriptedRepository(), keeper: keeper)())
        }
        while case .signingIn = keeper.state { await Task.yield() }
        hold.release()
        #expect(await signingIn.value?.error?.code == .superseded)
        #expect(await signingOut.value?.error == nil)
        #expect(keeper.state == .signedOut(nil))
        #expect(try await store.read(.session).data == nil)
    }

    // MARK: Readers that fall behind

    @Test func aStatesReaderThatFellBehindIsAnEvent() async throws {
        let keeper = SessionKeeper(store: MemorySessionStore(), limit: 2)
        var (states, events) = (keeper.states.makeAsyncIterator(), keeper.events.makeAsyncIterator())
        try await keeper.establish(Self.ada, by: .attempt(keeper.begin()))
        _ = keeper.end(.user)
        try await keeper.establish(Self.ada, by: .attempt(keeper.begin()))
        #expect(await states.next() == .restoring(.reading))
        #expect(await states.next() == keeper.state)
        #expect(states.skipped == 4)
        keeper.finish()
        var gaps: [AuthEvent] = []
        while let event = await events.next() { if event.kind == .readerFellBehind { gaps.append(event) } }
        #expect(gaps == [AuthEvent(.readerFellBehind, skipped: 4)])
    }

    // MARK: Lifetime

    @Test func readersEndWhenTheKeeperIsGone() async {
        var keeper: SessionKeeper? = SessionKeeper(store: MemorySessionStore())
        weak let gone = keeper
        guard let states = keeper?.states, let events = keeper?.events else { return }
        let reading = Task { await states.reduce(into: 0) { count, _ in count += 1 } }
        let listening = Task { await events.reduce(into: 0) { count, _ in count += 1 } }
        keeper = nil
        #expect(gone == nil)
        #expect(await reading.value <= 1)
        #expect(await listening.value == 0)
    }
}
