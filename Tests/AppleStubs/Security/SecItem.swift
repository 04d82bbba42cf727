/// developer.apple.com/documentation/security/secitemadd(_:_:)
@available(macOS 10.6, iOS 2.0, tvOS 9.0, watchOS 2.0, *)
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    AppleDevice.Keychain.answer(.init(.add, attributes), result)
}

/// developer.apple.com/documentation/security/secitemcopymatching(_:_:)
@available(macOS 10.6, iOS 2.0, tvOS 9.0, watchOS 2.0, *)
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    AppleDevice.Keychain.answer(.init(.copyMatching, query), result)
}

/// developer.apple.com/documentation/security/secitemupdate(_:_:)
@available(macOS 10.6, iOS 2.0, tvOS 9.0, watchOS 2.0, *)
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    AppleDevice.Keychain.answer(.init(.update, query, attributesToUpdate), nil)
}

/// developer.apple.com/documentation/security/secitemdelete(_:)
@available(macOS 10.6, iOS 2.0, tvOS 9.0, watchOS 2.0, *)
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    AppleDevice.Keychain.answer(.init(.delete, query), nil)
}
