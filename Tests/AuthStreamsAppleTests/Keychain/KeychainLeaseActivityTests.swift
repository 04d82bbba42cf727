import AppleFoundation
import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// The system grants the time to hold a lock late, or never.
@Suite(.appleDevice) struct KeychainLeaseActivityTests {
    /// Begins to wait for the lock, and returns once the system was asked for time.
    private func ask(
        _ process: LeaseProcess, waitingAtMost limit: Duration = .seconds(30)
    ) async throws -> Task<SessionStoreLock, any Error> {
        let wait = Task { [store = process.store] in try await store.lock(LeaseProcess.name, waitingAtMost: limit) }
        try await TestSupport.wait(for: "the process to ask the system for time") {
            !AppleDevice.delayedActivities.isEmpty
        }
        return wait
    }

    @Test func timeThatIsGrantedLateGivesTheLock() async throws {
        AppleDevice.delaysExpiringActivities = true
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            let wait = try await ask(process)
            await process.pass(seconds: 29)
            #expect(try process.holder == nil, "Without time nothing is taken.")
            AppleDevice.grantDelayedActivities()
            #expect(try await wait.value.isHeld)
        }
    }

    /// What the wait for the time took is not waited again for the holder.
    @Test func waitForTheTimeCountsTowardsTheLimit() async throws {
        try await withKeychain { keychain async throws in
            let (first, second) = (LeaseProcess(keychain), LeaseProcess(keychain))
            let lock = try await first.store.lock(LeaseProcess.name)
            AppleDevice.delaysExpiringActivities = true
            let wait = try await ask(second, waitingAtMost: .seconds(10))
            await second.pass(seconds: 9)
            let attempts = second.item.attempts
            AppleDevice.grantDelayedActivities()
            try await TestSupport.wait(for: "the process to ask the keychain for the lock") {
                second.item.attempts > attempts
            }
            await second.pass(seconds: 1)
            #expect(await wait.authError?.code == .timedOut)
            #expect(lock.isHeld)
        }
    }

    /// The system answers on another thread, so its answer comes after a limit of zero.
    @Test func callerThatWaitsForNoHolderWaitsForTheTime() async throws {
        AppleDevice.delaysExpiringActivities = true
        try await withKeychain { keychain async throws in
            let wait = try await ask(LeaseProcess(keychain), waitingAtMost: .zero)
            AppleDevice.grantDelayedActivities()
            #expect(try await wait.value.isHeld)
        }
    }

    @Test func timeThatIsNeverGrantedEndsTheWaitAtTheLimit() async throws {
        AppleDevice.delaysExpiringActivities = true
        try await withKeychain { keychain async throws in
            let process = LeaseProcess(keychain)
            let wait = try await ask(process)
            await process.pass(seconds: 30)
            let error = await wait.authError
            #expect(error?.code == .timedOut && error?.explanation.contains("'refresh'") == true)
            #expect(try process.holder == nil)
            // The next caller has its turn, and what is granted after the limit is given back.
            AppleDevice.grantDelayedActivities()
            try await AppleDevice.waitUntilNoActivity()
            #expect(try await process.store.lock(LeaseProcess.name).isHeld)
        }
    }

    @Test func cancelledCallerWaitsForNoTime() async throws {
        AppleDevice.delaysExpiringActivities = true
        try await withKeychain { keychain async throws in
            let wait = try await ask(LeaseProcess(keychain))
            wait.cancel()
            #expect(await wait.authError?.code == .cancelled)
            AppleDevice.grantDelayedActivities()
            try await AppleDevice.waitUntilNoActivity()
        }
    }
}
