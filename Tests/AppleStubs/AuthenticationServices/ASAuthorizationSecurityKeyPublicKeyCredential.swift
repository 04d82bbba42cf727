#if !os(tvOS) && !os(visionOS) && !os(watchOS)
    public import Foundation

    /// developer.apple.com/documentation/authenticationservices/asauthorizationsecuritykeypublickeycredentialprovider
    @available(macOS 12.0, iOS 15.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    open class ASAuthorizationSecurityKeyPublicKeyCredentialProvider: NSObject, ASAuthorizationProvider,
        @unchecked Sendable
    {
        public let relyingPartyIdentifier: String

        public init(relyingPartyIdentifier: String) { self.relyingPartyIdentifier = relyingPartyIdentifier }

        /// …/createcredentialregistrationrequest(challenge:displayname:name:userid:)
        open func createCredentialRegistrationRequest(
            challenge: Data, displayName: String, name: String, userID: Data
        ) -> ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
            ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest(self, challenge, displayName, name, userID)
        }

        /// …/createcredentialassertionrequest(challenge:)
        open func createCredentialAssertionRequest(
            challenge: Data
        ) -> ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
            ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest(self, challenge)
        }
    }

    /// developer.apple.com/documentation/authenticationservices/asauthorizationsecuritykeypublickeycredentialassertionrequest
    @available(macOS 12.0, iOS 15.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    open class ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest: ASAuthorizationRequest,
        ASAuthorizationPublicKeyCredentialAssertionRequest, @unchecked Sendable
    {
        open var challenge: Data
        open var relyingPartyIdentifier: String
        open var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
        /// …/allowedcredentials
        open var allowedCredentials: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = []

        init(_ provider: ASAuthorizationSecurityKeyPublicKeyCredentialProvider, _ challenge: Data) {
            (self.challenge, relyingPartyIdentifier) = (challenge, provider.relyingPartyIdentifier)
            super.init(provider: provider)
        }
    }

    /// developer.apple.com/documentation/authenticationservices/asauthorizationsecuritykeypublickeycredentialregistrationrequest
    @available(macOS 12.0, iOS 15.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    open class ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest,
        ASAuthorizationPublicKeyCredentialRegistrationRequest, @unchecked Sendable
    {
        public let relyingPartyIdentifier: String
        open var userID: Data
        open var name: String
        open var displayName: String?
        open var challenge: Data
        open var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
        open var attestationPreference = ASAuthorizationPublicKeyCredentialAttestationKind.none
        /// …/credentialparameters
        open var credentialParameters: [ASAuthorizationPublicKeyCredentialParameters] = []
        /// …/excludedcredentials
        open var excludedCredentials: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = []
        /// …/residentkeypreference
        open var residentKeyPreference = ASAuthorizationPublicKeyCredentialResidentKeyPreference.discouraged

        init(
            _ provider: ASAuthorizationSecurityKeyPublicKeyCredentialProvider, _ challenge: Data,
            _ displayName: String, _ name: String, _ userID: Data
        ) {
            (self.challenge, self.displayName, self.name, self.userID) = (challenge, displayName, name, userID)
            relyingPartyIdentifier = provider.relyingPartyIdentifier
            super.init(provider: provider)
        }
    }

    /// developer.apple.com/documentation/authenticationservices/asauthorizationsecuritykeypublickeycredentialdescriptor
    @available(macOS 12.0, iOS 15.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    open class ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor: NSObject,
        ASAuthorizationPublicKeyCredentialDescriptor, @unchecked Sendable
    {
        /// …/transport
        public struct Transport: RawRepresentable, Hashable, Sendable {
            public var rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            public init(_ rawValue: String) { self.rawValue = rawValue }
            public static let usb = Self(rawValue: "usb")
            public static let nfc = Self(rawValue: "nfc")
            public static let bluetooth = Self(rawValue: "ble")
            public static var allSupported: [Self] { [.usb, .nfc, .bluetooth] }
        }

        open var credentialID: Data
        open var transports: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport]

        /// …/init(credentialid:transports:)
        public init(
            credentialID: Data,
            transports allowedTransports: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport]
        ) { (self.credentialID, transports) = (credentialID, allowedTransports) }
    }

    /// developer.apple.com/documentation/authenticationservices/asauthorizationsecuritykeypublickeycredentialassertion
    @available(macOS 12.0, iOS 15.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    open class ASAuthorizationSecurityKeyPublicKeyCredentialAssertion: NSObject,
        ASAuthorizationPublicKeyCredentialAssertion, @unchecked Sendable
    {
        open internal(set) var rawClientDataJSON = Data()
        open internal(set) var credentialID = Data()
        open internal(set) var rawAuthenticatorData: Data!
        open internal(set) var userID: Data!
        open internal(set) var signature: Data!

        override init() { super.init() }
    }

    /// developer.apple.com/documentation/authenticationservices/asauthorizationsecuritykeypublickeycredentialregistration
    @available(macOS 12.0, iOS 15.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    open class ASAuthorizationSecurityKeyPublicKeyCredentialRegistration: NSObject,
        ASAuthorizationPublicKeyCredentialRegistration, @unchecked Sendable
    {
        open internal(set) var rawClientDataJSON = Data()
        open internal(set) var credentialID = Data()
        open internal(set) var rawAttestationObject: Data?
        /// …/transports
        @available(macOS 14.5, iOS 17.5, *)
        open var transports: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport] { ways }
        var ways: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport] = []

        override init() { super.init() }
    }
#endif
