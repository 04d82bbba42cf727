public import Foundation

/// developer.apple.com/documentation/authenticationservices/asuserdetectionstatus
public enum ASUserDetectionStatus: Int, Sendable {
    case unsupported = 0
    case unknown = 1
    case likelyReal = 2
}

/// developer.apple.com/documentation/authenticationservices/asuseragerange
public enum ASUserAgeRange: Int, Sendable {
    case unknown = 0
    case child = 1
    case notChild = 2
}

/// developer.apple.com/documentation/authenticationservices/asauthorizationappleidcredential
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
open class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    open internal(set) var user = ""
    open internal(set) var state: String?
    open internal(set) var authorizedScopes: [ASAuthorization.Scope] = []
    open internal(set) var authorizationCode: Data?
    open internal(set) var identityToken: Data?
    open internal(set) var email: String?
    open internal(set) var fullName: PersonNameComponents?
    open internal(set) var realUserStatus = ASUserDetectionStatus.unknown
    /// Not confirmed: tvOS and watchOS.
    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
    open var userAgeRange: ASUserAgeRange { .unknown }

    override init() { super.init() }
}

/// developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
open class ASAuthorizationAppleIDProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    /// developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider/credentialstate
    public enum CredentialState: Int, Sendable {
        case revoked = 0
        case authorized = 1
        case notFound = 2
        case transferred = 3
    }

    /// …/credentialrevokednotification
    public static let credentialRevokedNotification = NSNotification.Name(
        "ASAuthorizationAppleIDProviderCredentialRevokedNotification")

    public override init() { super.init() }

    open func createRequest() -> ASAuthorizationAppleIDRequest { ASAuthorizationAppleIDRequest(provider: self) }

    /// …/getcredentialstate(foruserid:completion:)
    ///
    /// With `notFound` there is an error besides, as the header says; without one for a user to whom a test gave the state.
    open func getCredentialState(
        forUserID userID: String,
        completion: @escaping @Sendable (ASAuthorizationAppleIDProvider.CredentialState, (any Error)?) -> Void
    ) {
        AppleDevice.AppleID.answerCredentialState(of: userID, completion)
    }

    /// …/getcredentialstate(foruserid:completion:)
    ///
    /// Throws whenever the completion has an error, as with `notFound`.
    open func credentialState(
        forUserID userID: String
    ) async throws -> ASAuthorizationAppleIDProvider.CredentialState {
        try await withCheckedThrowingContinuation { continuation in
            getCredentialState(forUserID: userID) { state, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: state) }
            }
        }
    }
}
