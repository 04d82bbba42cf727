import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// What a store holds at each step of an adoption, so that a process may die at any of them.
@Suite struct AdoptionStoreTests {
    private static let ada = Session.sample(user: "ada")
    private static let adas = AdoptableSession(refreshToken: Secret("old"), user: ada.user)
    private let store = FaultySessionStore()

    private func keeper(
        leftBehind: (@Sendable () async throws -> AdoptableSession?)? = nil
    ) async throws -> SessionKeeper {
        let keeper = SessionKeeper(store: store, leftBehind: leftBehind.map { LeftBehind(find: $0) })
        _ = try await keeper.restore()
        return keeper
    }

    @Test func aSessionToAdoptIsStoredBeforeAnyoneSeesIt() async throws {
        let keeper = try await keeper()
        let hold = store.hold(.write)
        let beginning = Task { _ = await keeper.beginAdoption(of: Self.adas) }
        await hold.reached()
        #expect(keeper.state == .signedOut(nil))
        hold.release()
        await beginning.value
        #expect(keeper.state == .signedIn(Self.ada.user, .cached))
    }

    @Test func aSignOutWhileItIsStoredLeavesNothing() async throws {
        let keeper = try await keeper()
        let hold = store.hold(.write)
        let beginning = Task { _ = await keeper.beginAdoption(of: Self.adas) }
        await hold.reached()
        _ = keeper.end(.user)
        let clearing = Task { try await keeper.persist() }
        while keeper.storeGate.waiting == 0 { await Task.yield() }
        hold.release()
        await beginning.value
        try await clearing.value
        #expect(try await store.read(.session).data == nil)
        #expect(keeper.adoption == nil)
    }

    @Test func aSignOutWhileTheStoreIsReadOnceMoreKeepsItFromBeingStored() async throws {
        let keeper = try await keeper()
        let hold = store.hold(.read)
        let beginning = Task { _ = await keeper.beginAdoption(of: Self.adas) }
        await hold.reached()
        _ = keeper.end(.user)
        hold.release()
        await beginning.value
        #expect(!store.operations.contains(.init(.write, .session)))
    }

    @Test func anAnswerThatCameTooLateIsNeverWritten() async throws {
        let keeper = try await keeper()
        _ = await keeper.beginAdoption(of: Self.adas)
        let adoption = try #require(keeper.adoption)
        _ = keeper.end(.user)
        try await keeper.persist()
        let before = store.operations
        await #expect(throws: AuthError.self) {
            try await keeper.establish(Self.ada, by: .adoption(adoption))
        }
        #expect(store.operations.dropFirst(before.count).allSatisfy { $0.call == .read })
    }

    @Test func anAdoptionIsNotedOnlyOnceItIsStored() async throws {
        let keeper = try await keeper()
        store.fail(.write, times: 1)
        _ = await keeper.beginAdoption(of: Self.adas)
        #expect(try await store.read(.adoption).data == nil)
    }

    @Test func whatWasAdoptedWhenAskedIsNotAdoptedAgainByALaterVersion() async throws {
        let earlier = try await keeper()
        _ = await earlier.beginAdoption(of: Self.adas)
        _ = earlier.end(.user)
        try await earlier.persist()
        let later = try await keeper { Self.adas }
        #expect(later.state == .signedOut(nil))
    }

    @Test func whatWasLeftIsAskedForOncePerLaunch() async throws {
        let asked = Lock(0)
        let keeper = try await keeper {
            asked.withLock { $0 += 1 }
            return nil
        }
        _ = try await keeper.restore()
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func cancellingTheQuestionLeavesTheAdoptionUndecided() async throws {
        let keeper = try await keeper()
        let asked = OneShot<Void>()
        let repository = ScriptedRepository(adopt: { _ in
            asked.resolve(())
            _ = await OneShot<Void>().value()
            throw CancellationError()
        })
        let adopting = Task {
            await outcome(
                of: AdoptSession(repository: repository, keeper: keeper)(AdoptableSession(refreshToken: Secret("old"))))
        }
        _ = await asked.value()
        adopting.cancel()
        #expect(await adopting.value?.error?.code == .cancelled)
        // Nobody asks any more, so nobody is known; but nothing is lost.
        #expect(keeper.state == .signedOut(nil))
        #expect(keeper.adoption != nil)
    }
}
