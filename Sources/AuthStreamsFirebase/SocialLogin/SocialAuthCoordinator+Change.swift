public import AuthStreams

extension SocialAuthCoordinator {
    /// Adds the credential's identity to the session's user.
    ///
    /// - Returns: A session of the same user, with tokens of its own.
    /// - Throws: `AuthError`; `credentialInUse` when the identity is another user's, with a conflict; `unsupportedProvider`
    ///   when the source links nothing; `invalidResponse` for a custom token of anybody else.
    public func link(_ credential: Credential, to session: Session) async throws(AuthError) -> Session {
        do throws(AuthError) {
            try source.validate(credential)
            let token: Secret
            do throws(AuthError) {
                token = try await source.customToken(linking: credential, to: session.accessToken)
            } catch {
                throw error.inTermsOfLinking(credential)
            }
            guard token.isCustomToken(of: session.user.id) else { throw .anothersCustomToken }
            let linked = try await freshSession(by: token, from: session.provider)
            guard linked.user.id == session.user.id else { throw .anothersCustomToken }
            return linked
        } catch {
            throw error.located(provider: credential.provider)
        }
    }

    /// Takes an identity from the session's user.
    public func unlink(_ provider: ProviderID, from session: Session) async throws(AuthError) {
        do throws(AuthError) { try await source.unlink(provider, from: session.accessToken) } catch {
            throw error.inTermsOfSocialLogin.located(provider: provider)
        }
    }

    /// Signs the session's user in once more.
    ///
    /// Whose the custom token is, it says itself: another user's is never taken to Firebase, so nobody is signed in who was
    /// not, and no new user is made.
    ///
    /// - Throws: `AuthError`; `credentialInUse` when the credential is another user's.
    public func reauthenticate(_ session: Session, with credential: Credential) async throws(AuthError) -> Session {
        do throws(AuthError) {
            let token = try await customToken(of: credential) { (source) throws(AuthError) in
                try await source.customToken(reauthenticating: credential)
            }
            guard token.isCustomToken(of: session.user.id) else { throw .anotherUsers(credential) }
            let fresh = try await freshSession(by: token, from: credential.provider)
            guard fresh.user.id == session.user.id else { throw .anotherUsers(credential) }
            return fresh
        } catch {
            throw error.located(provider: credential.provider)
        }
    }
}

extension SocialAuthCoordinator {
    /// Signs the user of a session in once more.
    ///
    /// - Throws: What the port throws; `misconfigured` when the ID token that was just issued is refused. It must not look
    ///   like a refusal of the session's: the function has done its part, and codes are used up.
    private func freshSession(by token: Secret, from provider: ProviderID) async throws(AuthError) -> Session {
        do throws(AuthError) { return try await firebase.signIn(withCustomToken: token, from: provider) } catch {
            guard error.code == .sessionExpired else { throw error }
            throw AuthError(
                .misconfigured,
                "Firebase refused the ID token that it had just issued. Check the project's API key and tenant.")
        }
    }
}

extension Secret {
    /// Whether a custom token is of that user; `true` too for one that cannot be read, which Firebase will read.
    fileprivate func isCustomToken(of userID: String) -> Bool {
        JSONWebToken(self)?.claims["uid"]?.text.map { $0 == userID } ?? true
    }
}

extension AuthError {
    fileprivate static var anothersCustomToken: Self {
        AuthError(
            .invalidResponse,
            "The function answered a link with another user's custom token. If it does not read 'action', name none in its "
                + "format.")
    }

    /// What was to prove that it is them proves that it is somebody else.
    static func anotherUsers(_ credential: Credential) -> Self {
        AuthError(
            .credentialInUse, "The credential is another user's than who is signed in. Nothing of theirs was kept.",
            conflict: AuthConflict()
        ).inConflict(about: credential)
    }

    /// For any function `ALREADY_EXISTS` may mean much; for one that links it means that somebody has the identity.
    fileprivate func inTermsOfLinking(_ credential: Credential) -> Self {
        guard code == .accountExists else { return inTermsOfSocialLogin }
        return AuthError(
            .credentialInUse, "The identity belongs to another account. Sign in with it instead of linking it.",
            serverCode: serverCode
        ).inConflict(about: credential)
    }
}
