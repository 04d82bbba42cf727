import Foundation
import Security
import TestSupport
import Testing

@Suite(.appleDevice) struct SecurityTests {
    private func item(_ account: String = "session", _ more: [String: Any] = [:]) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "service",
            kSecAttrAccount as String: account,
        ].merging(more) { $1 }
    }

    private func add(_ data: String, _ account: String = "session", _ more: [String: Any] = [:]) -> OSStatus {
        let attributes = item(account, more).merging([kSecValueData as String: Data(data.utf8)]) { $1 }
        return SecItemAdd(attributes as CFDictionary, nil)
    }

    private func read(_ account: String = "session", _ more: [String: Any] = [:]) -> (OSStatus, String?) {
        var result: CFTypeRef?
        let query = item(account, [kSecReturnData as String: true]).merging(more) { $1 }
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    private func update(_ query: [String: Any], _ changes: [String: Any]) -> OSStatus {
        SecItemUpdate(query as CFDictionary, changes as CFDictionary)
    }

    @Test func itemIsAddedOnceReadUpdatedAndDeleted() {
        #expect(read() == (errSecItemNotFound, nil))
        #expect(update(item(), [kSecValueData as String: Data()]) == errSecItemNotFound)
        #expect(add("one") == errSecSuccess)
        #expect(add("two") == errSecDuplicateItem)
        #expect(add("two", "other") == errSecSuccess)
        #expect(update(item(), [kSecValueData as String: Data("three".utf8)]) == errSecSuccess)
        #expect(read() == (errSecSuccess, "three"))
        #expect(SecItemDelete(item() as CFDictionary) == errSecSuccess)
        #expect(SecItemDelete(item() as CFDictionary) == errSecItemNotFound)
        #expect(read("other") == (errSecSuccess, "two"))
    }

    @Test func attributesAndDataComeInOneDictionary() throws {
        #expect(add("one", "session", [kSecAttrLabel as String: "label"]) == errSecSuccess)
        var result: CFTypeRef?
        let query = item("session", [kSecReturnData as String: true, kSecReturnAttributes as String: true])
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        let found = try #require(result as? [String: Any])
        #expect(found[kSecValueData as String] as? Data == Data("one".utf8))
        #expect(found[kSecAttrLabel as String] as? String == "label")
        #expect(found[kSecAttrModificationDate as String] is Date)
    }

    @Test func allItemsOfAServiceComeWithoutTheirData() throws {
        #expect(add("one", "a") == errSecSuccess)
        #expect(add("two", "b") == errSecSuccess)
        var result: CFTypeRef?
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "service",
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
        ]
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        let accounts = try #require(result as? [[String: Any]]).compactMap { $0[kSecAttrAccount as String] as? String }
        #expect(Set(accounts) == ["a", "b"])
        query[kSecReturnData as String] = true
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecParam)
    }

    @Test func persistentReferenceNamesOneItemAndNoLaterOne() throws {
        func reference() throws -> Data {
            var result: CFTypeRef?
            let query = item("session", [kSecReturnPersistentRef as String: true])
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            return try #require(result as? Data)
        }
        func delete(_ reference: Data, _ more: [String: Any] = [:]) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecValuePersistentRef as String: reference,
            ]
            return SecItemDelete(query.merging(more) { $1 } as CFDictionary)
        }
        #expect(add("one") == errSecSuccess)
        #expect(add("two", "other") == errSecSuccess)
        let first = try reference()
        #expect(update(item(), [kSecValueData as String: Data("three".utf8)]) == errSecSuccess)
        #expect(try reference() == first)
        #expect(delete(first, [kSecAttrAccount as String: "session"]) == errSecParam)
        #expect(delete(first) == errSecSuccess)
        #expect(add("four") == errSecSuccess)
        #expect(delete(first) == errSecItemNotFound)
        #expect(read() == (errSecSuccess, "four") && read("other") == (errSecSuccess, "two"))
    }

    /// What a lease in the keychain rests on.
    @Test func updateMatchesASearchableAttributeAndNotTheData() {
        let generic = kSecAttrGeneric as String
        #expect(add("lease", "lease", [generic: Data("1".utf8)]) == errSecSuccess)
        let stale = item("lease", [generic: Data("1".utf8)])
        #expect(update(stale, [generic: Data("2".utf8)]) == errSecSuccess)
        #expect(update(stale, [generic: Data("3".utf8)]) == errSecItemNotFound)
        #expect(update(item("lease", [kSecValueData as String: Data("lease".utf8)]), [:]) == errSecParam)
    }

    @Test func updateCannotMakeTwoItemsOne() {
        #expect(add("one", "a") == errSecSuccess)
        #expect(add("two", "b") == errSecSuccess)
        #expect(update(item("a"), [kSecAttrAccount as String: "b"]) == errSecDuplicateItem)
        #expect(read("a") == (errSecSuccess, "one"))
    }

    @Test func lockedDeviceHidesItemsByTheirAccessibility() async {
        let accessible = kSecAttrAccessible as String
        let afterFirst = [accessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly]
        #expect(add("one", "unlocked") == errSecSuccess)
        #expect(add("two", "first", afterFirst) == errSecSuccess)
        await AppleDevice.lock()
        #expect(read("unlocked") == (errSecInteractionNotAllowed, nil))
        #expect(read("first") == (errSecSuccess, "two"))
        #expect(add("three", "new") == errSecInteractionNotAllowed)
        #expect(add("three", "new", afterFirst) == errSecSuccess)
        await AppleDevice.restart()
        #expect(read("first") == (errSecInteractionNotAllowed, nil))
        #expect(update(item("first"), [kSecValueData as String: Data()]) == errSecInteractionNotAllowed)
        #expect(read("never") == (errSecItemNotFound, nil))
        await AppleDevice.unlock()
        #expect(read("unlocked") == (errSecSuccess, "one"))
    }

    @Test func accessGroupsAreThoseOfTheEntitlement() {
        let group = kSecAttrAccessGroup as String
        AppleDevice.Keychain.accessGroups = ["T.app", "T.shared"]
        #expect(add("app") == errSecSuccess)
        #expect(add("shared", "session", [group: "T.shared"]) == errSecSuccess)
        #expect(add("foreign", "session", [group: "T.other"]) == errSecMissingEntitlement)
        AppleDevice.Keychain.accessGroups = ["T.widget", "T.shared"]
        #expect(read() == (errSecSuccess, "shared"))
        #expect(read("session", [group: "T.app"]) == (errSecMissingEntitlement, nil))
        AppleDevice.Keychain.accessGroups = []
        #expect(read() == (errSecMissingEntitlement, nil))
    }

    @Test func synchronizedItemsAreFoundOnlyOnRequest() {
        let synchronizable = kSecAttrSynchronizable as String
        #expect(add("cloud", "session", [synchronizable: true]) == errSecSuccess)
        #expect(read() == (errSecItemNotFound, nil))
        #expect(read("session", [synchronizable: kSecAttrSynchronizableAny]) == (errSecSuccess, "cloud"))
        #expect(add("local") == errSecSuccess)
    }

    @Test func anyCallAnswersAnyStatus() {
        AppleDevice.Keychain.answer(errSecDiskFull, to: [.add], times: 1) { $0.account == "session" }
        #expect(add("one", "other") == errSecSuccess)
        #expect(add("one") == errSecDiskFull)
        #expect(add("one") == errSecSuccess)
        AppleDevice.Keychain.answer(errSecIO, to: [.update], times: 1, afterwards: true)
        #expect(update(item(), [kSecValueData as String: Data("two".utf8)]) == errSecIO)
        #expect(read() == (errSecSuccess, "two"))
        AppleDevice.Keychain.answer(errSecAuthFailed)
        #expect(read() == (errSecAuthFailed, nil))
        AppleDevice.Keychain.answerAsUsual()
        #expect(AppleDevice.Keychain.calls.map(\.operation).suffix(3) == [.update, .copyMatching, .copyMatching])
    }

    @Test func anotherProcessActsBetweenTwoCalls() {
        AppleDevice.Keychain.before(.add) { _ in _ = add("theirs") }
        #expect(update(item(), [kSecValueData as String: Data("ours".utf8)]) == errSecItemNotFound)
        #expect(add("ours") == errSecDuplicateItem)
        #expect(read() == (errSecSuccess, "theirs"))
    }

    @Test func backupDoesNotCarryItemsOfThisDeviceOnly() {
        let accessible = kSecAttrAccessible as String
        #expect(add("one", "a", [accessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly]) == errSecSuccess)
        #expect(add("two", "b", [accessible: kSecAttrAccessibleAfterFirstUnlock]) == errSecSuccess)
        AppleDevice.Keychain.moveToAnotherDevice()
        #expect(read("a") == (errSecItemNotFound, nil))
        #expect(read("b") == (errSecSuccess, "two"))
    }

    @Test func keyIsReadAsPKCS1AndVerifiesAsToldTo() throws {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeRSA, kSecAttrKeyClass as String: kSecAttrKeyClassPublic,
        ]
        var error: Unmanaged<CFError>?
        #expect(SecKeyCreateWithData(Data([0x30, 2, 0x30, 0]) as CFData, attributes as CFDictionary, &error) == nil)
        #expect((error?.takeRetainedValue()).map { ($0 as any Error as NSError).code } == Int(errSecParam))
        let key = try #require(
            SecKeyCreateWithData(Data([0x30, 2, 0x02, 0]) as CFData, attributes as CFDictionary, nil))
        let algorithm = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
        let (data, signature) = (Data("data".utf8), Data("signature".utf8))
        #expect(!SecKeyVerifySignature(key, algorithm, data as CFData, signature as CFData, nil))
        AppleDevice.verifiesSignatures = { _, _, data, signature in (data.count, signature.count) == (4, 9) }
        #expect(SecKeyVerifySignature(key, algorithm, data as CFData, signature as CFData, nil))
    }
}
