#if AUTH_SECURITY
    import AuthStreams
    import Foundation
    import Security

    extension AuthError {
        /// The error for a result code of the keychain, which stays in the cause.
        ///
        /// developer.apple.com/documentation/security/security-framework-result-codes
        static func keychain(_ status: OSStatus, couldNot action: String, in place: KeychainPlace) -> Self {
            let code: Code =
                switch status {
                case errSecInteractionNotAllowed: .storageLocked
                case errSecMissingEntitlement, errSecRestrictedAPI: .misconfigured
                default: .storage
                }
            let reason = reason(status, place)
            return AuthError(
                code, "The keychain could not \(action) of the service '\(place.service)' (\(status)): \(reason)",
                cause: NSError(domain: NSOSStatusErrorDomain, code: Int(status)))
        }

        private static func reason(_ status: OSStatus, _ place: KeychainPlace) -> String {
            switch status {
            case errSecInteractionNotAllowed:
                "The device was not unlocked since it restarted. Nothing is lost; try again after the unlock."
            case errSecMissingEntitlement, errSecRestrictedAPI:
                entitlements(place)
            case errSecAuthFailed:
                """
                Access was denied, for example by Face ID or Touch ID. The store asks for neither, so another program \
                made the item; choose another service.
                """
            case errSecUserCanceled:
                """
                The request for the person's consent was cancelled. The store asks for none, so another program made \
                the item; choose another service.
                """
            case errSecDiskFull: "The device has no space left. Free some, then try again."
            case errSecDecode: "The item is damaged. Delete it; the person then signs in again."
            default:
                (SecCopyErrorMessageString(status, nil) as String?).map { "\($0) The call can be repeated." }
                    ?? "The call can be repeated."
            }
        }

        private static func entitlements(_ place: KeychainPlace) -> String {
            guard let group = place.accessGroup else {
                return """
                    The program has no access group. Sign it with an application identifier: every app for iOS is, and \
                    one for macOS needs a provisioning profile. Or add the entitlement 'keychain-access-groups'.
                    """
            }
            return """
                The program may not use the access group '\(group)'. Add it to the entitlement 'keychain-access-groups' \
                of the app and of each extension, with the prefix of the team. A program without an application \
                identifier, such as an unsigned tool for macOS, has no access group at all.
                """
        }
    }
#endif
