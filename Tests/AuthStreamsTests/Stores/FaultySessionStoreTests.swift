import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct FaultySessionStoreTests {
    private let data = Data("x".utf8)

    @Test func lockedStoreIsLockedForEveryCallUntilUnlocked() async throws {
        let store = FaultySessionStore()
        try await store.write(data, for: .session)
        store.lock()
        for call in [
            { _ = try await store.read(.session) }, { try await store.write(Data(), for: .session) },
            { try await store.remove(.session) },
        ] as [() async throws -> Void] {
            let error = try #require(await #expect(throws: AuthError.self) { try await call() })
            #expect(error.code == .storageLocked)
        }
        store.unlock()
        #expect(try await store.read(.session).data == data)
    }

    @Test func unlockingWakesWhoWaits() async {
        let store = FaultySessionStore()
        store.lock()
        store.lock()
        async let first: Void = store.waitUntilUnlocked()
        async let second: Void = store.waitUntilUnlocked()
        store.unlock()
        _ = await (first, second)
        #expect(store.operations == [])
    }

    @Test func cancellationEndsTheWaitForUnlock() async {
        let store = FaultySessionStore()
        store.lock()
        let wait = Task {
            await store.waitUntilUnlocked()
            return Task.isCancelled
        }
        wait.cancel()
        #expect(await wait.value)
    }

    @Test func failureBeforeLeavesTheRecordAndAfterDoesNot() async throws {
        let store = FaultySessionStore()
        store.fail(.write, .before, times: 1)
        await #expect(throws: AuthError.self) { try await store.write(data, for: .session) }
        #expect(try await store.read(.session).data == nil)
        store.fail(.write, .after, with: AuthError(.storage, "The disk is full."), times: 1)
        let error = try #require(
            await #expect(throws: AuthError.self) { try await store.write(data, for: .session) })
        #expect(error.explanation == "The disk is full.")
        #expect(try await store.read(.session).data == data)
    }

    @Test func failuresLastAsOrdered() async throws {
        let store = FaultySessionStore()
        store.fail(.read, times: 2)
        for _ in 0..<2 { await #expect(throws: AuthError.self) { _ = try await store.read(.session) } }
        #expect(try await store.read(.session).data == nil)
        store.fail(.remove)
        for _ in 0..<3 { await #expect(throws: AuthError.self) { try await store.remove(.session) } }
        store.heal()
        try await store.remove(.session)
    }

    @Test func failureOfOneRecordLeavesTheOthers() async throws {
        let store = FaultySessionStore()
        store.fail(.write, of: .notes)
        try await store.write(data, for: .session)
        await #expect(throws: AuthError.self) { try await store.write(data, for: .notes) }
        #expect(try await store.read(.session).data == data)
        #expect(try await store.read(.notes).data == nil)
    }

    @Test func heldCallStandsStillUntilReleasedAlsoWhenCancelled() async throws {
        let store = FaultySessionStore()
        let hold = store.hold(.write, .after)
        let write = Task {
            try await store.write(data, for: .session)
            return Task.isCancelled
        }
        await hold.reached()
        write.cancel()
        #expect(try await store.read(.session).data == data)
        hold.release()
        #expect(try await write.value)
    }

    @Test func droppedHoldReleasesItsCall() async throws {
        let store = FaultySessionStore()
        _ = store.hold(.read)
        #expect(try await store.read(.session).data == nil)
    }

    @Test func operationsAreRememberedInOrder() async throws {
        let store = FaultySessionStore()
        _ = try await store.read(.session)
        _ = try await store.write(data, for: .notes, replacing: .none)
        store.lock()
        _ = try? await store.write(nil, for: .session, replacing: .none)
        #expect(
            store.operations == [.init(.read, .session), .init(.write, .notes), .init(.remove, .session)])
    }
}

extension FaultySessionStoreTests {
    @Test func locksAndChangesAreThoseOfTheStoreBeneath() async throws {
        let base = MemorySessionStore()
        let store = FaultySessionStore(base)
        let held = try await base.lock(.session)
        let wait = Task { try await store.lock(.session) }
        wait.cancel()
        await #expect(throws: AuthError.self) { try await wait.value }
        held.release()
        try await store.lock(.session).release()

        var changes = store.changes(of: .session).makeAsyncIterator()
        try await base.write(Data(), for: .session)
        #expect(await changes.next() != nil)
        #expect(store.operations == [])
    }

    @Test func aLockedStoreGivesNoLock() async throws {
        let store = FaultySessionStore()
        store.lock()
        let error = await #expect(throws: AuthError.self) { try await store.lock(.session) }
        #expect(error?.code == .storageLocked)
        store.unlock()
        try await store.lock(.session).release()
    }
}
