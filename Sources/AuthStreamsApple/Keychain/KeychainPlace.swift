#if AUTH_SECURITY
    import AuthStreams
    import Foundation
    import Security

    /// Where a store keeps its items: a service, in one access group of the keychain.
    struct KeychainPlace: Hashable, Sendable {
        let service: String
        /// `nil` for the app's first group.
        let accessGroup: String?

        /// The item of a record. No record's name begins with a dot, so that no other item has its account.
        func record(_ key: SessionStoreKey) -> KeychainItem { KeychainItem(place: self, account: key.rawValue) }

        /// The item of a lock.
        func lock(_ name: SessionStoreKey) -> KeychainItem {
            KeychainItem(place: self, account: ".\(name.rawValue).lock")
        }

        /// The Darwin notification of an item, the same in all processes that share it.
        func notification(of item: KeychainItem) -> String {
            "authstreams.keychain.\(accessGroup ?? "").\(service).\(item.account)"
        }

        /// What a query for items of this place has.
        ///
        /// The data-protection keychain is the only one with access groups and accessibility; on macOS it is not the
        /// default. (developer.apple.com/documentation/security/ksecusedataprotectionkeychain)
        var query: [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrSynchronizable as String: false, kSecUseDataProtectionKeychain as String: true,
            ]
            query[kSecAttrAccessGroup as String] = accessGroup
            return query
        }

        /// The names of the records, also of removed ones.
        ///
        /// - Throws: `storageLocked`, `storage` or `misconfigured`.
        func records() throws(AuthError) -> [SessionStoreKey] {
            var query = query
            query[kSecMatchLimit as String] = kSecMatchLimitAll
            query[kSecReturnAttributes as String] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return [] }
            guard status == errSecSuccess else { throw .keychain(status, couldNot: "list the records", in: self) }
            let accounts = (found as? [[String: Any]] ?? []).compactMap { $0[kSecAttrAccount as String] as? String }
            return accounts.map(SessionStoreKey.init(rawValue:)).filter { (try? $0.validate()) != nil }
        }
    }
#endif
