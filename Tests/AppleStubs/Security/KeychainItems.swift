import Foundation

/// The items of the simulated keychain, and what it does with them.
struct KeychainItems {
    typealias Answer = (status: OSStatus, value: Any?)

    private struct Item {
        var attributes: [String: Any]
        var data: Data
        /// What names the item and none that takes its place, such as one that is added after it was deleted.
        let reference = Data(UUID().uuidString.utf8)

        /// developer.apple.com/documentation/security/errsecduplicateitem lists what makes an item unique.
        var key: [AnyHashable?] {
            [kSecClass, kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup, kSecAttrSynchronizable].map {
                attributes[$0] as? AnyHashable
            }
        }

        func isReadable(in state: AppleDevice.LockState) -> Bool {
            switch state {
            case .unlocked: true
            case .locked: (attributes[kSecAttrAccessible] as? String)?.hasPrefix("ck") == true
            case .beforeFirstUnlock: false
            }
        }

        func matches(_ query: [String: Any]) -> Bool {
            query.allSatisfy { key, value in
                if key == kSecAttrSynchronizable, value as? String == kSecAttrSynchronizableAny { return true }
                return attributes[key] as? AnyHashable == value as? AnyHashable
            }
        }
    }

    private static let attributes: Set<String> = [
        kSecAttrAccessible, kSecAttrAccessGroup, kSecAttrSynchronizable, kSecAttrCreationDate,
        kSecAttrModificationDate, kSecAttrDescription, kSecAttrComment, kSecAttrCreator, kSecAttrType, kSecAttrLabel,
        kSecAttrIsInvisible, kSecAttrIsNegative, kSecAttrAccount, kSecAttrService, kSecAttrGeneric,
    ]
    private static let options: Set<String> = [
        kSecClass, kSecMatchLimit, kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef,
        kSecUseDataProtectionKeychain, kSecValueData, kSecValuePersistentRef,
    ]

    private var items: [Item] = []

    mutating func answer(
        _ call: AppleDevice.Keychain.Call, groups: [String], lockState: AppleDevice.LockState
    ) -> Answer {
        let named = call.query[kSecAttrAccessGroup] as? String
        guard !groups.isEmpty, named.map(groups.contains) ?? true else { return (errSecMissingEntitlement, nil) }
        guard call.query[kSecClass] as? String == kSecClassGenericPassword else { return (errSecParam, nil) }
        let known = Self.attributes.union(Self.options)
        guard known.isSuperset(of: call.query.keys) else { return (errSecNoSuchAttr, nil) }
        guard call.operation == .add || call.query[kSecValueData] == nil else { return (errSecParam, nil) }
        let reference = call.query[kSecValuePersistentRef] as? Data
        guard reference == nil || Self.attributes.isDisjoint(with: call.query.keys) else { return (errSecParam, nil) }
        let found = items.indices.filter { index in
            guard reference.map({ $0 == items[index].reference }) ?? true else { return false }
            let isInGroups = groups.contains(items[index].attributes[kSecAttrAccessGroup] as? String ?? "")
            return isInGroups && items[index].matches(Self.searched(call.query))
        }
        switch call.operation {
        case .add: return add(call.query, groups, lockState)
        case _ where found.isEmpty: return (errSecItemNotFound, nil)
        case .copyMatching: return copy(found, call.query, lockState)
        case .update: return (update(found, call.changes, groups, lockState), nil)
        case .delete:
            for index in found.reversed() { items.remove(at: index) }
            return (errSecSuccess, nil)
        }
    }

    mutating func removeThoseOfThisDeviceOnly() {
        items.removeAll { ($0.attributes[kSecAttrAccessible] as? String)?.hasSuffix("u") == true }
    }

    /// Unless told otherwise, a search finds only items that are not synchronized.
    private static func searched(_ query: [String: Any]) -> [String: Any] {
        var searched = query.filter { attributes.contains($0.key) }
        searched[kSecAttrSynchronizable] = searched[kSecAttrSynchronizable] ?? false
        searched[kSecClass] = query[kSecClass]
        return searched
    }

    private mutating func add(_ query: [String: Any], _ groups: [String], _ lockState: AppleDevice.LockState) -> Answer
    {
        var attributes = query.filter { Self.attributes.contains($0.key) || $0.key == kSecClass }
        attributes[kSecAttrAccessGroup] = attributes[kSecAttrAccessGroup] ?? groups[0]
        attributes[kSecAttrSynchronizable] = attributes[kSecAttrSynchronizable] ?? false
        attributes[kSecAttrAccessible] = attributes[kSecAttrAccessible] ?? kSecAttrAccessibleWhenUnlocked
        attributes[kSecAttrCreationDate] = Date()
        attributes[kSecAttrModificationDate] = Date()
        let item = Item(attributes: attributes, data: query[kSecValueData] as? Data ?? Data())
        guard !items.contains(where: { $0.key == item.key }) else { return (errSecDuplicateItem, nil) }
        guard item.isReadable(in: lockState) else { return (errSecInteractionNotAllowed, nil) }
        items.append(item)
        return (errSecSuccess, Self.value(of: item, query))
    }

    private func copy(_ found: [Int], _ query: [String: Any], _ lockState: AppleDevice.LockState) -> Answer {
        let wantsAll = query[kSecMatchLimit] as? String == kSecMatchLimitAll
        guard !wantsAll || query[kSecReturnData] as? Bool != true else { return (errSecParam, nil) }
        let wanted = (wantsAll ? found : [found[0]]).map { items[$0] }
        guard wanted.allSatisfy({ $0.isReadable(in: lockState) }) else { return (errSecInteractionNotAllowed, nil) }
        return (
            errSecSuccess, wantsAll ? wanted.compactMap { Self.value(of: $0, query) } : Self.value(of: wanted[0], query)
        )
    }

    private mutating func update(
        _ found: [Int], _ changes: [String: Any], _ groups: [String], _ lockState: AppleDevice.LockState
    ) -> OSStatus {
        guard Self.attributes.union([kSecValueData]).isSuperset(of: changes.keys) else { return errSecParam }
        if let group = changes[kSecAttrAccessGroup] as? String, !groups.contains(group) {
            return errSecMissingEntitlement
        }
        var updated = items
        for index in found {
            guard items[index].isReadable(in: lockState) else { return errSecInteractionNotAllowed }
            updated[index].attributes.merge(changes) { $1 }
            updated[index].attributes[kSecValueData] = nil
            updated[index].attributes[kSecAttrModificationDate] = Date()
            if let data = changes[kSecValueData] as? Data { updated[index].data = data }
            guard updated[index].isReadable(in: lockState) else { return errSecInteractionNotAllowed }
        }
        guard Set(updated.map(\.key)).count == updated.count else { return errSecDuplicateItem }
        items = updated
        return errSecSuccess
    }

    /// What the query asks for: the data, the reference, or several things in one dictionary, or nothing.
    private static func value(of item: Item, _ query: [String: Any]) -> Any? {
        func wants(_ key: String) -> Bool { query[key] as? Bool == true }
        var values = wants(kSecReturnAttributes) ? item.attributes : [:]
        if wants(kSecReturnData) { values[kSecValueData] = item.data }
        if wants(kSecReturnPersistentRef) { values[kSecValuePersistentRef] = item.reference }
        return wants(kSecReturnAttributes) || values.count > 1 ? values : values.values.first
    }
}
