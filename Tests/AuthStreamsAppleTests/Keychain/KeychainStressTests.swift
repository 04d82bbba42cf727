import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing

@testable import AuthStreams
@testable import AuthStreamsApple

/// Two stores over one keychain, used by many tasks at once.
@Suite(.appleDevice) struct KeychainStressTests {
    private let name = SessionStoreKey(rawValue: "refresh")

    @Test func everyWriteThatSucceedsCounts() async throws {
        try await withKeychain { keychain in
            let stores = [keychain.store(), keychain.store()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask { for _ in 0..<50 { try await add(1, in: stores[number % 2]) } }
                }
                try await group.waitForAll()
            }
            let record = try await keychain.store().read(.session)
            #expect(record.data == Data("400".utf8))
            #expect(record.version.rawValue == 400)
        }
    }

    private func add(_ number: Int, in store: KeychainSessionStore) async throws {
        while true {
            let record = try await store.read(.session)
            let count = record.data.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
            let data = Data(String(count + number).utf8)
            if try await store.write(data, for: .session, replacing: record.version) != nil { return }
        }
    }

    @Test func lockHasOneHolder() async throws {
        try await withKeychain { keychain in
            let stores = [keychain.store(), keychain.store()]
            let holders = Lock((now: 0, most: 0, all: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        for _ in 0..<10 {
                            let lock = try await stores[number % 2].lock(name)
                            holders.withLock { holders in
                                holders.now += 1
                                holders.all += 1
                                holders.most = max(holders.most, holders.now)
                            }
                            await Task.yield()
                            #expect(lock.isHeld)
                            holders.withLock { $0.now -= 1 }
                            lock.release()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(holders.withLock { $0.most } == 1)
            #expect(holders.withLock { $0.all } == 80)
            #expect(try stores[0].place.lock(name).read() == nil)
        }
    }

    @Test func suspensionsAtAnyMomentLeaveNoLeaseBehind() async throws {
        try await withKeychain { keychain in
            let stores = [keychain.store(), keychain.store()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        for _ in 0..<20 {
                            // A caller whose process is being suspended is told so.
                            guard let lock = try? await stores[number % 2].lock(name) else { continue }
                            await Task.yield()
                            lock.release()
                        }
                    }
                }
                // A busy loop, because a suspension at any moment is what is tested.
                let suspending = Task {
                    while !Task.isCancelled {
                        AppleDevice.expireActivities()
                        await Task.yield()
                    }
                }
                defer { suspending.cancel() }
                try await group.waitForAll()
                suspending.cancel()
                await suspending.value
            }
            #expect(try stores[0].place.lock(name).read() == nil)
            #expect(try await stores[1].lock(name).isHeld)
            try await wait(for: "the process to give back the time that the system gave it") {
                AppleDevice.expiringActivities.isEmpty
            }
        }
    }
}
