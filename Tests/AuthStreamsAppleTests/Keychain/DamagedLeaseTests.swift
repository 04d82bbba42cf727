import AppleFoundation
import AuthStreams
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing

@testable import AuthStreamsApple

/// A lease that no process of the app wrote, or that is damaged, blocks no longer than that of a process that died.
@Suite(.appleDevice) struct DamagedLeaseTests {
    /// Leaves a lease item without a tag.
    private func leaveUntagged(_ item: KeychainItem) {
        var attributes = item.place.query
        attributes[kSecAttrAccount] = item.account
        attributes[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        #expect(SecItemAdd(attributes, nil) == errSecSuccess)
    }

    @Test func leaseOfAnotherFormIsTakenOver() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            #expect(try process.item.add(Data("not a lease".utf8), Data()))
            let wait = try await process.waitForLock()
            await process.pass(seconds: 20)
            #expect(try await wait.value.isHeld)
        }
    }

    @Test func leaseWhoseDataCannotBeDecodedIsTakenOver() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            try process.die()
            AppleDevice.Keychain.answer(errSecDecode, to: [.copyMatching]) { $0.query[kSecReturnData] as? Bool == true }
            let wait = try await process.waitForLock()
            await process.pass(seconds: 20)
            #expect(try await wait.value.isHeld)
        }
    }

    @Test func leaseWithoutATagIsDeletedOnceItWasSeenForTheDurationOfALease() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            leaveUntagged(process.item)
            let wait = try await process.waitForLock()
            await process.pass(seconds: 19)
            await process.clock.waitForSleepers(count: 1)
            #expect(try process.item.read() != nil)
            // The deletion, and the pause before the next attempt.
            await process.pass(seconds: 2)
            let lock = try await wait.value
            #expect(lock.isHeld)
            lock.release()
            #expect(try process.item.read() == nil)
        }
    }

    @Test func deletionOfALeaseWithoutATagSparesTheOneThatTookItsPlace() async throws {
        try await withKeychain { keychain async throws in
            let (first, second) = (LeaseProcess(keychain), LeaseProcess(keychain))
            leaveUntagged(first.item)
            let wait = try await first.waitForLock(atMost: .seconds(60))
            await first.pass(seconds: 19)
            await first.clock.waitForSleepers(count: 1)
            // Right before the deletion, another process deletes it and takes the lock.
            let item = first.item
            AppleDevice.Keychain.before(.delete) { _ in
                guard let theirs = try? item.read()?.identity else { return }
                try? item.delete(theirs)
                _ = try? item.add(Data("faster/1".utf8), Data())
            }
            await first.pass(seconds: 1)
            await first.clock.waitForSleepers(count: 1)
            #expect(try second.holder == "faster")
            wait.cancel()
            #expect(await wait.authError?.code == .cancelled)
            #expect(try second.holder == "faster")
        }
    }
}
