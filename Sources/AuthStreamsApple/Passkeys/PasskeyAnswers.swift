#if AUTH_AUTHENTICATION_SERVICES && (AUTH_UIKIT || AUTH_APPKIT)
    import AuthenticationServices
    import AuthStreams
    import AuthStreamsOAuth
    import Foundation

    // The system's answers as a server reads them.

    extension AuthenticationResponseJSON {
        /// Reads what the sheet received for a sign-in.
        static func read(
            _ answer: Result<ASAuthorization, any Error>, _ mediation: SignInMethod.Kind
        ) -> Result<Self, AuthError> {
            answer.mapError { AuthorizationErrors.error(for: $0, of: .assertion(mediation)) }.flatMap { authorization in
                guard let assertion = authorization.credential as? any ASAuthorizationPublicKeyCredentialAssertion,
                    // The system declares them as present.
                    let data = assertion.rawAuthenticatorData, let signature = assertion.signature
                else { return .failure(.otherCredential) }
                return .success(
                    Self(
                        credentialID: assertion.credentialID, rawClientDataJSON: assertion.rawClientDataJSON,
                        rawAuthenticatorData: data, signature: signature, userID: assertion.userID,
                        attachment: AuthenticatorAttachment(of: assertion)))
            }
        }
    }

    extension RegistrationResponseJSON {
        /// Reads what the sheet received for a new passkey.
        static func read(
            _ answer: Result<ASAuthorization, any Error>, _ mediation: SignInMethod.Kind
        ) -> Result<Self, AuthError> {
            answer.mapError { AuthorizationErrors.error(for: $0, of: .registration(mediation)) }.flatMap {
                authorization in
                guard
                    let registration = authorization.credential as? any ASAuthorizationPublicKeyCredentialRegistration,
                    let object = registration.rawAttestationObject
                else { return .failure(.otherCredential) }
                let attachment = AuthenticatorAttachment(of: registration)
                return Result { () throws(AuthError) in
                    try Self(
                        credentialID: registration.credentialID, rawClientDataJSON: registration.rawClientDataJSON,
                        rawAttestationObject: object, attachment: attachment,
                        transports: transports(of: registration, attachment))
                }
            }
        }

        private static func transports(
            of registration: any ASAuthorizationPublicKeyCredentialRegistration, _ attachment: AuthenticatorAttachment?
        ) -> [AuthenticatorTransport] {
            #if !os(tvOS) && !os(visionOS)
                if let registration = registration as? ASAuthorizationSecurityKeyPublicKeyCredentialRegistration {
                    guard #available(iOS 17.5, macOS 14.5, *) else { return [] }
                    return registration.transports.compactMap(AuthenticatorTransport.init)
                }
            #endif
            // The system names none. A passkey is on the person's devices, and reached from others by their phone.
            return attachment == .crossPlatform ? [.hybrid] : [.hybrid, .internal]
        }
    }

    extension AuthError {
        fileprivate static let otherCredential = AuthError(
            .invalidResponse, "The sheet answered with another kind of credential than it was asked for.")
    }

    extension AuthenticatorAttachment {
        /// The attachment of the authenticator that answered; `nil` on tvOS, which does not say.
        fileprivate init?(of credential: any ASPublicKeyCredential) {
            #if os(tvOS)
                return nil
            #else
                switch credential {
                case let assertion as ASAuthorizationPlatformPublicKeyCredentialAssertion:
                    self.init(assertion.attachment)
                case let registration as ASAuthorizationPlatformPublicKeyCredentialRegistration:
                    self.init(registration.attachment)
                default: self = .crossPlatform
                }
            #endif
        }

        #if !os(tvOS)
            private init?(_ attachment: ASAuthorizationPublicKeyCredentialAttachment) {
                switch attachment {
                case .platform: self = .platform
                case .crossPlatform: self = .crossPlatform
                @unknown default: return nil
                }
            }
        #endif
    }

    #if !os(tvOS) && !os(visionOS)
        extension AuthenticatorTransport {
            fileprivate init?(_ transport: ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport) {
                switch transport {
                case .usb: self = .usb
                case .nfc: self = .nfc
                case .bluetooth: self = .ble
                default: return nil
                }
            }
        }
    #endif
#endif
