#if AUTH_AUTHENTICATION_SERVICES && (AUTH_UIKIT || AUTH_APPKIT)
    import AuthenticationServices
    import AuthStreams
    import AuthStreamsOAuth
    import Foundation

    // The server's options as requests to the system. A request for a security key stands beside that for a passkey where the
    // options want one; tvOS and visionOS have none.

    extension PublicKeyCredentialRequestOptionsJSON {
        /// Returns the requests to sign in.
        ///
        /// - Throws: `unsupportedProvider` if the passkeys are on security keys, which the system or the mediation does not have.
        @MainActor
        func requests(_ mediation: SignInMethod.Kind) throws(AuthError) -> [ASAuthorizationRequest] {
            var requests: [ASAuthorizationRequest] = []
            if allowCredentials.isEmpty || !allowCredentials.allSatisfy(\.isOnSecurityKey) {
                let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: rpID ?? "")
                let request = provider.createCredentialAssertionRequest(challenge: challenge)
                request.allowedCredentials = allowCredentials.map(\.platform)
                request.userVerificationPreference = userVerification.system
                requests.append(request)
            }
            #if !os(tvOS) && !os(visionOS)
                // Neither is a security key there at once, nor does AutoFill suggest it.
                if mediation == .sheet,
                    hints.contains(.securityKey) || allowCredentials.contains(where: \.mayBeOnSecurityKey)
                {
                    let provider = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(
                        relyingPartyIdentifier: rpID ?? "")
                    let request = provider.createCredentialAssertionRequest(challenge: challenge)
                    request.allowedCredentials = allowCredentials.map(\.securityKey)
                    request.userVerificationPreference = userVerification.system
                    requests.append(request)
                }
            #endif
            guard !requests.isEmpty else { throw .needsSecurityKey }
            return requests
        }
    }

    extension PublicKeyCredentialCreationOptionsJSON {
        /// Returns the requests for a new passkey.
        ///
        /// - Throws: `unsupportedProvider` if the system or the mediation has no authenticator that the server accepts.
        @MainActor
        func requests(_ mediation: SignInMethod.Kind) throws(AuthError) -> [ASAuthorizationRequest] {
            var requests: [ASAuthorizationRequest] = []
            // Passkeys sign by ES256 alone, and are found without their identifiers whether or not the server wants that.
            if authenticatorSelection.attachment != .crossPlatform, algorithms.contains(.es256) {
                requests.append(try platformRequest(mediation))
            }
            #if !os(tvOS) && !os(visionOS)
                let wantsSecurityKey =
                    authenticatorSelection.attachment == .crossPlatform || hints.contains(.securityKey)
                    || !algorithms.contains(.es256)
                if mediation == .sheet, wantsSecurityKey, authenticatorSelection.attachment != .platform {
                    requests.append(securityKeyRequest)
                }
            #endif
            guard !requests.isEmpty else { throw .needsSecurityKey }
            return requests
        }

        @MainActor
        private func platformRequest(
            _ mediation: SignInMethod.Kind
        ) throws(AuthError) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
            let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: rp.id ?? "")
            let request = provider.createCredentialRegistrationRequest(
                challenge: challenge, name: user.name, userID: user.id)
            if !user.displayName.isEmpty { request.displayName = user.displayName }
            request.userVerificationPreference = authenticatorSelection.userVerification.system
            #if !os(tvOS)
                request.attestationPreference = attestation.system
            #endif
            #if !os(tvOS) && !os(visionOS)
                if #available(iOS 17.4, *), !excludeCredentials.isEmpty {
                    request.excludedCredentials = excludeCredentials.map(\.platform)
                }
            #endif
            guard mediation == .conditional else { return request }
            #if !os(tvOS)
                if #available(iOS 18, macOS 15, visionOS 2, *) {
                    request.requestStyle = .conditional
                    return request
                }
            #endif
            throw AuthError(
                .unsupportedProvider,
                "The system makes no passkey without a question. iOS 18, macOS 15 and visionOS 2 do.")
        }

        #if !os(tvOS) && !os(visionOS)
            @MainActor
            private var securityKeyRequest: ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
                let provider = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(
                    relyingPartyIdentifier: rp.id ?? "")
                let request = provider.createCredentialRegistrationRequest(
                    challenge: challenge, displayName: user.displayName, name: user.name, userID: user.id)
                request.credentialParameters = algorithms.map {
                    ASAuthorizationPublicKeyCredentialParameters(
                        algorithm: ASCOSEAlgorithmIdentifier(rawValue: Int($0.rawValue)))
                }
                request.excludedCredentials = excludeCredentials.map(\.securityKey)
                request.residentKeyPreference = authenticatorSelection.residentKey.system
                request.userVerificationPreference = authenticatorSelection.userVerification.system
                request.attestationPreference = attestation.system
                return request
            }
        #endif
    }

    extension AuthError {
        fileprivate static let needsSecurityKey = AuthError(
            .unsupportedProvider,
            "The server's options want a security key, which cannot be used here. Use the sheet on iOS or macOS.")
    }

    extension AuthenticatorTransport {
        fileprivate static let ofSecurityKeys: Set<Self> = [.usb, .nfc, .ble, .smartCard]
    }

    extension PublicKeyCredentialDescriptorJSON {
        /// Whether the server says that the passkey is on a security key.
        fileprivate var mayBeOnSecurityKey: Bool {
            !AuthenticatorTransport.ofSecurityKeys.isDisjoint(with: transports)
        }

        /// Whether the server says that the passkey is nowhere else.
        fileprivate var isOnSecurityKey: Bool {
            !transports.isEmpty && AuthenticatorTransport.ofSecurityKeys.isSuperset(of: transports)
        }

        fileprivate var platform: ASAuthorizationPlatformPublicKeyCredentialDescriptor {
            ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: id)
        }

        #if !os(tvOS) && !os(visionOS)
            fileprivate var securityKey: ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor {
                let known = transports.compactMap(\.system)
                return ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor(
                    credentialID: id,
                    transports: known.isEmpty
                        ? ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport.allSupported : known)
            }
        #endif
    }

    #if !os(tvOS) && !os(visionOS)
        extension AuthenticatorTransport {
            fileprivate var system: ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport? {
                switch self {
                case .usb: .usb
                case .nfc: .nfc
                case .ble: .bluetooth
                default: nil
                }
            }
        }

        extension ResidentKeyRequirement {
            fileprivate var system: ASAuthorizationPublicKeyCredentialResidentKeyPreference {
                switch self {
                case .required: .required
                case .preferred: .preferred
                case .discouraged: .discouraged
                }
            }
        }
    #endif

    extension UserVerificationRequirement {
        fileprivate var system: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
            switch self {
            case .required: .required
            case .preferred: .preferred
            case .discouraged: .discouraged
            }
        }
    }

    #if !os(tvOS)
        extension AttestationConveyancePreference {
            fileprivate var system: ASAuthorizationPublicKeyCredentialAttestationKind {
                switch self {
                case .none: .none
                case .indirect: .indirect
                case .direct: .direct
                case .enterprise: .enterprise
                }
            }
        }
    #endif
#endif
