import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct SessionManagerTests {
    private static let ada = AuthSession.sample(user: "ada")

    private func storing(_ session: AuthSession?) async throws -> FaultySessionStore {
        let memory = MemorySessionStore()
        if let session { try await memory.write(SessionRecord(session).data(), for: .session) }
        return FaultySessionStore(memory)
    }

    private func stored(in store: FaultySessionStore) async throws -> AuthSession? {
        try await store.read(.session).data.flatMap(SessionRecord.session(in:))
    }

    // MARK: Restoring

    @Test func theStateIsRestoringUntilTheStoreWasRead() async throws {
        let store = try await storing(nil)
        let hold = store.hold(.read)
        let manager = SessionManager(store: store)
        let restoring = Task { await outcome(of: AuthStream { try await manager.restore() }) }
        await hold.reached()
        #expect(manager.state == .restoring(.reading))
        hold.release()
        #expect(await restoring.value == .success(nil))
        #expect(manager.state == .signedOut(nil))
    }

    @Test func aStoredSessionIsRestoredUnconfirmed() async throws {
        let manager = SessionManager(store: try await storing(Self.ada))
        #expect(try await AuthStream { try await manager.restore() }.value == Self.ada.user)
        #expect(manager.state == .signedIn(Self.ada.user, .cached))
        #expect(manager.session == Self.ada)
    }

    @Test func aLockedStoreIsWaitedForAndNeverTakenForAnEmptyOne() async throws {
        let store = try await storing(Self.ada)
        store.lock()
        let manager = SessionManager(store: store)
        var states = manager.states.makeAsyncIterator()
        let restoring = Task { await outcome(of: AuthStream { try await manager.restore() }) }
        #expect(await states.next() == .restoring(.reading))
        #expect(await states.next() == .restoring(.waitingForUnlock))
        store.unlock()
        #expect(await states.next() == .signedIn(Self.ada.user, .cached))
        #expect(await restoring.value == .success(Self.ada.user))
    }

    @Test func cancellingAWaitForTheUnlockLeavesTheStateRestoring() async throws {
        let store = try await storing(Self.ada)
        store.lock()
        let manager = SessionManager(store: store)
        var states = manager.states.makeAsyncIterator()
        let restoring = Task { await outcome(of: AuthStream { try await manager.restore() }) }
        while await states.next() != .restoring(.waitingForUnlock) {}
        restoring.cancel()
        #expect(await restoring.value?.error?.code == .cancelled)
        #expect(manager.state == .restoring(.waitingForUnlock))
    }

    @Test func aDamagedRecordIsReportedAndSetAside() async throws {
        let memory = MemorySessionStore()
        try await memory.write(Data("{".utf8), for: .session)
        let manager = SessionManager(store: memory)
        var events = manager.events.makeAsyncIterator()
        #expect(await outcome(of: AuthStream { try await manager.restore() }) == .success(nil))
        #expect(manager.state == .signedOut(nil))
        #expect(await events.next()?.withoutExplanation == AuthEvent(.recordSetAside, failure: .init(.storage)))
        #expect(try await memory.read(.session).data == Data("{".utf8), "Another process may still write it anew.")
        #expect(try await memory.read(.damagedSession).data == Data("{".utf8))
    }

    @Test func aRecordOfANewerVersionIsReportedAndLeftAsItIs() async throws {
        let memory = MemorySessionStore()
        let record = try SessionRecord(Self.ada).data()
        let newer = String(decoding: record, as: UTF8.self).replacing("\"version\":3", with: "\"version\":1003")
        try await memory.write(Data(newer.utf8), for: .session)
        let error = await outcome(of: AuthStream { try await SessionManager(store: memory).restore() })?.error
        #expect(error?.explanation.contains("newer version") == true)
        #expect(try await memory.read(.session).data == Data(newer.utf8))
    }

    @Test func recordOfANewerVersionIsNamedSoInEveryForm() async throws {
        let memory = MemorySessionStore()
        try await memory.write(Data(#"{"version":1003,"tokens":{}}"#.utf8), for: .session)
        let error = await outcome(of: AuthStream { try await SessionManager(store: memory).restore() })?.error
        #expect(error?.explanation.contains("newer version") == true)
    }

    @Test func restoringAgainAfterAFailureThatPassedFindsTheSession() async throws {
        let store = try await storing(Self.ada)
        store.fail(.read, times: 1)
        let manager = SessionManager(store: store)
        #expect(await outcome(of: AuthStream { try await manager.restore() })?.error?.code == .storage)
        #expect(manager.state == .signedOut(nil))
        #expect(await outcome(of: AuthStream { try await manager.restore() }) == .success(Self.ada.user))
        #expect(manager.state == .signedIn(Self.ada.user, .cached))
    }

    @Test func aSignInThatCameDuringTheReadWinsOverTheStore() async throws {
        let store = try await storing(Self.ada)
        let manager = SessionManager(store: store)
        let hold = store.hold(.read)
        let restoring = Task { await outcome(of: AuthStream { try await manager.restore() }) }
        await hold.reached()
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let signingIn = Task { await outcome(of: signIn(with: ScriptedProvider(.naver, userID: "7"))) }
        try await wait(for: "the sign-in to be shown") { manager.state != .restoring(.reading) }
        hold.release()
        #expect(await signingIn.value?.error == nil)
        _ = await restoring.value
        #expect(manager.state.user?.id == "naver:7")
        #expect(try await stored(in: store)?.user.id == "naver:7")
    }

    // MARK: Signing out

    @Test func signingOutEndsTheSessionInMemoryBeforeTheStoreIsCleared() async throws {
        let store = try await storing(Self.ada)
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        let hold = store.hold(.write)
        let repository = ScriptedRepository()
        let signingOut = Task { await outcome(of: AuthSignOut(repository: repository, manager: manager)()) }
        await hold.reached()
        #expect(manager.state == .signedOut(.user))
        #expect(repository.calls.isEmpty)
        hold.release()
        #expect(await signingOut.value?.error == nil)
        #expect(repository.calls == [.signOut("ada")])
        #expect(try await store.session() == nil)
    }

    @Test func signingOutWithoutAUserIsASuccessWithoutARequest() async throws {
        let manager = SessionManager(store: MemorySessionStore())
        _ = try await manager.restore()
        let repository = ScriptedRepository()
        #expect(await outcome(of: AuthSignOut(repository: repository, manager: manager)())?.error == nil)
        #expect(repository.calls.isEmpty)
        #expect(manager.state == .signedOut(nil))
    }

    @Test func aStoreThatCannotBeClearedIsReportedAndClearedAtTheNextChance() async throws {
        let store = try await storing(Self.ada)
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        for call in [FaultySessionStore.Call.write, .remove] { store.fail(call, times: 1) }
        let signOut = AuthSignOut(repository: ScriptedRepository(), manager: manager)
        #expect(await outcome(of: signOut())?.error?.code == .storage)
        #expect(manager.state == .signedOut(.user))
        _ = try await manager.restore()
        #expect(try await store.session() == nil)
        #expect(manager.state == .signedOut(.user))
    }

    @Test func theServerIsToldOfASignOutAlsoWhenTheStoreFails() async throws {
        let store = try await storing(Self.ada)
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        for call in [FaultySessionStore.Call.write, .remove] { store.fail(call, times: 1) }
        let repository = ScriptedRepository()
        #expect(await outcome(of: AuthSignOut(repository: repository, manager: manager)())?.error?.code == .storage)
        #expect(repository.calls == [.signOut("ada")])
    }

    @Test func aSlowWriteOfASessionCannotUndoALaterSignOut() async throws {
        let store = try await storing(nil)
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        let hold = store.hold(.write)
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let signingIn = Task { await outcome(of: signIn(with: ScriptedProvider(.kakao))) }
        await hold.reached()
        let signingOut = Task {
            await outcome(of: AuthSignOut(repository: ScriptedRepository(), manager: manager)())
        }
        try await wait(for: "the sign-out to be shown") { if case .signingIn = manager.state { false } else { true } }
        hold.release()
        #expect(await signingIn.value?.error?.code == .superseded)
        #expect(await signingOut.value?.error == nil)
        #expect(manager.state == .signedOut(nil))
        #expect(try await store.session() == nil)
    }

    // MARK: Readers that fall behind

    @Test func aStatesReaderThatFellBehindIsAnEvent() async throws {
        let manager = SessionManager(store: MemorySessionStore(), limit: 2)
        var (states, events) = (manager.states.makeAsyncIterator(), manager.events.makeAsyncIterator())
        try await manager.commit(Self.ada, by: manager.begin())
        _ = manager.transition { machine, _ in machine.signOut() }
        try await manager.commit(Self.ada, by: manager.begin())
        #expect(await states.next() == .restoring(.reading))
        #expect(await states.next() == manager.state)
        #expect(states.skipped == 4)
        manager.finish()
        var gaps: [AuthEvent] = []
        while let event = await events.next() { if event.kind == .readerFellBehind { gaps.append(event) } }
        #expect(gaps == [AuthEvent(.readerFellBehind, details: .missed(4))])
    }

    // MARK: Lifetime

    @Test func readersEndWithTheManager() async {
        var manager: SessionManager? = SessionManager(store: MemorySessionStore())
        weak let gone = manager
        guard let states = manager?.states, let events = manager?.events else { return }
        let reading = Task { await states.reduce(into: 0) { count, _ in count += 1 } }
        let listening = Task { await events.reduce(into: 0) { count, _ in count += 1 } }
        manager = nil
        #expect(gone == nil)
        #expect(await reading.value <= 1)
        #expect(await listening.value == 0)
    }
}
