import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing
import notify

@testable import AuthStreams
@testable import AuthStreamsApple

/// The lock across processes.
@Suite(.appleDevice) struct KeychainLeaseTests {
    private let name = LeaseProcess.name
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    // MARK: One holder

    @Test func releasedLockLeavesNothing() async throws {
        try await withKeychain { keychain async throws in
            let store = keychain.store()
            let lock = try await store.lock(name)
            #expect(lock.isHeld)
            #expect(try store.place.lock(name).read() != nil)
            #expect(AppleDevice.expiringActivities.count == 1)
            lock.release()
            lock.release()
            #expect(!lock.isHeld)
            #expect(try store.place.lock(name).read() == nil)
            try await AppleDevice.waitUntilNoActivity()
        }
    }

    @Test func waiterIsWokenByTheRelease() async throws {
        try await withKeychain { keychain async throws in
            let (first, second) = (LeaseProcess(keychain), LeaseProcess(keychain))
            let lock = try await first.store.lock(name)
            let wait = try await second.waitForLock()
            await second.clock.waitForSleepers(count: 1)
            lock.release()
            // No clock moves.
            #expect(try await wait.value.isHeld)
        }
    }

    @Test func waiterThatMissesTheReleaseAsksAgain() async throws {
        AppleDevice.Notifications.isRefused = true
        try await withKeychain { keychain async throws in
            let (first, second) = (LeaseProcess(keychain), LeaseProcess(keychain))
            let lock = try await first.store.lock(name)
            let wait = try await second.waitForLock()
            await second.clock.waitForSleepers(count: 1)
            lock.release()
            await second.pass(seconds: 1)
            #expect(try await wait.value.isHeld)
        }
    }

    @Test func waiterIsToldThatTheLimitIsReached() async throws {
        try await withKeychain { keychain async throws in
            let (first, second) = (LeaseProcess(keychain), LeaseProcess(keychain))
            let lock = try await first.store.lock(name)
            let wait = try await second.waitForLock(atMost: .seconds(3))
            await second.pass(seconds: 3)
            let error = await #expect(throws: AuthError.self) { try await wait.value }
            #expect(error?.code == .timedOut)
            #expect(lock.isHeld)
        }
    }

    @Test func limitIsReachedAlsoBeforeTheWaiterAsksAgain() async throws {
        try await withKeychain { keychain async throws in
            let (first, second) = (LeaseProcess(keychain), LeaseProcess(keychain))
            let lock = try await first.store.lock(name)
            let wait = try await second.waitForLock(atMost: .milliseconds(300))
            let error = Promise<AuthError?>()
            Task { error.resolve(await wait.authError) }
            await second.clock.waitForSleepers(count: 1)
            second.clock.advance(by: .milliseconds(300))
            try await TestSupport.wait(for: "the limit to end the wait") { error.current != nil }
            #expect(error.current??.code == .timedOut)
            #expect(lock.isHeld)
        }
    }

    @Test func callersOfOneStoreQueueUntilTheLimit() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            let lock = try await process.store.lock(name)
            let wait = Task { try await process.store.lock(name, waitingAtMost: .seconds(3)) }
            // The renewal, and the limit.
            await process.pass(seconds: 3, sleepers: 2)
            let error = await #expect(throws: AuthError.self) { try await wait.value }
            #expect(error?.code == .timedOut)
            #expect(AppleDevice.expiringActivities.count == 1)
            lock.release()
        }
    }

    @Test func renewedLeaseIsNotTakenOver() async throws {
        try await withKeychain { keychain async throws in
            let (first, second) = (LeaseProcess(keychain), LeaseProcess(keychain))
            let lock = try await first.store.lock(name)
            let wait = try await second.waitForLock(atMost: .seconds(120))
            for _ in 0..<100 {
                await first.pass(seconds: 1)
                await first.clock.waitForSleepers(count: 1)
                await second.pass(seconds: 1)
                #expect(lock.isHeld)
            }
            wait.cancel()
            await #expect(throws: AuthError.cancelled) { try await wait.value }
        }
    }

    // MARK: A process that died or was frozen

    @Test func leaseOfADeadProcessIsTakenOverOnceItWasSeenUnchangedForItsDuration() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            try process.die()
            let wait = try await process.waitForLock(atMost: .seconds(30))
            await process.pass(seconds: 19)
            await process.clock.waitForSleepers(count: 1)
            #expect(try process.holder == "dead")
            await process.pass(seconds: 1)
            let lock = try await wait.value
            #expect(lock.isHeld)
            #expect(try process.holder != "dead")
        }
    }

    @Test func laterCallerGoesOnWhereAnEarlierOneStoppedWaiting() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            try process.die()
            let early = try await process.waitForLock(atMost: .seconds(15))
            await process.pass(seconds: 15)
            await #expect(throws: AuthError.self) { try await early.value }
            let late = try await process.waitForLock(atMost: .seconds(15))
            await process.pass(seconds: 5)
            #expect(try await late.value.isHeld)
        }
    }

    @Test func leasesOfTwoLocksAreObservedApart() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            let names = [name, SessionStoreKey(rawValue: "other")]
            let items = names.map { process.store.place.lock($0) }
            for item in items { #expect(try item.add(Data("dead/\(item.account)".utf8), Data())) }
            let waits = names.map { name in
                Task { [store = process.store] in try await store.lock(name, waitingAtMost: .seconds(30)) }
            }
            try await TestSupport.wait(for: "both callers to ask the keychain") { items.allSatisfy { $0.attempts > 1 } }
            // After 20 seconds the leases are renewed.
            await process.pass(seconds: 30, sleepers: 2)
            for wait in waits { #expect(try await wait.value.isHeld) }
        }
    }

    @Test func takingOverIsOneUpdateThatNamesTheStaleLease() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            try process.die()
            let wait = try await process.waitForLock(atMost: .seconds(60))
            await process.pass(seconds: 19)
            await process.clock.waitForSleepers(count: 1)
            // Another process takes it over right before.
            let item = process.store.place.lock(name)
            AppleDevice.Keychain.before(.update) { call in
                #expect(call.query[kSecAttrGeneric] as? Data == Data("dead/7".utf8))
                item.overwrite(tag: Data("faster/1".utf8))
            }
            await process.pass(seconds: 1)
            await process.clock.waitForSleepers(count: 1)
            #expect(try process.holder == "faster")
            wait.cancel()
            await #expect(throws: AuthError.cancelled) { try await wait.value }
            #expect(try process.holder == "faster")
        }
    }

    @Test func frozenHolderFindsItsLockLostAndLeavesTheNextOnesAlone() async throws {
        try await withKeychain { keychain async throws in
            let (frozen, other) = (LeaseProcess(keychain), LeaseProcess(keychain))
            let lost = try await frozen.store.lock(name)
            let wait = try await other.waitForLock(atMost: .seconds(30))
            await other.pass(seconds: 20)
            let lock = try await wait.value
            // It runs again, and its first step comes before its renewal.
            #expect(!lost.isHeld)
            frozen.clock.advance(by: .seconds(3600))
            #expect(!lost.isHeld)
            lost.release()
            #expect(lock.isHeld)
        }
    }

    @Test func lostLeaseIsRenewedNoMore() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            let lease = KeychainLease(process.item, clock: process.store.clock)
            _ = try lease.take()
            #expect(lease.isHeld)
            let hasEnded = Promise<Void>()
            Task {
                await lease.keep()
                hasEnded.resolve(())
            }
            await process.clock.waitForSleepers(count: 1)
            process.item.overwrite(tag: Data("other/1".utf8))
            process.clock.advance(by: .seconds(5))
            try await TestSupport.wait(for: "the renewals to end") { hasEnded.current != nil }
            #expect(try process.holder == "other")
        }
    }

    @Test func holderThatWasFrozenIsNotHeldEvenBeforeTheNextOneComes() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            let lock = try await process.store.lock(name)
            await process.clock.waitForSleepers(count: 1)
            // The renewal does not succeed, as when the process stands still.
            AppleDevice.Keychain.answer(errSecInteractionNotAllowed, to: [.update])
            process.clock.advance(by: .seconds(19))
            #expect(lock.isHeld)
            process.clock.advance(by: .seconds(1))
            #expect(!lock.isHeld)
        }
    }

    @Test func holderThatMissedRenewalsHoldsAgainIfNoProcessCameBetween() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            let lock = try await process.store.lock(name)
            await process.clock.waitForSleepers(count: 1)
            process.clock.advance(by: .seconds(3600))
            await process.clock.waitForSleepers(count: 1)
            #expect(lock.isHeld)
        }
    }

    // MARK: Calls that take time

    /// Expects that the lock is lost at a given time of the process's clock, and not a second before.
    private func expect(_ lock: SessionStoreLock, of process: LeaseProcess, isLostAfter rest: Duration) async {
        // The renewals fail from now on.
        await process.clock.waitForSleepers(count: 1)
        AppleDevice.Keychain.answer(errSecInteractionNotAllowed, to: [.update])
        process.clock.advance(by: rest - .seconds(1))
        #expect(lock.isHeld)
        process.clock.advance(by: .seconds(1))
        #expect(!lock.isHeld)
    }

    /// Another process may see the new lease from the beginning of the call on.
    @Test func leaseCountsFromBeforeTheCallThatTakesIt() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            AppleDevice.Keychain.before(.add) { _ in process.clock.advance(by: .seconds(4)) }
            let lock = try await process.store.lock(name)
            await expect(lock, of: process, isLostAfter: .seconds(16))
        }
    }

    @Test func leaseCountsFromBeforeTheCallThatTakesItOver() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            try process.die()
            let wait = try await process.waitForLock()
            AppleDevice.Keychain.before(.update) { _ in process.clock.advance(by: .seconds(4)) }
            await process.pass(seconds: 20)
            await expect(try wait.value, of: process, isLostAfter: .seconds(16))
        }
    }

    @Test func leaseCountsFromBeforeTheCallThatRenewsIt() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            let lock = try await process.store.lock(name)
            AppleDevice.Keychain.before(.update) { _ in process.clock.advance(by: .seconds(4)) }
            await process.pass(seconds: 5)
            await expect(lock, of: process, isLostAfter: .seconds(16))
        }
    }

    // MARK: The date

    @Test(arguments: [-365, 365])
    func changeOfTheDateEndsNoLeaseAndKeepsNone(days: Int) async throws {
        let seconds = TimeInterval(days * 86_400)
        try await withKeychain { keychain async throws in
            let date = Lock(noon)
            let processes = (0..<2).map { _ in LeaseProcess(keychain) { date.withLock { $0 } } }
            let lock = try await processes[0].store.lock(name)
            let wait = try await processes[1].waitForLock(atMost: .seconds(120))
            await processes[1].pass(seconds: 1)
            date.withLock { $0 += seconds }
            // The holder lives: its lease goes on.
            for _ in 0..<25 {
                for process in processes { await process.pass(seconds: 1) }
                for process in processes { await process.clock.waitForSleepers(count: 1) }
            }
            #expect(lock.isHeld)
            // The holder is frozen: its lease ends.
            date.withLock { $0 -= seconds * 2 }
            // Its last renewal may have been seen a second later.
            await processes[1].pass(seconds: 22)
            #expect(try await wait.value.isHeld)
            #expect(!lock.isHeld)
        }
    }

    // MARK: Suspension

    @Test func lockIsGivenBackBeforeTheProcessIsSuspended() async throws {
        try await withKeychain { keychain async throws in
            let store = keychain.store()
            let lock = try await store.lock(name)
            AppleDevice.expireActivities()
            #expect(!lock.isHeld)
            #expect(try store.place.lock(name).read() == nil)
            try await AppleDevice.waitUntilNoActivity()
            let next = try await keychain.store().lock(name)
            lock.release()
            #expect(next.isHeld)
        }
    }

    @Test func processWithoutTimeGetsNoLock() async throws {
        AppleDevice.refusesExpiringActivities = true
        try await withKeychain { keychain async throws in
            let store = keychain.store()
            let error = await #expect(throws: AuthError.self) { try await store.lock(name) }
            #expect(error?.code == .storage)
            #expect(error?.explanation.contains("suspend") == true)
            #expect(try store.place.lock(name).read() == nil)
            AppleDevice.refusesExpiringActivities = false
            #expect(try await store.lock(name).isHeld)
        }
    }

    @Test func waiterThatIsSuspendedGetsNoLock() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            try process.die()
            let wait = try await process.waitForLock()
            await process.clock.waitForSleepers(count: 1)
            // It is woken by its own announcement, and no clock moves.
            AppleDevice.expireActivities()
            let error = await #expect(throws: AuthError.self) { try await wait.value }
            #expect(error?.code == .storage)
            #expect(try process.holder == "dead")
        }
    }

    @Test func cancelledCallerHasNoLockAndNoActivity() async throws {
        try await withKeychain { keychain async throws in
            let store = keychain.store()
            let wait = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await store.lock(name)
            }
            await #expect(throws: AuthError.cancelled) { try await wait.value }
            #expect(try store.place.lock(name).read() == nil)
            try await AppleDevice.waitUntilNoActivity()
        }
    }

    // MARK: A keychain that fails

    @Test func lockThatMayHaveBeenTakenIsGivenBack() async throws {
        try await withKeychain { keychain async throws in
            let store = keychain.store()
            AppleDevice.Keychain.answer(errSecIO, to: [.add], times: 1, afterwards: true) {
                $0.account?.hasPrefix(".") == true
            }
            let error = await #expect(throws: AuthError.self) { try await store.lock(name) }
            #expect(error?.code == .storage)
            #expect(try store.place.lock(name).read() == nil)
            try await AppleDevice.waitUntilNoActivity()
        }
    }

    @Test func renewalThatFailsAfterItTookEffectLosesNothing() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            let lock = try await process.store.lock(name)
            AppleDevice.Keychain.answer(errSecIO, to: [.update], times: 1, afterwards: true)
            await process.pass(seconds: 30)
            await process.clock.waitForSleepers(count: 1)
            #expect(lock.isHeld)
            lock.release()
            #expect(try process.store.place.lock(name).read() == nil)
        }
    }

    @Test func lockThatCannotBeLookedAtIsNotHeld() async throws {
        try await withKeychain { keychain async throws in
            let lock = try await keychain.store().lock(name)
            AppleDevice.Keychain.answer(errSecIO, to: [.copyMatching])
            #expect(!lock.isHeld)
        }
    }

    @Test func storeAndItsLocksEnd() async throws {
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            weak var leases: KeychainLeases?
            do {
                let store = keychain.store(clock: process.clock.authClock(startingAt: noon))
                leases = store.leases
                _ = try await store.lock(name)
            }
            #expect(leases == nil)
            #expect(AppleDevice.Notifications.registrations == 0)
            // The renewal ended with the lease.
            try await wait(for: "the renewal of the lease to end") { process.clock.sleeperCount == 0 }
            try await AppleDevice.waitUntilNoActivity()
        }
    }
}
