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
        /// …/authenticationfailed
        case authenticationFailed = -1
        /// …/usercancel
        case userCancel = -2
        /// …/userfallback
        case userFallback = -3
        /// …/systemcancel
        case systemCancel = -4
        /// …/passcodenotset
        case passcodeNotSet = -5
        /// …/biometrynotavailable
        @available(macOS 10.13, iOS 11.0, *)
        @available(watchOS, unavailable)
        case biometryNotAvailable = -6
        /// …/biometrynotenrolled
        @available(macOS 10.13, iOS 11.0, *)
        @available(watchOS, unavailable)
        case biometryNotEnrolled = -7
        /// …/biometrylockout
        @available(macOS 10.13, iOS 11.0, *)
        @available(watchOS, unavailable)
        case biometryLockout = -8
        /// …/appcancel
        @available(macOS 10.11, iOS 9.0, *)
        case appCancel = -9
        /// …/invalidcontext
        @available(macOS 10.11, iOS 9.0, *)
        case invalidContext = -10
        /// …/notinteractive
        case notInteractive = -1004
    }

    /// developer.apple.com/documentation/localauthentication/laerror-swift.struct/errordomain
    public static var errorDomain: String { LAErrorDomain }

    /// developer.apple.com/documentation/localauthentication/laerror-swift.struct/code-swift.property
    public let code: Code
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [:] }

    public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
}
