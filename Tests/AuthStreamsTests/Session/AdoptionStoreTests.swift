import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// What a store holds at each step of an adoption, so that a process may die at any of them.
@Suite struct AdoptionStoreTests {
    private static let ada = AuthSession.sample(user: "ada")
    private static let adas = AdoptableSession(refreshToken: Secret("old"), user: ada.user)
    private let store = FaultySessionStore()

    private func manager(
        find: (@Sendable () async throws -> AdoptableSession?)? = nil
    ) async throws -> SessionManager {
        let manager = SessionManager(store: store, adoption: find.map { SessionAdoption(find: $0) })
        _ = try await manager.restore()
        return manager
    }

    @Test func aSessionToAdoptIsStoredBeforeAnyoneSeesIt() async throws {
        let manager = try await manager()
        let hold = store.hold(.write)
        let beginning = Task { await manager.beginAdoption(of: Self.adas) }
        await hold.reached()
        #expect(manager.state == .signedOut(nil))
        hold.release()
        _ = await beginning.value
        #expect(manager.state == .signedIn(Self.ada.user, .cached))
    }

    @Test func aSignOutWhileItIsStoredLeavesNothing() async throws {
        let manager = try await manager()
        let hold = store.hold(.write)
        let beginning = Task { await manager.beginAdoption(of: Self.adas) }
        await hold.reached()
        _ = manager.transition { machine, _ in machine.signOut() }
        let clearing = Task { try await manager.persistPending() }
        try await wait(for: "the sign-out to wait for the store") { manager.storeMutex.waiting > 0 }
        hold.release()
        _ = await beginning.value
        try await clearing.value
        #expect(try await store.session() == nil)
        #expect(manager.read { $0.kept } == nil)
    }

    @Test func aSignOutWhileTheStoreIsReadOnceMoreKeepsItFromBeingStored() async throws {
        let manager = try await manager()
        let hold = store.hold(.read)
        let beginning = Task { await manager.beginAdoption(of: Self.adas) }
        await hold.reached()
        _ = manager.transition { machine, _ in machine.signOut() }
        hold.release()
        _ = await beginning.value
        #expect(try await store.session() == nil)
    }

    /// The app's closure has returned a session, and the person signs out before it is stored.
    @Test func aSignOutDuringTheLaunchIsNotUndone() async throws {
        let reading = Promise<FaultySessionStore.Hold>()
        let manager = SessionManager(
            store: store,
            adoption: SessionAdoption(find: { [store] in
                reading.resolve(store.hold(.read, of: .session))
                return Self.adas
            }))
        let restoring = Task { try await manager.restore() }
        let hold = await reading.value()
        await hold?.reached()
        _ = manager.transition { machine, _ in machine.signOut() }
        hold?.release()
        _ = try await restoring.value
        #expect(manager.state == .signedOut(nil))
        #expect(try await store.session() == nil)
    }

    @Test func anAnswerThatCameTooLateIsNeverWritten() async throws {
        let manager = try await manager()
        await manager.beginAdoption(of: Self.adas)
        let refresh = try #require(manager.refreshBegan())
        let request = try #require(manager.read { $0.request(for: refresh) })
        _ = manager.transition { machine, _ in machine.signOut() }
        try await manager.persistPending()
        let before = store.operations
        await #expect(throws: AuthError.self) {
            try await manager.commit(Self.ada, to: request)
        }
        #expect(store.operations.dropFirst(before.count).allSatisfy { $0.call == .read })
    }

    @Test func anAdoptionIsNotedOnlyOnceItIsStored() async throws {
        let manager = try await manager()
        store.fail(.write, times: 1)
        await manager.beginAdoption(of: Self.adas)
        #expect(try await store.read(.session) == StoredRecord(data: nil, version: .none))
    }

    /// What another process has decided is not known, and that is newer than an adoption.
    @Test(arguments: [false, true]) func nothingIsAdoptedWhileTheRecordCannotBeRead(isNewer: Bool) async throws {
        let manager = isNewer ? try await manager() : SessionManager(store: store)
        if isNewer {
            let record = #"{"version":1001,"session":{"id":"n","revision":0,"renewal":0,"edition":0},"ended":[]}"#
            try await store.write(Data(record.utf8), for: .session)
        } else {
            store.fail(.read)
        }
        let (state, stored) = (manager.state, store.operations.count)
        await manager.beginAdoption(of: Self.adas)
        #expect(manager.state == state && manager.read { $0.kept } == nil)
        store.heal()
        try await manager.persistPending()
        #expect(store.operations.dropFirst(stored).allSatisfy { $0.call == .read })
    }

    @Test func whatWasAdoptedWhenAskedIsNotAdoptedAgainByALaterVersion() async throws {
        let earlier = try await manager()
        await earlier.beginAdoption(of: Self.adas)
        _ = earlier.transition { machine, _ in machine.signOut() }
        try await earlier.persistPending()
        let later = try await manager { Self.adas }
        #expect(later.state == .signedOut(nil))
    }

    @Test func adoptableSessionIsAskedForOncePerLaunch() async throws {
        let asked = Lock(0)
        let manager = try await manager {
            asked.withLock { $0 += 1 }
            return nil
        }
        _ = try await manager.restore()
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func cancellingTheQuestionLeavesTheAdoptionUndecided() async throws {
        let manager = try await manager()
        let asked = Promise<Void>()
        let repository = ScriptedRepository(adopt: { _ in
            asked.resolve(())
            _ = await Promise<Void>().value()
            throw CancellationError()
        })
        let adopting = Task {
            await outcome(
                of: AdoptSession(repository: repository, manager: manager)(
                    AdoptableSession(refreshToken: Secret("old"))))
        }
        _ = await asked.value()
        adopting.cancel()
        #expect(await adopting.value?.error?.code == .cancelled)
        // The request continues, as every refresh does.
        #expect(manager.state == .restoring(.adopting))
        #expect(manager.read { $0.kept?.adoptable } != nil)
    }
}
