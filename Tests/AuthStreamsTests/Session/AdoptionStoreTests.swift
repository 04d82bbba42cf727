import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// What a store holds at each step of an adoption, so that a process may die at any of them.
@Suite struct AdoptionStoreTests {
    private static let ada = Session.sample(user: "ada")
    private static let adas = LegacySession(refreshToken: Secret("old"), user: ada.user)
    private let store = FaultySessionStore()

    private func manager(
        find: (@Sendable () async throws -> LegacySession?)? = nil
    ) async throws -> SessionManager {
        let manager = SessionManager(store: store, migration: find.map { SessionMigration(find: $0) })
        _ = try await manager.restore()
        return manager
    }

    @Test func aSessionToAdoptIsStoredBeforeAnyoneSeesIt() async throws {
        let manager = try await manager()
        let hold = store.hold(.write)
        let beginning = Task { _ = await manager.beginMigration(of: Self.adas) }
        await hold.reached()
        #expect(manager.state == .signedOut(nil))
        hold.release()
        await beginning.value
        #expect(manager.state == .signedIn(Self.ada.user, .cached))
    }

    @Test func aSignOutWhileItIsStoredLeavesNothing() async throws {
        let manager = try await manager()
        let hold = store.hold(.write)
        let beginning = Task { _ = await manager.beginMigration(of: Self.adas) }
        await hold.reached()
        _ = manager.transition { $0.signedOut(at: $1) }
        let clearing = Task { try await manager.persistPending() }
        try await wait(for: "the sign-out to wait for the store") { manager.storeMutex.waiting > 0 }
        hold.release()
        await beginning.value
        try await clearing.value
        #expect(try await store.read(.session).data == nil)
        #expect(manager.migrationRequest == nil)
    }

    @Test func aSignOutWhileTheStoreIsReadOnceMoreKeepsItFromBeingStored() async throws {
        let manager = try await manager()
        let hold = store.hold(.read)
        let beginning = Task { _ = await manager.beginMigration(of: Self.adas) }
        await hold.reached()
        _ = manager.transition { $0.signedOut(at: $1) }
        hold.release()
        await beginning.value
        #expect(!store.operations.contains(.init(.write, .session)))
    }

    @Test func anAnswerThatCameTooLateIsNeverWritten() async throws {
        let manager = try await manager()
        _ = await manager.beginMigration(of: Self.adas)
        let adoption = try #require(manager.migrationRequest)
        _ = manager.transition { $0.signedOut(at: $1) }
        try await manager.persistPending()
        let before = store.operations
        await #expect(throws: AuthError.self) {
            try await manager.commit(Self.ada, migrating: adoption)
        }
        #expect(store.operations.dropFirst(before.count).allSatisfy { $0.call == .read })
    }

    @Test func anAdoptionIsNotedOnlyOnceItIsStored() async throws {
        let manager = try await manager()
        store.fail(.write, times: 1)
        _ = await manager.beginMigration(of: Self.adas)
        #expect(try await store.read(.adoption).data == nil)
    }

    @Test func whatWasAdoptedWhenAskedIsNotAdoptedAgainByALaterVersion() async throws {
        let earlier = try await manager()
        _ = await earlier.beginMigration(of: Self.adas)
        _ = earlier.transition { $0.signedOut(at: $1) }
        try await earlier.persistPending()
        let later = try await manager { Self.adas }
        #expect(later.state == .signedOut(nil))
    }

    @Test func whatWasLeftIsAskedForOncePerLaunch() async throws {
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
                    LegacySession(refreshToken: Secret("old"))))
        }
        _ = await asked.value()
        adopting.cancel()
        #expect(await adopting.value?.error?.code == .cancelled)
        // No caller asks any more, so no user is known; but nothing is lost.
        #expect(manager.state == .signedOut(nil))
        #expect(manager.migrationRequest != nil)
    }
}
