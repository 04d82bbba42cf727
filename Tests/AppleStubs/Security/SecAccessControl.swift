public import Foundation

/// developer.apple.com/documentation/security/secaccesscontrol
@available(macOS 10.10, iOS 8.0, tvOS 9.0, watchOS 2.0, *)
public final class SecAccessControl {
    init() {}
}

/// developer.apple.com/documentation/security/secaccesscontrolcreateflags
@available(macOS 10.10, iOS 8.0, tvOS 9.0, watchOS 2.0, *)
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let userPresence = Self(rawValue: 1 << 0)
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
}

/// developer.apple.com/documentation/security/secaccesscontrolcreatewithflags(_:_:_:_:). There the protection is a
/// `CFTypeRef`, which a `CFString` of a stub is not. Not confirmed: the type of the allocator.
@available(macOS 10.10, iOS 8.0, tvOS 9.0, watchOS 2.0, *)
public func SecAccessControlCreateWithFlags(
    _ allocator: CFTypeRef?, _ protection: CFString, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? { SecAccessControl() }
