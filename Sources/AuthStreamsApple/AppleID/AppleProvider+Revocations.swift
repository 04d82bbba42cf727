#if AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    public import AuthStreams
    import Foundation

    extension AppleProvider {
        /// Reports that people stopped using Sign in with Apple for the app.
        ///
        /// The system is asked for the state of the person's credential when their session begins, at the launch of an app
        /// in which they are signed in, and each time it posts `credentialRevokedNotification`, which names no person.
        ///
        /// | the system's answer | consequence |
        /// | --- | --- |
        /// | `revoked` | a report |
        /// | `authorized` | none |
        /// | `transferred` | none: the app was transferred to another team, and your server migrates the person's identifier by the claim `transfer_sub` |
        /// | `notFound` | none: it is also the answer about a person whose Apple Account is not the device's |
        /// | an error | none. The answer beside it has no meaning |
        ///
        /// In Apple's Simulator there are no reports, because it answers `revoked` about everyone (iOS 18 and later).
        ///
        /// A change while the app does not run, or on another device, is found at the next launch, or by your server.
        public var revocations: RevocationReports? {
            #if targetEnvironment(simulator)
                nil
            #else
                RevocationReports { userID in Self.states(of: userID) }
            #endif
        }

        private static func states(of userID: String) -> AsyncStream<Void> {
            AsyncStream { continuation in
                let check: @Sendable () -> Void = {
                    ASAuthorizationAppleIDProvider().getCredentialState(forUserID: userID) { state, error in
                        // Without the check of the error, a failed request would be a revocation, whose number is 0.
                        if error == nil, state == .revoked { continuation.yield() }
                    }
                }
                // Before the first check, so that no notification is missed. The token is used once, to remove the observer.
                nonisolated(unsafe) let observer = NotificationCenter.default.addObserver(
                    forName: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil, queue: nil
                ) { _ in check() }
                continuation.onTermination = { _ in NotificationCenter.default.removeObserver(observer) }
                check()
            }
        }
    }
#endif
