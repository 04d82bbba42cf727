#if AUTH_AUTHENTICATION_SERVICES
    import AuthStreams
    import AuthenticationServices
    import Foundation

    /// Why a web authentication session ended without a URL.
    struct WebAuthenticationFailure {
        /// The callback that the session waited for.
        let callback: WebCallback
        /// Whether Guided Access was on as the session began.
        let isInGuidedAccess: Bool

        /// Returns what the session's error means.
        ///
        /// The system uses one code for the person who closes the sheet, for an https callback without the association, and
        /// in Guided Access, where it shows nothing. A missing association has a failure reason. The other two have none;
        /// whether Guided Access was on tells them apart, which no page of Apple confirms.
        func error(for error: (any Error)?) -> AuthError {
            guard let error else {
                return AuthError(
                    .unexpected, "The system ended the web authentication session without a URL and without an error.")
            }
            let cause = error as NSError
            guard cause.domain == ASWebAuthenticationSessionErrorDomain else { return AuthError(wrapping: error) }
            switch ASWebAuthenticationSessionError.Code(rawValue: cause.code) {
            case .canceledLogin: return cancellation(hasReason: cause.hasFailureReason, error)
            case .some: return Self.notPresented(error)
            case nil: return AuthError(wrapping: error)
            }
        }

        private func cancellation(hasReason: Bool, _ error: any Error) -> AuthError {
            switch callback {
            case .https(let host, _) where hasReason: return Self.notAssociated(host, error)
            case .customScheme where hasReason:
                return AuthError(
                    .unexpected,
                    "The system ended the web authentication session for a reason of its own; see its log.",
                    cause: error)
            case _ where isInGuidedAccess: return Self.cannotStart
            default: return AuthError(.cancelled, "The person closed the provider's page.")
            }
        }

        /// The error of a session that did not start.
        static var cannotStart: AuthError {
            AuthError(
                .presentationUnavailable,
                """
                The system did not start the web authentication session. Guided Access, Single App Mode and the restrictions of \
                a managed device forbid it. End Guided Access, or let the device's administrator allow Safari and web \
                authentication.
                """)
        }

        private static func notPresented(_ error: any Error) -> AuthError {
            AuthError(
                .presentationUnavailable,
                "The system refused the window for the provider's page. Begin the attempt while its scene is active.",
                cause: error)
        }

        private static func notAssociated(_ host: String, _ error: any Error) -> AuthError {
            AuthError(
                .misconfigured,
                """
                The app is not associated with \(host), where the page answers. Add `webcredentials:\(host)` to the entitlement \
                com.apple.developer.associated-domains, and the app's identifier to `webcredentials` of \
                https://\(host)/.well-known/apple-app-site-association. `applinks` is not enough.
                """, cause: error)
        }
    }

    extension NSError {
        fileprivate var hasFailureReason: Bool { userInfo[NSLocalizedFailureReasonErrorKey] != nil }
    }
#endif
