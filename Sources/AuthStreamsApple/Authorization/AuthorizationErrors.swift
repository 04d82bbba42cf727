#if AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    import AuthStreams
    import AuthStreamsOAuth
    import Foundation

    /// What the errors of the system's sheets mean.
    ///
    /// By number, because the later codes are newer than the systems that the library supports:
    /// developer.apple.com/documentation/authenticationservices/asauthorizationerror-swift.struct/code
    enum AuthorizationErrors {
        /// What the app asked the system for.
        enum Request: Hashable, Sendable {
            case appleID
            case assertion(SignInMethod.Kind)
            case registration(SignInMethod.Kind)
        }

        /// Returns the meaning of an error that the delegate received; an ``AuthError`` means itself.
        static func error(for error: any Error, of request: Request) -> AuthError {
            if let error = error as? AuthError { return error }
            let system = error as NSError
            if let network = network(in: system) {
                return AuthError(.network, "The system could not reach Apple. Try again later.", cause: network)
            }
            let known = system.domain == ASAuthorizationError.errorDomain ? meaning(of: system, request) : nil
            guard let (code, explanation) = known else { return AuthError(.unexpected, Self.unknown, cause: error) }
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

        private static func meaning(of error: NSError, _ request: Request) -> AuthError.Meaning? {
            switch (error.code, request) {
            case (1001, .assertion(.immediate)), (1005, .assertion(.immediate)): (.noPasskey, noPasskey)
            case (1001, .registration(.conditional)): (.cancelled, declined)
            case (1004, .assertion), (1004, .registration): failure(error, request)
            case (1006, .registration): (.passkeyExists, "The device has a passkey of this account already.")
            case (1009, .assertion), (1009, .registration): (.accountExists, signInWithApple)
            case (1010, .assertion), (1010, .registration): (.unsupportedProvider, noKeychain)
            case (1000, .assertion), (1000, .registration): (.unexpected, unknown)
            default: meanings[error.code]
            }
        }

        /// The meaning of 1004 for a passkey. Which of its causes it is stands in its reason alone, which is not documented.
        private static func failure(_ error: NSError, _ request: Request) -> AuthError.Meaning {
            let reasons = [error.userInfo[NSLocalizedFailureReasonErrorKey] as? String, error.localizedDescription]
            let reason = reasons.compactMap { $0?.lowercased() }.joined(separator: " ")
            if reason.contains("associat") { return (.misconfigured, association) }
            if reason.contains("in progress") { return (.presentationUnavailable, inProgress) }
            if ["keychain", "passcode", "not configured"].contains(where: reason.contains) {
                return (.unsupportedProvider, noKeychain)
            }
            if request == .registration(.conditional) { return (.cancelled, declined) }
            return (
                .misconfigured, "\(association) If both are right, the device may lack iCloud Keychain or a passcode."
            )
        }

        private static let meanings: [Int: AuthError.Meaning] = [
            1000: (.misconfigured, setUp),
            1001: (.cancelled, "The person closed the sheet, or the request was cancelled."),
            1002: (.invalidResponse, "The system received an invalid answer. Try again."),
            1003: (.unexpected, "The system did not handle the request. Try again; the device may need a restart."),
            1004: (.unexpected, failed),
            1005: (
                .presentationUnavailable,
                "The sheet needs the person, and may not be shown now. Begin the attempt when they tap."
            ),
            1006: (.unexpected, other), 1007: (.unexpected, other), 1008: (.unexpected, other),
            1009: (.unexpected, other), 1010: (.unexpected, other),
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

        private static let other = """
            The system answered with an error that belongs to another kind of request than this attempt made. Report it, with \
            the system's version.
            """

        private static let unknown = "The system answered with an error that has no documented meaning; see the cause."

        // MARK: Passkeys

        private static let noPasskey = """
            This device has no passkey that fits, or the person closed the question. The system does not say which.
            """

        private static let declined = """
            The password manager made no passkey without a question: it did not fill in the password just now, has a passkey of \
            the account, or does not take part. Offer one again after the next sign-in by a password.
            """

        private static let association = """
            The app may not use the passkeys of this domain. Check the entitlement `webcredentials:` with the server's `rp.id`, \
            and https://app-site-association.cdn-apple.com/a/v1/ followed by the domain: the file must list the app under \
            `webcredentials`. A device may fetch it minutes after the app was installed.
            """

        private static let inProgress = """
            The system shows another request of the app, which this library did not make. Begin the attempt when it has ended.
            """

        private static let noKeychain = """
            The device cannot keep passkeys. In the settings, the person sets up a passcode, and turns on iCloud Keychain or \
            another password manager.
            """

        private static let signInWithApple = """
            The person has an account here by Sign in with Apple, and the system advises to use it: call `signIn(with: .apple)`.
            """
    }
#endif
