public import AuthStreams

/// Signs in with a provider that Firebase does not know: credential → function → custom token → Firebase sign-in.
///
/// ```
/// Credential ─► validate ─► CustomTokenSource ─► custom token ─► CustomTokenSignIn ─► AuthSession
///                  │              │                   │                  │
///          invalidCredential  your server's no  invalidCustomToken   Firebase's no
/// ```
///
/// Both ports are public, so an app that keeps the Firebase SDK can use it here with the same steps and errors.
public struct SocialAuthCoordinator: Sendable {
    let source: any CustomTokenSource
    let firebase: any CustomTokenSignIn

    /// Makes a coordinator.
    ///
    /// - Parameters:
    ///   - source: Turns credentials into custom tokens.
    ///   - firebase: Signs in with them.
    public init(source: any CustomTokenSource, firebase: any CustomTokenSignIn) {
        self.source = source
        self.firebase = firebase
    }

    /// Signs in with a credential.
    ///
    /// - Returns: A session. Its user is new if Firebase says so, or if the custom token has the claim `isNewUser`: to
    ///   Firebase a user whom the function has created is not new.
    /// - Throws: `AuthError`; `invalidCredential` before any request if a part is missing, `invalidCustomToken` if the
    ///   answer has no usable one, or the ports' errors. A source's error with the server code `PERMISSION_DENIED` is
    ///   `userDisabled` for every source, as <doc:SocialLogin> defines.
    public func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let token = try await customToken(of: credential) { (source) throws(AuthError) in
                try await source.customToken(for: credential)
            }
            var session = try await firebase.signIn(withCustomToken: token, from: credential.provider)
            if JSONWebToken(token)?.claims["claims"]?["isNewUser"]?.bool == true { session.isNewUser = true }
            return session
        } catch {
            throw error.located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Returns the custom token of a credential. It is not empty.
    func customToken(
        of credential: Credential, from ask: (any CustomTokenSource) async throws(AuthError) -> Secret
    ) async throws(AuthError) -> Secret {
        try source.validate(credential)
        let token: Secret
        do throws(AuthError) { token = try await ask(source) } catch {
            throw error.inTermsOfSocialLogin
        }
        guard !token.isEmpty else {
            throw AuthError(.invalidCustomToken, "The custom token is empty. Look at the function's log.")
        }
        return token
    }
}

extension SocialAuthCoordinator {
    /// Adds the credential's identity to the session's user.
    ///
    /// - Returns: A session of the same user, with new tokens.
    /// - Throws: `AuthError`; `credentialInUse` if the identity is another user's, with a conflict;
    ///   `unsupportedProvider` if the source does not link; `invalidResponse` for a custom token of another user,
    ///   `invalidCustomToken` for one that does not name its user.
    public func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            try source.validate(credential)
            let token: Secret
            do throws(AuthError) {
                token = try await source.customToken(linking: credential, to: session.accessToken)
            } catch {
                throw error.inTermsOfLinking(credential)
            }
            guard try token.customTokenUser == session.user.id else { throw .anothersCustomToken }
            let linked = try await freshSession(by: token, from: session.provider)
            guard linked.user.id == session.user.id else { throw .anothersCustomToken }
            return linked
        } catch {
            throw error.located(provider: credential.provider)
        }
    }

    /// Removes an identity from the session's user.
    public func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) {
        do throws(AuthError) { try await source.unlink(provider, from: session.accessToken) } catch {
            throw error.inTermsOfSocialLogin.located(provider: provider)
        }
    }

    /// Signs the session's user in again.
    ///
    /// The custom token names its user. Another user's is never sent to Firebase, so no other user is signed in and
    /// none is created. Neither is one that does not name its user: Firebase's SDK would show them from then on.
    ///
    /// - Throws: `AuthError`; `credentialInUse` if the credential is another user's, `invalidCustomToken` if the custom
    ///   token does not name its user.
    public func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError)
        -> AuthSession
    {
        do throws(AuthError) {
            let token = try await customToken(of: credential) { (source) throws(AuthError) in
                try await source.customToken(reauthenticating: credential)
            }
            guard try token.customTokenUser == session.user.id else { throw .anotherUsers(credential) }
            let fresh = try await freshSession(by: token, from: credential.provider)
            guard fresh.user.id == session.user.id else { throw .anotherUsers(credential) }
            return fresh
        } catch {
            throw error.located(provider: credential.provider)
        }
    }
}

extension SocialAuthCoordinator {
    /// Signs in the user of a session again.
    ///
    /// - Throws: The port's error; `misconfigured` if the newly issued ID token is refused. That must not count as a
    ///   refusal of the session's token: the function has succeeded, and codes are used up.
    private func freshSession(by token: Secret, from provider: ProviderID) async throws(AuthError) -> AuthSession {
        do throws(AuthError) { return try await firebase.signIn(withCustomToken: token, from: provider) } catch {
            guard error.code == .sessionExpired else { throw error }
            throw AuthError(
                .misconfigured,
                "Firebase refused the ID token that it had just issued. Check the project's API key and tenant.")
        }
    }
}

extension AuthError {
    fileprivate static var anothersCustomToken: Self {
        AuthError(
            .invalidResponse,
            "The function answered a link with another user's custom token. If it does not read 'action', name none in its "
                + "format.")
    }

    /// The error of a re-authentication with another user's credential.
    static func anotherUsers(_ credential: Credential) -> Self {
        AuthError(
            .credentialInUse, "The credential is another user's than who is signed in. Nothing of theirs was kept.",
            conflict: AuthConflict()
        ).inConflict(about: credential)
    }

    /// `ALREADY_EXISTS` of a function that links means that another user has the identity.
    fileprivate func inTermsOfLinking(_ credential: Credential) -> Self {
        guard code == .accountExists else { return inTermsOfSocialLogin }
        return AuthError(
            .credentialInUse, "The identity belongs to another account. Sign in with it instead of linking it."
        ).quotingServer(of: self).inConflict(about: credential)
    }
}

extension Secret {
    /// The user whom a custom token signs in.
    ///
    /// - Throws: `invalidCustomToken` for a token that does not name one.
    fileprivate var customTokenUser: String {
        get throws(AuthError) {
            guard let user = JSONWebToken(self)?.claims["uid"]?.text else {
                throw AuthError(
                    .invalidCustomToken,
                    "The function's custom token does not name its user in the claim 'uid'. Make it by the Admin SDK.")
            }
            return user
        }
    }
}
