public import Foundation

// developer.apple.com/documentation/corefoundation. Types that Linux's Foundation lacks. There is no bridging on Linux:
// each name stands for the Swift type that `as` converts to it on Apple's systems, so that
// `query as CFDictionary` and `kSecClass as String` mean the same on both.

/// developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = String
/// developer.apple.com/documentation/corefoundation/cfdata
public typealias CFData = Data
/// developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = [String: Any]
/// developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject
/// developer.apple.com/documentation/corefoundation/cferror
public typealias CFError = NSError
/// developer.apple.com/documentation/kernel/osstatus
public typealias OSStatus = Int32
