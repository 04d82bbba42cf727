import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing
import UIKit
import notify

@testable import AuthStreams
@testable import AuthStreamsApple

/// Changes of other processes, and the unlock.
@Suite(.appleDevice) struct KeychainChangesTests {
    private let record = Data("record".utf8)

    private func enterForeground() {
        NotificationCenter.default.post(name: UIApplication.willEnterForegroundNotification, object: nil)
    }

    // MARK: Changes

    @Test func notificationIsNamedByServiceAndAccessGroup() async throws {
        AppleDevice.Keychain.accessGroups = ["TEAMID.app", "TEAMID.shared"]
        try await withKeychain { keychain in
            let store = keychain.store(service: "com.example", accessGroup: "TEAMID.shared")
            let heard = Promise<Void>()
            let name = "authstreams.keychain.TEAMID.shared.com.example.session"
            let observation = DarwinNotification.observe(name) { heard.resolve(()) }
            for other in [keychain.store(service: "com.example"), keychain.store(service: "other")] {
                #expect(other.place.notification(of: other.place.record(.session)) != name)
            }
            try await store.write(record, for: .session)
            _ = await heard.value()
            withExtendedLifetime(observation) {}
        }
    }

    @Test func writeIsAnnouncedOnceByTheNameOfItsRecord() async throws {
        try await withKeychain { keychain in
            // What an app of another test still writes is announced by other names.
            let store = keychain.store(service: "announced")
            let keys = [SessionStoreKey.session, .notes]
            for key in keys { try await store.write(record, for: key) }
            let names = keys.map { store.place.notification(of: store.place.record($0)) }
            #expect(AppleDevice.Notifications.posted.filter(names.contains) == names)
        }
    }

    @Test func refusedWriteAnnouncesNothing() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(record, for: .session)
            let posted = AppleDevice.Notifications.posted
            #expect(try await store.write(record, for: .session, replacing: RecordVersion(rawValue: 9)) == nil)
            AppleDevice.Keychain.answer(errSecIO, to: [.update])
            await #expect(throws: AuthError.self) {
                try await store.write(record, for: .session, replacing: RecordVersion(rawValue: 1))
            }
            #expect(AppleDevice.Notifications.posted == posted)
        }
    }

    @Test func returnToTheForegroundIsAnElement() async throws {
        try await withKeychain { keychain in
            let changes = keychain.store().changes(of: .session)
            enterForeground()
            #expect(await elements(in: changes) == 1)
        }
    }

    /// How many elements a reader finds without waiting, after what was posted so far was delivered.
    private func elements(in changes: AsyncStream<Void>) async -> Int {
        let delivered = Promise<Void>()
        let observation = DarwinNotification.observe("after the others") { delivered.resolve(()) }
        DarwinNotification.post("after the others")
        _ = await delivered.value()
        withExtendedLifetime(observation) {}
        return await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }.value
    }

    @Test func changesThatComeFasterThanTheyAreReadAreOneElement() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            let changes = store.changes(of: .session)
            for _ in 0..<3 { try await store.write(record, for: .session) }
            #expect(AppleDevice.Notifications.posted.count == 3)
            #expect(await elements(in: changes) == 1)
        }
    }

    @Test func changeOfAnotherRecordIsNoElement() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            let changes = store.changes(of: .session)
            try await store.write(record, for: .notes)
            #expect(await elements(in: changes) == 0)
        }
    }

    @Test func suspendedProcessHearsOnceWhenItRuns() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            let changes = store.changes(of: .session)
            AppleDevice.Notifications.suspend()
            for _ in 0..<3 { try await store.write(record, for: .session) }
            #expect(AppleDevice.Notifications.posted.count == 3)
            AppleDevice.Notifications.resume()
            #expect(await elements(in: changes) == 1)
        }
    }

    @Test func foregroundAloneIsEnough() async throws {
        AppleDevice.Notifications.isRefused = true
        try await withKeychain { keychain in
            let changes = keychain.store().changes(of: .session)
            enterForeground()
            AppleDevice.Notifications.isRefused = false
            #expect(await elements(in: changes) == 1)
        }
    }

    @Test func invalidNameEndsTheStream() async throws {
        try await withKeychain { keychain in
            for await _ in keychain.store().changes(of: SessionStoreKey(rawValue: "..")) {
                Issue.record("A change of a record that cannot be.")
            }
            #expect(AppleDevice.Notifications.registrations == 0)
        }
    }

    @Test func readerThatStopsGivesEverythingBack() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            do {
                let changes = store.changes(of: .session)
                try await store.write(record, for: .session)
                for await _ in changes { break }
            }
            #expect(AppleDevice.Notifications.registrations == 0)
            let reader = Task { for await _ in store.changes(of: .session) {} }
            try await wait(for: "the reader to register for notifications") {
                AppleDevice.Notifications.registrations > 0
            }
            reader.cancel()
            await reader.value
            #expect(AppleDevice.Notifications.registrations == 0)
            // Never read.
            _ = store.changes(of: .session)
            #expect(AppleDevice.Notifications.registrations == 0)
        }
    }

    @Test func streamDoesNotKeepTheStore() async throws {
        try await withKeychain { keychain in
            weak var leases: KeychainLeases?
            let changes: AsyncStream<Void>
            do {
                let store = keychain.store()
                leases = store.leases
                changes = store.changes(of: .session)
            }
            #expect(leases == nil)
            #expect(AppleDevice.Notifications.registrations == 1)
            withExtendedLifetime(changes) {}
        }
    }

    // MARK: The unlock

    @Test func unlockIsNotifiedAndNoClockMoves() async throws {
        try await withKeychain { keychain in
            let clock = ManualClock()
            let store = keychain.store(clock: clock.authClock(startingAt: Date()))
            try await store.write(record, for: .session)
            await AppleDevice.restart()
            let wait = Task { await store.waitUntilUnlocked() }
            await clock.waitForSleepers(count: 1)
            await AppleDevice.unlock()
            await wait.value
            #expect(try await store.read(.session).data == record)
        }
    }

    @Test func unlockDuringALookIsNotMissed() async throws {
        try await withKeychain { keychain in
            let clock = ManualClock()
            let store = keychain.store(clock: clock.authClock(startingAt: Date()))
            // The device is unlocked when the keychain has refused the item.
            AppleDevice.Keychain.before(.copyMatching) { _ in
                NotificationCenter.default.post(
                    name: UIApplication.protectedDataDidBecomeAvailableNotification, object: nil)
            }
            AppleDevice.Keychain.answer(errSecInteractionNotAllowed, to: [.copyMatching], times: 1, afterwards: true)
            let hasEnded = Promise<Void>()
            Task {
                await store.waitUntilUnlocked()
                hasEnded.resolve(())
            }
            // No clock moves.
            try await wait(for: "the unlock to be noticed") { hasEnded.current != nil }
            #expect(AppleDevice.Keychain.calls.count > 1)
        }
    }

    @Test func processThatIsNotNotifiedLooksAgain() async throws {
        try await withKeychain { keychain in
            let clock = ManualClock()
            let store = keychain.store(isExtension: true, clock: clock.authClock(startingAt: Date()))
            AppleDevice.Keychain.answer(errSecInteractionNotAllowed, times: 2)
            let wait = Task { await store.waitUntilUnlocked() }
            for _ in 0..<2 {
                await clock.waitForSleepers(count: 1)
                clock.advance(by: .seconds(5))
            }
            await wait.value
            #expect(AppleDevice.Keychain.calls.count > 2)
        }
    }

    @Test func managerRestoresAfterTheUnlock() async throws {
        try await withKeychain { keychain in
            let signIn = AuthSignIn(repository: ScriptedRepository(), manager: SessionManager(store: keychain.store()))
            _ = try await signIn(Credential(provider: .kakao, userID: "1")).value
            await AppleDevice.restart()
            let manager = SessionManager(store: keychain.store())
            let restoring = Task { try await manager.restore() }
            for await state in manager.states where state == .restoring(.waitingForUnlock) { break }
            await AppleDevice.unlock()
            #expect(try await restoring.value?.id == "kakao:1")
        }
    }
}
