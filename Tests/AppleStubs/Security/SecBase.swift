import Foundation

// developer.apple.com/documentation/security/security-framework-result-codes
public var errSecSuccess: OSStatus { 0 }
public var errSecUnimplemented: OSStatus { -4 }
public var errSecDiskFull: OSStatus { -34 }
public var errSecIO: OSStatus { -36 }
public var errSecParam: OSStatus { -50 }
public var errSecAllocate: OSStatus { -108 }
public var errSecUserCanceled: OSStatus { -128 }
public var errSecMissingEntitlement: OSStatus { -34018 }
public var errSecRestrictedAPI: OSStatus { -34020 }
public var errSecNotAvailable: OSStatus { -25291 }
public var errSecAuthFailed: OSStatus { -25293 }
public var errSecNoSuchKeychain: OSStatus { -25294 }
public var errSecDuplicateItem: OSStatus { -25299 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecNoSuchAttr: OSStatus { -25303 }
public var errSecInteractionNotAllowed: OSStatus { -25308 }
public var errSecInteractionRequired: OSStatus { -25315 }
public var errSecDecode: OSStatus { -26275 }
public var errSecVerifyFailed: OSStatus { -67808 }

/// developer.apple.com/documentation/security/seccopyerrormessagestring(_:_:)
@available(macOS 10.3, iOS 11.3, tvOS 11.3, watchOS 4.3, *)
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    "OSStatus \(status)"
}

/// developer.apple.com/documentation/security/secrandomref
public typealias SecRandomRef = OpaquePointer

/// developer.apple.com/documentation/security/ksecrandomdefault
public nonisolated(unsafe) let kSecRandomDefault = SecRandomRef(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

/// developer.apple.com/documentation/security/secrandomcopybytes(_:_:_:)
@available(macOS 10.7, iOS 2.0, tvOS 9.0, watchOS 2.0, *)
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: count)
    for index in buffer.indices { buffer[index] = .random(in: .min ... .max) }
    return errSecSuccess
}
