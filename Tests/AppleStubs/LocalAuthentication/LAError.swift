public import Foundation

/// developer.apple.com/documentation/localauthentication/laerrordomain
@available(macOS 10.11, iOS 8.3, watchOS 3.0, *)
@available(tvOS, unavailable)
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// developer.apple.com/documentation/localauthentication/laerror-swift.struct
@available(macOS 10.10, iOS 8.0, watchOS 3.0, *)
@available(tvOS, unavailable)
public struct LAError: CustomNSError, @unchecked Sendable {
    /// developer.apple.com/documentation/localauthentication/laerror-swift.struct/code
    public enum Code: Int, Sendable {
        case authenticationFailed = -1
        case userCancel = -2
        case userFallback = -3
        case systemCancel = -4
        case passcodeNotSet = -5
        @available(macOS 10.13, iOS 11.0, *)
        @available(watchOS, unavailable)
        case biometryNotAvailable = -6
        @available(macOS 10.13, iOS 11.0, *)
        @available(watchOS, unavailable)
        case biometryNotEnrolled = -7
        @available(macOS 10.13, iOS 11.0, *)
        @available(watchOS, unavailable)
        case biometryLockout = -8
        @available(macOS 10.11, iOS 9.0, *)
        case appCancel = -9
        @available(macOS 10.11, iOS 9.0, *)
        case invalidContext = -10
        case notInteractive = -1004
    }

    public static var errorDomain: String { LAErrorDomain }

    public let code: Code
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [:] }

    public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
}
