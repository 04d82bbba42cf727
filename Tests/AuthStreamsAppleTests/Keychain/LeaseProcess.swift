import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing

@testable import AuthStreams
@testable import AuthStreamsApple

/// A process that takes a lock: its store, and a clock of its own, which stands still while the process is frozen.
struct LeaseProcess {
    static let name = SessionStoreKey.refreshLock

    let clock = ManualClock()
    let store: KeychainSessionStore

    init(_ keychain: KeychainFixture, date: @escaping @Sendable () -> Date = { Date() }) {
        store = keychain.store(clock: AuthClock(clock, now: date))
    }

    /// The item of the lock.
    var item: KeychainItem { store.place.lock(Self.name) }

    /// The holder that the item names; `nil` if the lock is free or its item has no tag.
    var holder: String? {
        get throws {
            try item.read()?.tag.map { String(String(decoding: $0, as: UTF8.self).split(separator: "/")[0]) }
        }
    }

    /// Leaves the lease of a process that died.
    func die() throws { _ = try item.add(Data("dead/7".utf8), Data()) }

    /// Moves the clock, second by second, while that many tasks of the process sleep.
    func pass(seconds: Int, sleepers: Int = 1) async {
        for _ in 0..<seconds {
            await clock.waitForSleepers(count: sleepers)
            clock.advance(by: .seconds(1))
        }
    }

    /// Begins to wait for the lock, and returns once the process has asked the keychain for it: what sleeps from then on is the
    /// wait for the holder.
    func waitForLock(atMost limit: Duration = .seconds(30)) async throws -> Task<SessionStoreLock, any Error> {
        let before = item.attempts
        let wait = Task { [store] in try await store.lock(Self.name, waitingAtMost: limit) }
        try await TestSupport.wait(for: "the process to ask the keychain for the lock") { item.attempts > before }
        return wait
    }
}

extension AppleDevice {
    /// Waits until the process has given back all the time that the system gave it.
    static func waitUntilNoActivity() async throws {
        try await wait(for: "the process to give back the time that the system gave it") { expiringActivities.isEmpty }
    }
}

extension KeychainItem {
    /// How often processes tried to take the lease of this item.
    var attempts: Int { AppleDevice.Keychain.calls.count { $0.operation == .add && $0.account == account } }
}
