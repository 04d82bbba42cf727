import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing
import notify

@testable import AuthStreams
@testable import AuthStreamsApple

/// The session of an earlier version of the app, which had another access group.
@Suite(.appleDevice) struct FormerAccessGroupTests {
    private let record = Data("record".utf8)
    private let other = Data("another record".utf8)
    private let former = "TEAMID.app"
    private let group = "TEAMID.shared"

    /// Runs a test on a device where the earlier version has stored a session and notes.
    private func afterTheUpdate(_ body: (KeychainFixture) async throws -> Void) async throws {
        AppleDevice.Keychain.accessGroups = [former, group]
        try await withKeychain { keychain in
            let store = keychain.store(accessGroup: former)
            for key in [SessionStoreKey.session, .notes] { try await store.write(record, for: key) }
            try await body(keychain)
        }
    }

    @Test func recordsAreMovedWithTheirVersions() async throws {
        try await afterTheUpdate { keychain in
            let before = keychain.store(accessGroup: former)
            try await before.write(other, for: .session)
            try await before.write(record, for: .session)
            let version = try await before.read(.session).version
            let store = keychain.store(accessGroup: group, formerAccessGroup: former)
            let found = try await store.read(.session)
            #expect(found.data == record && found.version == version)
            #expect(try await store.read(.notes).data == record)
            #expect(try await store.write(other, for: .session, replacing: found.version) == found.version.next)
            #expect(try await keychain.store(accessGroup: former).read(.session).data == nil)
            #expect(try await keychain.store(accessGroup: group).read(.session).data == other)
        }
    }

    @Test func moveIsAnnouncedToExtensions() async throws {
        try await afterTheUpdate { keychain in
            let store = keychain.store(accessGroup: group, formerAccessGroup: former)
            let before = AppleDevice.Notifications.posted.count
            _ = try await store.read(.session)
            let announced = AppleDevice.Notifications.posted.dropFirst(before)
            #expect(announced.contains(store.place.notification(of: store.place.record(.session))))
        }
    }

    @Test func recordThatTheGroupHasAlreadyStays() async throws {
        try await afterTheUpdate { keychain in
            try await keychain.store(accessGroup: group).write(other, for: .session)
            let store = keychain.store(accessGroup: group, formerAccessGroup: former)
            #expect(try await store.read(.session).data == other)
            #expect(try await store.read(.notes).data == record)
        }
    }

    @Test func nothingIsEmptyBeforeTheFirstUnlock() async throws {
        try await afterTheUpdate { keychain in
            let store = keychain.store(accessGroup: group, formerAccessGroup: former)
            await AppleDevice.restart()
            await #expect { try await store.read(.session) } throws: { ($0 as? AuthError)?.code == .storageLocked }
            await AppleDevice.unlock()
            let found = try await store.read(.session)
            #expect(found.data == record)
        }
    }

    @Test func extensionMovesNothing() async throws {
        try await afterTheUpdate { keychain in
            let store = keychain.store(accessGroup: group, formerAccessGroup: former, isExtension: true)
            let found = try await store.read(.session)
            let left = try await keychain.store(accessGroup: former).read(.session)
            #expect(found.data == nil)
            #expect(left.data == record)
        }
    }

    @Test func reinstalledAppRemovesWhatItMoved() async throws {
        try await afterTheUpdate { keychain in
            try keychain.reinstall()
            let store = keychain.store(accessGroup: group, formerAccessGroup: former)
            #expect(try await store.read(.session).data == nil)
            #expect(try await keychain.store(accessGroup: former).read(.session).data == nil)
        }
    }

    /// Nothing is moved where the group has a record.
    @Test func reinstalledAppRemovesWhatTheFormerGroupStillHas() async throws {
        try await afterTheUpdate { keychain in
            try await keychain.store(accessGroup: group).write(other, for: .session)
            try keychain.reinstall()
            let store = keychain.store(accessGroup: group, formerAccessGroup: former)
            #expect(try await store.read(.session).data == nil)
            #expect(try await keychain.store(accessGroup: former).read(.session).data == nil)
        }
    }

    @Test func missingEntitlementOfTheFormerGroupIsReported() async throws {
        try await afterTheUpdate { keychain in
            let store = keychain.store(accessGroup: group, formerAccessGroup: "TEAMID.other")
            await #expect { try await store.read(.session) } throws: { error in
                let error = error as? AuthError
                return error?.code == .misconfigured && error?.explanation.contains("TEAMID.other") == true
            }
        }
    }
}
