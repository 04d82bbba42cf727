import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing

@testable import AuthStreams
@testable import AuthStreamsApple

/// What the store asks the keychain for.
@Suite(.appleDevice) struct KeychainSessionStoreTests {
    private let old = Data("the old record".utf8)
    private let new = Data("the new record".utf8)
    private let group = "TEAMID.shared"

    private func calls(_ operation: AppleDevice.Keychain.Operation) -> [AppleDevice.Keychain.Call] {
        AppleDevice.Keychain.calls.filter { $0.operation == operation }
    }

    @Test func firstWriteAddsAnItemThatStaysOnTheDevice() async throws {
        AppleDevice.Keychain.accessGroups = ["TEAMID.app", group]
        try await withKeychain { keychain in
            let store = keychain.store(service: "com.example", accessGroup: group)
            #expect(try await store.write(old, for: .session, replacing: .none) == RecordVersion.none.next)
            let item = try #require(calls(.add).first?.query)
            #expect(item[kSecClass] as? String == kSecClassGenericPassword)
            #expect(item[kSecAttrService] as? String == "com.example")
            #expect(item[kSecAttrAccount] as? String == "session")
            #expect(item[kSecAttrAccessGroup] as? String == group)
            #expect(item[kSecAttrAccessible] as? String == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
            #expect(item[kSecAttrSynchronizable] as? Bool == false)
        }
    }

    @Test func everyCallIsToTheDataProtectionKeychain() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(old, for: .session)
            try await store.write(new, for: .session)
            try await store.lock(.refreshLock).release()
            let (calls, service) = (AppleDevice.Keychain.calls, "app")
            #expect(Set(calls.map(\.operation)) == Set(AppleDevice.Keychain.Operation.allCases))
            #expect(calls.allSatisfy { $0.query[kSecUseDataProtectionKeychain] as? Bool == true })
            #expect(calls.allSatisfy { $0.query[kSecAttrSynchronizable] as? Bool == false })
            #expect(calls.allSatisfy { $0.service == service })
        }
    }

    @Test func laterWriteIsOneUpdateThatNamesTheVersion() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            let first = try #require(try await store.write(old, for: .session, replacing: .none))
            let before = AppleDevice.Keychain.calls.count
            _ = try await store.write(new, for: .session, replacing: first)
            let calls = AppleDevice.Keychain.calls.dropFirst(before)
            #expect(calls.map(\.operation) == [.update])
            #expect(calls.first?.query[kSecAttrGeneric] as? Data == Data("1".utf8))
            #expect(calls.first?.changes[kSecAttrGeneric] as? Data == Data("2".utf8))
            #expect(calls.first?.changes[kSecValueData] as? Data == Data([1]) + new)
        }
    }

    @Test func writeOfAnotherProcessRightBeforeIsAConflict() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            let item = store.place.record(.session)
            AppleDevice.Keychain.before(.add) { _ in
                #expect(
                    (try? item.add(KeychainRecord.tag(.none.next), KeychainRecord.data(Data("theirs".utf8)))) == true)
            }
            #expect(try await store.write(new, for: .session, replacing: .none) == nil)
            let record = try await store.read(.session)
            #expect(record.data == Data("theirs".utf8))
            AppleDevice.Keychain.before(.update) { _ in item.overwrite(tag: KeychainRecord.tag(record.version.next)) }
            #expect(try await store.write(new, for: .session, replacing: record.version) == nil)
            #expect(try await store.read(.session).data == Data("theirs".utf8))
        }
    }

    @Test func removedRecordLeavesItsVersionAndNothingElse() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(old, for: .session)
            try await store.remove(.session)
            let contents = try #require(try store.place.record(.session).read())
            #expect(contents.tag == Data("2".utf8))
            #expect(contents.data == Data([0]))
        }
    }

    @Test func itemThatTheKeychainDeletedIsWrittenAnew() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(old, for: .session)
            let version = try await store.read(.session).version
            let item = store.place.record(.session)
            let contents = try #require(try item.read())
            try item.delete(contents.identity)
            #expect(try await store.write(new, for: .session, replacing: version) == nil)
            #expect(try await store.read(.session) == StoredRecord(data: nil, version: .none))
            #expect(try await store.write(new, for: .session, replacing: .none) != nil)
        }
    }

    @Test func servicesAndGroupsAreSeparate() async throws {
        AppleDevice.Keychain.accessGroups = ["TEAMID.app", group]
        try await withKeychain { keychain in
            try await keychain.store(service: "one", accessGroup: group).write(old, for: .session)
            #expect(try await keychain.store(service: "two", accessGroup: group).read(.session).data == nil)
            #expect(try await keychain.store(service: "one", accessGroup: "TEAMID.app").read(.session).data == nil)
        }
    }

    @Test func changedAccessGroupLeavesTheOldItemWhereItIs() async throws {
        AppleDevice.Keychain.accessGroups = ["TEAMID.app", group]
        try await withKeychain { keychain in
            try await keychain.store(accessGroup: "TEAMID.app").write(old, for: .session)
            let store = keychain.store(accessGroup: group)
            #expect(try await store.read(.session).data == nil)
            try await store.write(new, for: .session)
            #expect(try await keychain.store(accessGroup: "TEAMID.app").read(.session).data == old)
        }
    }

    @Test func backupOnAnotherDeviceIsEmpty() async throws {
        try await withKeychain { keychain in
            try await keychain.store().write(old, for: .session)
            AppleDevice.Keychain.moveToAnotherDevice()
            #expect(try await keychain.store().read(.session) == StoredRecord(data: nil, version: .none))
        }
    }

    // MARK: Damage

    @Test func dataThatTheKeychainCannotDecodeIsADamagedRecordThatCanBeReplaced() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(old, for: .session)
            AppleDevice.Keychain.answer(errSecDecode, to: [.copyMatching]) { $0.query[kSecReturnData] as? Bool == true }
            let record = try await store.read(.session)
            #expect(record == StoredRecord(data: Data(), version: .none.next))
            #expect(try await store.write(new, for: .session, replacing: record.version) != nil)
            AppleDevice.Keychain.answerAsUsual()
            #expect(try await store.read(.session).data == new)
        }
    }

    @Test(arguments: [Data(), Data([0, 0]), Data("{".utf8)])
    func dataOfAnotherFormIsReturnedAsItIs(_ data: Data) async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(old, for: .session)
            store.place.record(.session).overwrite(tag: Data("1".utf8), data: data)
            #expect(try await store.read(.session).data == data)
        }
    }

    @Test func itemOfAnotherProgramIsNamed() async throws {
        try await withKeychain { keychain in
            let store = keychain.store(service: "com.example")
            try await store.write(old, for: .session)
            store.place.record(.session).overwrite(tag: Data("theirs".utf8))
            let error = await #expect(throws: AuthError.self) { try await store.read(.session) }
            #expect(error?.code == .storage)
            #expect(error?.explanation.contains("'session' of the service 'com.example' has no version") == true)
        }
    }

    @Test func damagedRecordIsSetAsideAndReplacedByTheNextSignIn() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(Data("{".utf8), for: .session)
            let manager = SessionManager(store: store)
            #expect(try await manager.restore() == nil)
            #expect(try await store.read(.damagedSession).data != nil)
            let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
            _ = try await signIn(Credential(provider: .kakao, userID: "1")).value
            #expect(try await SessionManager(store: keychain.store()).restore()?.id == "kakao:1")
        }
    }

    @Test func nothingPrintsARecord() async throws {
        try await withKeychain { keychain in
            let store = keychain.store()
            try await store.write(Data("secret".utf8), for: .session)
            var text = ""
            dump(store, to: &text)
            dump(try await store.read(.session), to: &text)
            #expect(!text.contains("secret"))
        }
    }
}
