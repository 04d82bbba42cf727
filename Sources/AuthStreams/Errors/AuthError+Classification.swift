import Foundation

extension AuthError {
    /// What an error means for the session and for the request, on any server.
    ///
    /// The library decides by this value and the ``AuthError/code`` whether a session ends, and never by a
    /// ``AuthError/serverCode``:
    ///
    /// | value | consequence |
    /// | --- | --- |
    /// | ``sessionEnd`` in answer to a refresh | the user is signed out with that reason |
    /// | ``sessionEnd`` in answer to a reload or a change of the account | the session is refreshed, and the answer to that decides |
    /// | ``refusesAccessToken`` | the session is refreshed once, and the request is sent once more |
    /// | ``isTransient`` | the user stays signed in, and the refresh is tried again later |
    /// | an outcome that is not known, in answer to a refresh | the refresh token counts as used, as ``RefreshTokenRule/singleUse`` describes |
    ///
    /// It follows from the ``AuthError/code`` and the ``AuthError/cause``. A repository adds the meaning of its
    /// server's own codes by the parameters `endsSession` and `refusesAccessToken` of the error's initializer.
    public struct Classification: Equatable, Sendable {
        /// Why the session is over, if the server rejected it terminally; `nil` if the error says nothing about the
        /// session.
        ///
        /// Only `sessionExpired`, `userDisabled` and `userNotFound` have one.
        public let sessionEnd: SignOutReason?
        /// Whether the server refused the access token before it did anything else with the request.
        public let refusesAccessToken: Bool
        /// Whether the same request may succeed later without a change.
        public let isTransient: Bool
        /// Whether the server may have carried out the request despite this error.
        package let isOutcomeUnknown: Bool

        init(of code: Code, cause: Cause?, endsSession reason: SignOutReason?, refusesAccessToken: Bool) {
            sessionEnd = Self.sessionEnd(of: code).map { reason ?? $0 }
            self.refusesAccessToken = refusesAccessToken
            isTransient =
                switch code {
                case .network, .server, .rateLimited, .timedOut, .abandoned, .storageLocked: true
                default: false
                }
            isOutcomeUnknown =
                switch code {
                case .network: !(cause?.isFromBeforeSending ?? false)
                case .timedOut, .cancelled, .superseded, .server, .refused, .invalidResponse, .unexpected, .abandoned:
                    true
                default: false
                }
        }

        private static func sessionEnd(of code: Code) -> SignOutReason? {
            switch code {
            case .userNotFound: .deleted
            case .userDisabled: .disabled
            case .sessionExpired: .expired
            default: nil
            }
        }

        /// Why the session is over, by the answer to a refresh.
        ///
        /// - Parameter isRepeat: Whether the refresh token was sent before and that answer was lost. A server with
        ///   single-use tokens refuses the second use, which does not mean that the session was over.
        package func sessionEnd(afterRepeat isRepeat: Bool) -> SignOutReason? {
            isRepeat && (sessionEnd == .expired || sessionEnd == .revoked) ? .refreshInterrupted : sessionEnd
        }
    }
}

extension AuthError {
    /// Whether the server refused the access token, in answer to a request with no other credential.
    var refusesOnlyAccessToken: Bool { classification.refusesAccessToken || code == .invalidCredential }

    /// Whether the server refused a provider's credential as invalid, used up or another attempt's.
    var refusesCredential: Bool { [.invalidCredential, .nonceMismatch, .invalidIDToken].contains(code) }
}

extension AuthError {
    /// Whether the error says that the server wants a further step, and not that an answer was wrong.
    var asksFurther: Bool {
        [.secondFactorRequired, .verificationRequired, .registrationRequired, .additionalStepRequired].contains(code)
    }

    /// The error of a sign-in by a password, which does not tell who has an account: a wrong address and a wrong password are the
    /// same, regardless of the server's code.
    var withoutHint: AuthError {
        guard code == .userNotFound || code == .invalidCredential else { return self }
        return AuthError(
            .invalidCredential, "The e-mail address or the password is not correct.", provider: provider, step: step)
    }

    /// Whether the request failed on this device alone: its store failed, or it has no network.
    var isOfThisDevice: Bool { code == .storage || code == .storageLocked || cause?.isMissingNetwork == true }
}

extension AuthError.Cause {
    /// Whether the device has no network, or must not use it.
    fileprivate var isMissingNetwork: Bool {
        domain == NSURLErrorDomain
            && [NSURLErrorNotConnectedToInternet, NSURLErrorDataNotAllowed, NSURLErrorInternationalRoamingOff]
                .contains(code)
    }

    /// Whether no connection was established: there was no network or no such host, or the host refused it.
    fileprivate var isFromBeforeSending: Bool {
        domain == NSURLErrorDomain
            && [
                NSURLErrorNotConnectedToInternet, NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed,
                NSURLErrorCannotConnectToHost, NSURLErrorDataNotAllowed, NSURLErrorInternationalRoamingOff,
            ].contains(code)
    }
}
