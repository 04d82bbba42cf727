public import Foundation

/// developer.apple.com/documentation/authenticationservices/asauthorizationplatformpublickeycredentialprovider
@available(macOS 12.0, iOS 15.0, tvOS 16.0, *)
@available(watchOS, unavailable)
open class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    public let relyingPartyIdentifier: String

    public init(relyingPartyIdentifier: String) { self.relyingPartyIdentifier = relyingPartyIdentifier }

    /// …/createcredentialregistrationrequest(challenge:name:userid:)
    open func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest(self, challenge, name, userID)
    }

    /// …/createcredentialassertionrequest(challenge:)
    open func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        ASAuthorizationPlatformPublicKeyCredentialAssertionRequest(self, challenge)
    }
}

/// developer.apple.com/documentation/authenticationservices/asauthorizationplatformpublickeycredentialassertionrequest
@available(macOS 12.0, iOS 15.0, tvOS 16.0, *)
@available(watchOS, unavailable)
open class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest,
    ASAuthorizationPublicKeyCredentialAssertionRequest, @unchecked Sendable
{
    open var challenge: Data
    open var relyingPartyIdentifier: String
    open var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    /// …/allowedcredentials
    open var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []

    init(_ provider: ASAuthorizationPlatformPublicKeyCredentialProvider, _ challenge: Data) {
        (self.challenge, relyingPartyIdentifier) = (challenge, provider.relyingPartyIdentifier)
        super.init(provider: provider)
    }
}

/// developer.apple.com/documentation/authenticationservices/asauthorizationplatformpublickeycredentialregistrationrequest
@available(macOS 12.0, iOS 15.0, tvOS 16.0, *)
@available(watchOS, unavailable)
open class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest,
    ASAuthorizationPublicKeyCredentialRegistrationRequest, @unchecked Sendable
{
    /// …/requeststyle-swift.enum
    @available(macOS 15.0, iOS 18.0, visionOS 2.0, *)
    @available(tvOS, unavailable)
    public enum RequestStyle: Int, Sendable {
        case standard = 0
        case conditional = 1
    }

    public let relyingPartyIdentifier: String
    open var userID: Data
    open var name: String
    open var displayName: String?
    open var challenge: Data
    open var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    #if !os(tvOS)
        @available(tvOS, unavailable)
        open var attestationPreference = ASAuthorizationPublicKeyCredentialAttestationKind.none
    #endif
    #if !os(tvOS) && !os(visionOS)
        /// developer.apple.com/documentation/authenticationservices/asauthorizationwebbrowserplatformpublickeycredentialregistrationrequest/excludedcredentials,
        /// whose protocol the class conforms to.
        @available(macOS 13.5, iOS 17.4, macCatalyst 16.6, *)
        @available(tvOS, unavailable)
        @available(visionOS, unavailable)
        open var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]? {
            get { excluded }
            set { excluded = newValue }
        }
    #endif
    private var excluded: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?

    #if !os(tvOS)
        /// …/requeststyle-swift.property
        @available(macOS 15.0, iOS 18.0, visionOS 2.0, *)
        @available(tvOS, unavailable)
        open var requestStyle: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.RequestStyle {
            get { isConditional ? .conditional : .standard }
            set { isConditional = newValue == .conditional }
        }
    #endif
    private(set) var isConditional = false

    init(
        _ provider: ASAuthorizationPlatformPublicKeyCredentialProvider, _ challenge: Data, _ name: String,
        _ userID: Data
    ) {
        (self.challenge, self.name, self.userID) = (challenge, name, userID)
        relyingPartyIdentifier = provider.relyingPartyIdentifier
        super.init(provider: provider)
    }
}

/// developer.apple.com/documentation/authenticationservices/asauthorizationplatformpublickeycredentialdescriptor
@available(macOS 12.0, iOS 15.0, tvOS 16.0, *)
@available(watchOS, unavailable)
open class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject,
    ASAuthorizationPublicKeyCredentialDescriptor, @unchecked Sendable
{
    open var credentialID: Data
    public init(credentialID: Data) { self.credentialID = credentialID }
}

/// developer.apple.com/documentation/authenticationservices/asauthorizationplatformpublickeycredentialassertion
@available(macOS 12.0, iOS 15.0, tvOS 16.0, *)
@available(watchOS, unavailable)
open class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject, ASAuthorizationPublicKeyCredentialAssertion,
    @unchecked Sendable
{
    open internal(set) var rawClientDataJSON = Data()
    open internal(set) var credentialID = Data()
    open internal(set) var rawAuthenticatorData: Data!
    open internal(set) var userID: Data!
    open internal(set) var signature: Data!
    #if !os(tvOS)
        /// …/attachment
        @available(macOS 13.5, iOS 16.6, *)
        @available(tvOS, unavailable)
        open var attachment: ASAuthorizationPublicKeyCredentialAttachment { isFromAnother ? .crossPlatform : .platform }
    #endif
    var isFromAnother = false

    override init() { super.init() }
}

/// developer.apple.com/documentation/authenticationservices/asauthorizationplatformpublickeycredentialregistration
@available(macOS 12.0, iOS 15.0, tvOS 16.0, *)
@available(watchOS, unavailable)
open class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject,
    ASAuthorizationPublicKeyCredentialRegistration, @unchecked Sendable
{
    open internal(set) var rawClientDataJSON = Data()
    open internal(set) var credentialID = Data()
    open internal(set) var rawAttestationObject: Data?
    #if !os(tvOS)
        /// …/attachment
        @available(macOS 13.5, iOS 16.6, *)
        @available(tvOS, unavailable)
        open var attachment: ASAuthorizationPublicKeyCredentialAttachment { isFromAnother ? .crossPlatform : .platform }
    #endif
    var isFromAnother = false

    override init() { super.init() }
}
