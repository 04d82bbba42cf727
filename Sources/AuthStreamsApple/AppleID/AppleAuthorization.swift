#if AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    import AuthStreams
    import AuthStreamsOAuth
    import Foundation

    /// An answer of the system's sheet, not checked yet.
    struct AppleAuthorization: Sendable {
        var userID: String
        var state: Secret?
        var identityToken: Secret?
        var authorizationCode: Secret?
        var profile: Credential.Profile?
        var realUserStatus: Credential.RealUserStatus?

        /// Reads what the sheet received.
        static func read(_ answer: Result<ASAuthorization, any Error>) -> Result<AppleAuthorization, AuthError> {
            answer.mapError { AuthorizationErrors.error(for: $0, of: .appleID) }.flatMap { authorization in
                guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else {
                    return .failure(
                        AuthError(
                            .invalidResponse, "The sheet answered with a credential of another kind than Apple's."))
                }
                return .success(AppleAuthorization(credential))
            }
        }

        private init(_ credential: ASAuthorizationAppleIDCredential) {
            userID = credential.user
            state = credential.state.map { Secret($0) }
            identityToken = Self.text(credential.identityToken)
            authorizationCode = Self.text(credential.authorizationCode)
            let profile = Credential.Profile(
                name: PersonName(
                    givenName: credential.fullName?.givenName, familyName: credential.fullName?.familyName),
                email: credential.email.flatMap { $0.isEmpty ? nil : $0 })
            self.profile = profile.isEmpty ? nil : profile
            realUserStatus = Credential.RealUserStatus(credential.realUserStatus)
        }

        /// Apple documents both as UTF-8.
        private static func text(_ data: Data?) -> Secret? {
            data.flatMap { String(data: $0, encoding: .utf8) }.flatMap { Secret($0).present }
        }
    }

    extension AppleAuthorization {
        /// Checks that the answer is the attempt's.
        ///
        /// - Throws: `stateMismatch`.
        func requireState(of secrets: AuthorizationSecrets) throws(AuthError) {
            guard state == secrets.state else {
                throw AuthError(.stateMismatch, "The sheet's answer does not repeat the attempt's state. Start over.")
            }
        }

        /// Makes the credential, if the ID token is the attempt's.
        ///
        /// - Throws: `nonceMismatch`, `invalidIDToken`; `invalidResponse` without an ID token.
        func credential(of secrets: AuthorizationSecrets) throws(AuthError) -> Credential {
            guard let identityToken else {
                throw AuthError(
                    .invalidResponse, "The sheet's answer has no ID token, so it proves nothing. Try again.")
            }
            guard let claims = JSONWebToken(identityToken)?.claims else {
                throw AuthError(.invalidIDToken, "The ID token of the sheet's answer is no JSON Web Token.")
            }
            guard claims["nonce"]?.string.map({ Secret($0) }) == Secret(AppleNonce.hashed(secrets.nonce)) else {
                throw AuthError(
                    .nonceMismatch, "The ID token does not repeat the attempt's nonce. Start over; do not retry.")
            }
            guard !userID.isEmpty, claims["sub"]?.string == userID else {
                throw AuthError(.invalidIDToken, "The ID token is another person's than the sheet's answer.")
            }
            var credential = Credential(
                provider: .apple, idToken: identityToken, rawNonce: secrets.nonce,
                authorizationCode: authorizationCode.map { Credential.AuthorizationCode(code: $0) }, userID: userID,
                profile: profile, isBound: true)
            credential.realUserStatus = realUserStatus
            credential.isPrivateEmail = AppleRelayAddress.isShared(by: claims)
            return credential
        }
    }

    extension Credential.RealUserStatus {
        fileprivate init?(_ status: ASUserDetectionStatus) {
            switch status {
            case .unsupported: self = .unsupported
            case .unknown: self = .unknown
            case .likelyReal: self = .likelyReal
            @unknown default: return nil
            }
        }
    }
#endif
