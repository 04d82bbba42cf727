import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing
import notify

@testable import AuthStreams
@testable import AuthStreamsApple

/// What an earlier installation of the app left in the keychain.
@Suite(.appleDevice) struct ReinstallationTests {
    private let record = Data("record".utf8)
    private let theirs = Data("of this installation".utf8)

    private var marker: (KeychainFixture) -> URL { { $0.container.appending(path: "installed") } }

    private func isInstalled(_ keychain: KeychainFixture) -> Bool {
        FileManager.default.fileExists(atPath: marker(keychain).path)
    }

    /// A store whose keychain has what an earlier installation left, opened by no process yet.
    private func leave(in keychain: KeychainFixture) async throws {
        let store = keychain.store()
        for key in [SessionStoreKey.session, .notes] { try await store.write(record, for: key) }
        try keychain.reinstall()
    }

    @Test func firstLaunchOfAReinstalledAppRemovesTheRecords() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            let store = keychain.store()
            let found = try await store.read(.session)
            #expect(found.data == nil)
            // An earlier process that still runs cannot bring it back.
            #expect(found.version == RecordVersion.none.next.next)
            #expect(try store.place.record(.session).read()?.data == Data([0]))
            #expect(try await store.read(.notes).data == nil)
            #expect(isInstalled(keychain))
        }
    }

    @Test func removalIsAnnounced() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            let before = AppleDevice.Notifications.posted.count
            let store = keychain.store()
            _ = try await store.read(.session)
            let records = [SessionStoreKey.session, .notes].map { store.place.record($0) }
            let announced = AppleDevice.Notifications.posted.dropFirst(before)
            #expect(announced.sorted() == records.map { store.place.notification(of: $0) }.sorted())
        }
    }

    @Test func laterLaunchesKeepTheRecords() async throws {
        try await withKeychain { keychain in
            for _ in 0..<3 {
                let store = keychain.store()
                let found = try await store.read(.session)
                #expect(found.data == nil || found.data == record)
                try await store.write(record, for: .session)
            }
            #expect(try await keychain.store().read(.session).version.rawValue == 3)
        }
    }

    @Test func appThatKeepsTheSessionIsStillSignedIn() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            #expect(try await keychain.store(onReinstallation: .keepSession).read(.session).data == record)
            // It may choose otherwise later, which concerns the next installation.
            #expect(try await keychain.store().read(.session).data == record)
        }
    }

    @Test func firstLaunchOfAWidgetRemovesNothing() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            #expect(try await keychain.store(isExtension: true).read(.session).data == record)
            #expect(!isInstalled(keychain))
            #expect(try await keychain.store().read(.session).data == nil)
        }
    }

    @Test func markerThatCannotBeReadBeforeTheFirstUnlockRemovesNothing() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            await AppleDevice.restart()
            let store = keychain.store()
            let calls = AppleDevice.Keychain.calls.count
            let errors = [
                await #expect(throws: AuthError.self) { try await store.read(.session) },
                await #expect(throws: AuthError.self) {
                    try await store.write(record, for: .session, replacing: RecordVersion.none)
                },
                await #expect(throws: AuthError.self) { try await store.lock(.refreshLock) },
            ]
            #expect(errors.map { $0?.code } == [.storageLocked, .storageLocked, .storageLocked])
            #expect(AppleDevice.Keychain.calls.count == calls)
            await AppleDevice.unlock()
            // Now it is known that there is none.
            #expect(try await store.read(.session).data == nil)
        }
    }

    @Test func markerThatCannotBeReadForAnotherReasonRemovesNothing() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            let marker = InstallationMarker(read: { _ in throw CocoaError(.fileReadCorruptFile) }) { [keychain] in
                [keychain.container.appending(path: "installed")]
            }
            let place = KeychainPlace(service: "app", accessGroup: nil)
            let store = KeychainSessionStore(place, Installation(.signOut, marker: marker, isExtension: false))
            let error = await #expect(throws: AuthError.self) { try await store.read(.session) }
            #expect(error?.code == .storage)
            #expect(KeychainRecord.record(in: try #require(try place.record(.session).read())) == record)
        }
    }

    @Test func recordIsWrittenOnlyAfterTheMarker() async throws {
        try await withKeychain { keychain async throws in
            // A file where the folder should be.
            try Data().write(to: keychain.container)
            let store = keychain.store()
            let error = await #expect(throws: AuthError.self) {
                try await store.write(record, for: .session, replacing: RecordVersion.none)
            }
            #expect(error?.code == .storage)
            #expect(try store.place.record(.session).read() == nil)
        }
    }

    @Test func removalThatFailsIsRepeatedAtTheNextCall() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            let store = keychain.store()
            AppleDevice.Keychain.answer(errSecIO, to: [.update], times: 1)
            await #expect(throws: AuthError.self) { try await store.read(.session) }
            #expect(!isInstalled(keychain))
            #expect(try await store.read(.session).data == nil)
            #expect(isInstalled(keychain))
        }
    }

    @Test func sessionThatAnotherProcessMadeMeanwhileStays() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            let other = keychain.store()
            // The other one removes what was left, makes the marker and signs in, all before this one's update.
            AppleDevice.Keychain.before(.update) { _ in
                _ = try? other.readBlocking(.session)
                other.place.record(.session).overwrite(
                    tag: KeychainRecord.tag(RecordVersion(rawValue: 3)), data: KeychainRecord.data(theirs))
            }
            #expect(try await keychain.store().read(.session).data == theirs)
        }
    }

    @Test func recordOfAnotherFormIsDeleted() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            let store = keychain.store()
            store.place.record(.session).overwrite(tag: Data("theirs".utf8))
            #expect(try await store.read(.session) == StoredRecord(data: nil, version: .none))
        }
    }

    @Test func otherServicesKeepTheirRecords() async throws {
        try await withKeychain { keychain in
            try await keychain.store(service: "other").write(record, for: .session)
            try await leave(in: keychain)
            _ = try await keychain.store().read(.session)
            #expect(try await keychain.store(service: "other").read(.session).data == record)
        }
    }

    // MARK: The marker's place

    @Test func markerOfTheAppGroupIsSharedByItsApps() async throws {
        try await withKeychain { keychain in
            AppleDevice.appGroups = ["group.app": keychain.container]
            let apps = ["one", "two"].map { keychain.container.appending(path: $0) }
            let markers = apps.map {
                InstallationMarker.standard(service: "com.example", appGroup: "group.app", folder: $0)
            }
            #expect(try !markers[0].exists())
            try markers[0].make()
            #expect(try markers[1].exists())
            let folder = keychain.container.appending(path: "Library/Application Support/AuthStreams")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names == ["com.example.installed"])
            #expect(try !Data(contentsOf: folder.appending(path: names[0])).isEmpty)
            let other = InstallationMarker.standard(service: "../com/example", appGroup: nil, folder: apps[0])
            #expect(try !other.exists())
            try other.make()
            #expect(try FileManager.default.contentsOfDirectory(atPath: apps[0].path) == ["AuthStreams"])
        }
    }

    @Test func groupWithoutAContainerIsMisconfigured() async throws {
        let store = KeychainSessionStore(service: "com.example", appGroup: "group.other")
        let error = await #expect(throws: AuthError.self) { try await store.read(.session) }
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.contains("'group.other'") == true)
        #expect(error?.explanation.contains("com.apple.security.application-groups") == true)
        #expect(AppleDevice.Keychain.calls.isEmpty)
    }

    @Test func markerIsMadeInEachPlace() async throws {
        try await withKeychain { keychain async throws in
            let files = ["own", "group"].map { keychain.container.appending(path: "\($0)/installed") }
            try InstallationMarker { files }.make()
            for file in files { #expect(FileManager.default.fileExists(atPath: file.path)) }
        }
    }

    @Test func markerThatCannotBeMadeBeforeTheFirstUnlockIsLocked() {
        let reasons: [(POSIXErrorCode, AuthError.Code)] = [
            (.EPERM, .storageLocked), (.EACCES, .storage), (.ENOSPC, .storage),
        ]
        for (reason, code) in reasons {
            let error = CocoaError(.fileWriteNoPermission, userInfo: [NSUnderlyingErrorKey: POSIXError(reason)])
            #expect(InstallationMarker.failure(toMake: error).code == code)
        }
    }

    @Test func markerInAnEarlierPlaceCounts() async throws {
        try await withKeychain { keychain in
            try await keychain.store().write(record, for: .session)
            let moved = keychain.container.appending(path: "group/installed")
            let marker = InstallationMarker { [own = marker(keychain)] in [own, moved] }
            let place = KeychainPlace(service: "app", accessGroup: nil)
            let store = KeychainSessionStore(place, Installation(.signOut, marker: marker, isExtension: false))
            #expect(try await store.read(.session).data == record)
            #expect(FileManager.default.fileExists(atPath: moved.path))
        }
    }

    @Test func withoutAPlaceNothingIsRemoved() async throws {
        try await withKeychain { keychain in
            try await leave(in: keychain)
            let marker = InstallationMarker { [] }
            let place = KeychainPlace(service: "app", accessGroup: nil)
            let store = KeychainSessionStore(place, Installation(.signOut, marker: marker, isExtension: false))
            #expect(try await store.read(.session).data == record)
        }
    }
}
