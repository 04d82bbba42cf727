#if AUTH_SECURITY
    import AuthStreams
    import Foundation
    import Security

    /// An item of the keychain: data, and a tag that searches can name.
    ///
    /// The tag is `kSecAttrGeneric`. So 'replace the item if it has this tag' is one `SecItemUpdate`, and of two
    /// processes that do so at once, the second finds no item. Apple does not document that this is atomic.
    struct KeychainItem: Hashable, Sendable {
        let place: KeychainPlace
        let account: String

        /// What tells an item from the one that takes its place.
        enum Identity: Hashable, Sendable {
            case tag(Data)
            /// The keychain's persistent reference of an item without a tag, which another program wrote.
            case reference(Data)

            fileprivate init?(of attributes: [String: Any]) {
                if let tag = attributes[kSecAttrGeneric as String] as? Data {
                    self = .tag(tag)
                } else if let reference = attributes[kSecValuePersistentRef as String] as? Data {
                    self = .reference(reference)
                } else {
                    return nil
                }
            }
        }

        /// What the item holds.
        struct Contents {
            let identity: Identity
            /// `nil` if the keychain cannot decode it.
            let data: Data?

            /// `nil` if another program wrote the item.
            var tag: Data? { if case .tag(let tag) = identity { tag } else { nil } }
        }

        private func query(_ tag: Data? = nil) -> [String: Any] {
            var query = place.query
            query[kSecAttrAccount as String] = account
            query[kSecAttrGeneric as String] = tag
            return query
        }

        private func query(_ identity: Identity) -> [String: Any] {
            switch identity {
            case .tag(let tag): query(tag)
            // Nothing else: the keychain refuses attributes beside a reference.
            case .reference(let reference):
                [
                    kSecClass as String: kSecClassGenericPassword, kSecValuePersistentRef as String: reference,
                    kSecUseDataProtectionKeychain as String: true,
                ]
            }
        }

        /// Reads the item.
        ///
        /// - Returns: `nil` if the keychain said twice that there is none: once is not enough, since it has said so of
        ///   items that it could not open yet.
        /// - Throws: `storageLocked`, `storage` or `misconfigured`.
        func read() throws(AuthError) -> Contents? {
            for _ in 0..<2 {
                if let contents = try copy() { return contents }
            }
            return nil
        }

        private func copy() throws(AuthError) -> Contents? {
            var (status, attributes) = copy(withData: true)
            // The data is damaged. The tag may not be, and with it the item can be replaced.
            if status == errSecDecode { (status, attributes) = copy(withData: false) }
            switch status {
            case errSecSuccess:
                guard let identity = Identity(of: attributes) else {
                    throw .keychain(errSecDecode, couldNot: "read '\(account)'", in: place)
                }
                return Contents(identity: identity, data: attributes[kSecValueData as String] as? Data)
            case errSecItemNotFound: return nil
            default: throw .keychain(status, couldNot: "read '\(account)'", in: place)
            }
        }

        private func copy(withData: Bool) -> (OSStatus, [String: Any]) {
            var query = query()
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            query[kSecReturnAttributes as String] = true
            query[kSecReturnPersistentRef as String] = true
            if withData { query[kSecReturnData as String] = true }
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            return (status, found as? [String: Any] ?? [:])
        }

        /// Adds the item.
        ///
        /// It is readable from the first unlock after a restart on, also in the background, and stays on this device.
        ///
        /// - Returns: `false` if it exists.
        /// - Throws: `storageLocked`, `storage` or `misconfigured`. The item may have been added nevertheless.
        func add(_ tag: Data, _ data: Data) throws(AuthError) -> Bool {
            var attributes = query(tag)
            attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            attributes[kSecValueData as String] = data
            switch SecItemAdd(attributes as CFDictionary, nil) {
            case errSecSuccess: return true
            case errSecDuplicateItem: return false
            case let status: throw .keychain(status, couldNot: "add '\(account)'", in: place)
            }
        }

        /// Replaces the item if it has a tag, in one call.
        ///
        /// - Parameter data: `nil` to leave the data as it is.
        /// - Returns: `false` if it does not exist or has another tag.
        /// - Throws: `storageLocked`, `storage` or `misconfigured`. The item may have been replaced nevertheless.
        func replace(_ tag: Data, by next: Data, _ data: Data? = nil) throws(AuthError) -> Bool {
            var changes: [String: Any] = [kSecAttrGeneric as String: next]
            changes[kSecValueData as String] = data
            switch SecItemUpdate(query(tag) as CFDictionary, changes as CFDictionary) {
            case errSecSuccess: return true
            case errSecItemNotFound: return false
            case let status: throw .keychain(status, couldNot: "write '\(account)'", in: place)
            }
        }

        /// Moves the item to another access group, in one call.
        ///
        /// - Returns: `false` if it does not exist, or if the group has such an item already.
        /// - Throws: `storageLocked`, `storage` or `misconfigured`.
        func move(to accessGroup: String) throws(AuthError) -> Bool {
            let changes = [kSecAttrAccessGroup as String: accessGroup]
            switch SecItemUpdate(query() as CFDictionary, changes as CFDictionary) {
            case errSecSuccess: return true
            case errSecItemNotFound, errSecDuplicateItem: return false
            case let status: throw .keychain(status, couldNot: "move '\(account)'", in: place)
            }
        }

        /// Deletes the item if it is still that one, in one call.
        ///
        /// - Throws: `storageLocked`, `storage` or `misconfigured`. The item may have been deleted nevertheless.
        func delete(_ identity: Identity) throws(AuthError) {
            let status = SecItemDelete(query(identity) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw .keychain(status, couldNot: "delete '\(account)'", in: place)
            }
        }
    }
#endif
