public import Foundation

/// developer.apple.com/documentation/authenticationservices/asauthorizationerrordomain
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public let ASAuthorizationErrorDomain = "com.apple.AuthenticationServices.AuthorizationError"

/// developer.apple.com/documentation/authenticationservices/asauthorizationerror-swift.struct
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct ASAuthorizationError: CustomNSError, @unchecked Sendable {
    /// developer.apple.com/documentation/authenticationservices/asauthorizationerror-swift.struct/code
    public enum Code: Int, Sendable {
        case unknown = 1000
        case canceled = 1001
        case invalidResponse = 1002
        case notHandled = 1003
        case failed = 1004
        @available(macOS 12.0, iOS 15.0, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case notInteractive = 1005
        @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        case matchedExcludedCredential = 1006
        @available(macOS 15.2, iOS 18.2, visionOS 2.2, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case credentialImport = 1007
        @available(macOS 15.2, iOS 18.2, visionOS 2.2, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case credentialExport = 1008
        @available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case preferSignInWithApple = 1009
        @available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
        @available(tvOS, unavailable)
        @available(watchOS, unavailable)
        case deviceNotConfiguredForPasskeyCreation = 1010
    }

    public static var errorDomain: String { ASAuthorizationErrorDomain }
    public static var unknown: Code { .unknown }
    public static var canceled: Code { .canceled }
    public static var invalidResponse: Code { .invalidResponse }
    public static var notHandled: Code { .notHandled }
    public static var failed: Code { .failed }
    @available(macOS 12.0, iOS 15.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static var notInteractive: Code { .notInteractive }
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }
    @available(macOS 15.2, iOS 18.2, visionOS 2.2, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static var credentialImport: Code { .credentialImport }
    @available(macOS 15.2, iOS 18.2, visionOS 2.2, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static var credentialExport: Code { .credentialExport }
    @available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static var preferSignInWithApple: Code { .preferSignInWithApple }
    @available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static var deviceNotConfiguredForPasskeyCreation: Code { .deviceNotConfiguredForPasskeyCreation }

    public let code: Code
    public let userInfo: [String: Any]
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }

    public init(_ code: Code, userInfo: [String: Any] = [:]) { (self.code, self.userInfo) = (code, userInfo) }
}

/// developer.apple.com/documentation/authenticationservices/aswebauthenticationsessionerrordomain
@available(macOS 10.15, iOS 12.0, tvOS 16.0, watchOS 6.2, *)
public let ASWebAuthenticationSessionErrorDomain = "com.apple.AuthenticationServices.WebAuthenticationSession"

/// developer.apple.com/documentation/authenticationservices/aswebauthenticationsessionerror
@available(macOS 10.15, iOS 12.0, tvOS 16.0, watchOS 6.2, *)
public struct ASWebAuthenticationSessionError: CustomNSError, @unchecked Sendable {
    /// developer.apple.com/documentation/authenticationservices/aswebauthenticationsessionerror/code
    public enum Code: Int, Sendable {
        case canceledLogin = 1
        @available(macOS 10.15, iOS 13.0, *)
        @available(watchOS, unavailable)
        case presentationContextNotProvided = 2
        @available(macOS 10.15, iOS 13.0, *)
        @available(watchOS, unavailable)
        case presentationContextInvalid = 3
    }

    public static var errorDomain: String { ASWebAuthenticationSessionErrorDomain }
    public static var canceledLogin: Code { .canceledLogin }
    @available(watchOS, unavailable)
    public static var presentationContextNotProvided: Code { .presentationContextNotProvided }
    @available(watchOS, unavailable)
    public static var presentationContextInvalid: Code { .presentationContextInvalid }

    public let code: Code
    public let userInfo: [String: Any]
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }

    public init(_ code: Code, userInfo: [String: Any] = [:]) { (self.code, self.userInfo) = (code, userInfo) }
}
