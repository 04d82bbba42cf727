import AuthStreams
import Foundation

/// Passwords, and links that are sent by mail.
///
/// <https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts>
extension IdentityToolkit {
    /// Signs in with an address and a password: `accounts:signInWithPassword`.
    ///
    /// - Throws: `AuthError`; the same `invalidCredential` for a wrong address and for a wrong password, with and without the
    ///   project's protection of addresses; `secondFactorRequired`.
    func signIn(email: String, password: Secret) async throws(AuthError) -> Tokens {
        let body: [String: AuthJSON] = [
            "email": .string(email), "password": .string(password.reveal()), "returnSecureToken": true,
        ]
        do throws(AuthError) {
            return try Tokens(signIn: try await post(inTenant(body), to: "signInWithPassword"))
        } catch {
            throw error.inTermsOfPassword
        }
    }

    /// Makes an account with an address and a password, or adds them to the user of an ID token: `accounts:signUp`.
    ///
    /// - Throws: `AuthError`; `accountExists` if another account has the address.
    func signUp(email: String, password: Secret, linkingTo idToken: Secret? = nil) async throws(AuthError) -> Tokens {
        var body: [String: AuthJSON] = [
            "email": .string(email), "password": .string(password.reveal()), "returnSecureToken": true,
        ]
        body["idToken"] = idToken.map { .string($0.reveal()) }
        do throws(AuthError) { return try Tokens(signIn: try await post(inTenant(body), to: "signUp")) } catch {
            throw error.inConflict(about: email)
        }
    }

    /// Signs in with the code of a mail, or adds its address to the user of an ID token: `accounts:signInWithEmailLink`.
    ///
    /// - Throws: `AuthError`; `invalidCredential` if the code is not valid any more, or was sent to another address;
    ///   `accountExists` if another account has the address; `secondFactorRequired`.
    func signIn(
        email: String, mailCode: Secret, linkingTo idToken: Secret? = nil
    ) async throws(AuthError) -> Tokens {
        var body: [String: AuthJSON] = ["email": .string(email), "oobCode": .string(mailCode.reveal())]
        body["idToken"] = idToken.map { .string($0.reveal()) }
        do throws(AuthError) {
            return try Tokens(signIn: try await post(inTenant(body), to: "signInWithEmailLink"))
        } catch {
            throw error.inTermsOfMailLink.inConflict(about: email)
        }
    }

    /// What a person proves by an address: a credential without a route.
    enum EmailProof {
        case password(email: String, Secret)
        case mailLink(email: String, code: Secret)

        /// - Throws: `invalidCredential` if a part is missing.
        init(_ credential: Credential) throws(AuthError) {
            switch (credential.address, credential.password, credential.authorizationCode?.code.present) {
            case (let email?, let password?, _) where credential.provider == .password:
                self = .password(email: email, password)
            case (let email?, _, let code?) where credential.provider == .emailLink:
                self = .mailLink(email: email, code: code)
            default:
                throw AuthError(
                    .invalidCredential,
                    "The credential has no address, or neither a password nor the code of a mail, so nothing is sent.")
            }
        }
    }

    /// Signs in by an address.
    func signIn(by proof: EmailProof) async throws(AuthError) -> Tokens {
        switch proof {
        case .password(let email, let password): try await signIn(email: email, password: password)
        case .mailLink(let email, let code): try await signIn(email: email, mailCode: code)
        }
    }

    /// Adds an address, with a password or without, to the user of an ID token.
    func link(_ proof: EmailProof, to idToken: Secret) async throws(AuthError) -> Tokens {
        switch proof {
        case .password(let email, let password):
            try await signUp(email: email, password: password, linkingTo: idToken)
        case .mailLink(let email, let code): try await signIn(email: email, mailCode: code, linkingTo: idToken)
        }
    }

    /// Sends a mail: `accounts:sendOobCode`.
    func send(_ mail: Preparation, for idToken: Secret?) async throws(AuthError) {
        let body: [String: AuthJSON]
        switch mail {
        case .passwordReset(let email): body = ["requestType": "PASSWORD_RESET", "email": .string(email)]
        case .emailVerification:
            body = ["requestType": "VERIFY_EMAIL", "idToken": .string(idToken?.reveal() ?? "")]
        case .emailLink(let email, let continueURL):
            var link: [String: AuthJSON] = [
                "requestType": "EMAIL_SIGNIN", "email": .string(email), "canHandleCodeInApp": true,
                "continueUrl": .string(continueURL.absoluteString),
            ]
            if let bundleID = project.bundleID, !bundleID.isEmpty { link["iOSBundleId"] = .string(bundleID) }
            body = link
        case .passkeyAssertion, .passkeyRegistration: throw .withoutPasskeys
        }
        _ = try await post(inTenant(body), to: "sendOobCode")
    }

    /// Changes or sets the password of the user of an ID token: `accounts:update`.
    ///
    /// - Returns: New tokens, since the change ends the old ones; `nil` if the answer has none.
    func changePassword(to password: Secret, of idToken: Secret) async throws(AuthError) -> Tokens? {
        try Tokens(
            update: try await post(
                [
                    "idToken": .string(idToken.reveal()), "password": .string(password.reveal()),
                    "returnSecureToken": true,
                ], to: "update"))
    }
}

extension AuthError {
    /// Firebase's calls for passkeys are in no release.
    static var withoutPasskeys: Self {
        AuthError(
            .unsupportedProvider, "Firebase has no passkeys yet. Use a server of your own for them.", provider: .passkey
        )
    }

    /// The error of a sign-in by a password. It does not tell whether an account has the address, and a value that cannot be right
    /// is wrong like any other, so that the person is asked again.
    fileprivate var inTermsOfPassword: Self {
        switch serverCode {
        case "INVALID_LOGIN_CREDENTIALS", "INVALID_PASSWORD", "EMAIL_NOT_FOUND":
            return AuthError(
                .invalidCredential, "The e-mail address or the password is not correct.",
                serverCode: "INVALID_LOGIN_CREDENTIALS")
        default: return inTermsOfCredential
        }
    }

    /// The error of a sign-in by a mail link. Firebase compares the address with the one that the mail was sent to.
    fileprivate var inTermsOfMailLink: Self {
        guard serverCode == "INVALID_EMAIL" else { return inTermsOfCredential }
        return AuthError(
            .invalidCredential, "The link was sent to another address, or the address is badly formed.",
            serverCode: serverCode)
    }

    private var inTermsOfCredential: Self {
        guard code == .invalidInput else { return self }
        return AuthError(.invalidCredential, explanation).quotingServer(of: self)
    }

    /// The same error, with the address of which another account is.
    fileprivate func inConflict(about email: String) -> Self {
        guard isConflict else { return self }
        var error = self
        error.conflict = AuthConflict(email: email)
        return error
    }
}
