#if AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    import AuthStreams
    import Foundation

    /// What the errors of the system's sheet mean.
    ///
    /// By number, because the later codes are newer than the systems that the library supports:
    /// developer.apple.com/documentation/authenticationservices/asauthorizationerror-swift.struct/code
    enum AppleAuthorizationErrors {
        static func error(for error: any Error) -> AuthError {
            let system = error as NSError
            if let network = network(in: system) {
                return AuthError(.network, "The system could not reach Apple. Try again later.", cause: network)
            }
            guard system.domain == ASAuthorizationError.errorDomain, let (code, explanation) = meanings[system.code]
            else { return AuthError(.unexpected, Self.unknown, cause: error) }
            return AuthError(code, explanation, cause: error)
        }

        /// The system's own error for a missing network, which is below its error for the attempt.
        private static func network(in error: NSError) -> NSError? {
            var underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error
            while let next = underlying {
                let cause = next as NSError
                if cause.domain == NSURLErrorDomain { return cause }
                underlying = cause.userInfo[NSUnderlyingErrorKey] as? any Error
            }
            return nil
        }

        private static let meanings: [Int: (AuthError.Code, String)] = [
            1000: (.misconfigured, setUp),
            1001: (.cancelled, "The person closed the sheet."),
            1002: (.invalidResponse, "The system received an invalid answer from Apple. Try again."),
            1003: (.unexpected, "The system did not handle the request. Try again; the device may need a restart."),
            1004: (.unexpected, failed),
            1005: (
                .presentationUnavailable,
                "The sheet needs the person, and may not be shown now. Begin the attempt when they tap."
            ),
            1006: (.unexpected, passkeys), 1007: (.unexpected, passkeys), 1008: (.unexpected, passkeys),
            1009: (.unexpected, passkeys), 1010: (.unexpected, passkeys),
        ]

        private static let setUp = """
            The system refused the request without a reason. Two causes are known. The app lacks the capability Sign in with \
            Apple: add it to the target and to its App ID, and build with a provisioning profile that has it. Or the device \
            has no Apple Account with two-factor authentication: sign in to one in the device's settings.
            """

        private static let failed = """
            The attempt failed. Another request of the app may have been under way; the device may be offline or its Apple \
            Account may need attention in the settings. Try again.
            """

        private static let passkeys = """
            The system answered with an error of passkeys or of the transfer of credentials, which this attempt did not ask \
            for. Report it, with the system's version.
            """

        private static let unknown = "The system answered with an error that has no documented meaning; see the cause."
    }
#endif
