public import AuthStreams

extension FirebaseRepository {
    /// Adds an identity to the user, on the provider's route. An anonymous user becomes a permanent one and keeps the
    /// uid.
    ///
    /// Apple, Google, a password and a mail link are linked by Firebase; Kakao and Naver through the function, if it reads
    /// `action` (<doc:SocialLogin>).
    ///
    /// | refused with | when | the conflict's credential |
    /// | --- | --- | --- |
    /// | `credentialInUse` | the identity is another user's | signs in as them: once, within minutes |
    /// | `accountExists` | its e-mail is another user's | links after a sign-in as them: once, within minutes |
    ///
    /// The credential is Firebase's pending token, otherwise the parts that can be used again: of Apple's and Google's
    /// an access token and an ID token without a nonce, since Firebase accepts one with a nonce once; of a function's
    /// an ID token until it expires. A code works once, so a conflict of Naver's has no credential.
    ///
    /// Once Firebase has linked the identity, the link succeeds: if the look-up after it fails, the user is the
    /// session's user, updated by the new ID token and with the identity. A function is called again, since linking the
    /// user's own identity is not an error.
    ///
    /// - Throws: `AuthError`, as above; `invalidCredential` with the server code `INVALID_ID_TOKEN` or `TOKEN_EXPIRED`
    ///   if Firebase refuses the session's ID token, which ends no session and consumes no credential: refresh, then
    ///   repeat; `unsupportedProvider` if the function does not link.
    public func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            var linked: AuthSession
            switch try path(of: credential) {
            case .idp(let name):
                let tokens = try await toolkit.signInWithIdp(
                    IdpAssertion(credential, as: name), linkingTo: session.accessToken)
                guard tokens.userID == session.user.id else { throw .anothersAnswer }
                linked = try await self.linked(session, by: tokens, with: credential, as: name)
            case .customToken(let coordinator):
                linked = identified(try await coordinator.link(credential, to: session))
            case .email(let proof):
                let tokens = try await toolkit.link(proof, to: session.accessToken)
                guard tokens.userID == session.user.id else { throw .anothersAnswer }
                linked = try await self.linked(session, by: tokens, with: credential, as: nil)
            }
            linked.provider = session.provider(linking: credential)
            linked.isNewUser = false
            return linked
        } catch {
            throw named(error).asking(for: session.provider(linking: credential)).inTermsOfIDToken
                .located(provider: credential.provider)
        }
    }

    /// Removes an identity from the user, unless it is the last. The tokens stay valid, unless Firebase replaces them.
    ///
    /// Firebase itself removes the last one too. So the current identities are looked up first: another device may have
    /// removed those that the session still has. Two devices that unlink at the same moment are not detected.
    ///
    /// - Throws: `AuthError`; `lastProvider` if no other way to sign in would remain; `requiresRecentSignIn` if
    ///   Firebase requires a recent sign-in; `invalidCredential` if it refuses the session's ID token, which ends no
    ///   session: refresh, then repeat; `unsupportedProvider` before any request for the identity that is the user's
    ///   uid (`kakao:1001`), and if the function does not link.
    public func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            guard ownIdentity(of: session.user)?.id != provider else {
                throw AuthError(
                    .unsupportedProvider,
                    "The user is called by this identity, so it stays theirs as long as the account does.")
            }
            let route = routes[provider]
            guard route?.linksNothing != true else { throw .withoutLinks }
            var session = session
            session.user.providers = try await providers(without: provider, of: session)
            if let route, route.isCustom, case .customToken(let coordinator) = try path(of: provider) {
                try await coordinator.unlink(provider, from: session)
            } else {
                let tokens = try await toolkit.unlink(nameAtFirebase(of: provider), from: session.accessToken)
                if let tokens { session = try session.taking(tokens, clock: toolkit.clock) }
            }
            session.isNewUser = false
            return session
        } catch {
            throw error.inTermsOfIDToken.located(provider: provider)
        }
    }

    /// Returns the user's other providers, as Firebase has them now.
    ///
    /// - Throws: `lastProvider` if there is none.
    private func providers(
        without provider: ProviderID, of session: AuthSession
    ) async throws(AuthError) -> [AuthUser.LinkedProvider] {
        let now = identified(try await toolkit.account(of: session.accessToken))
        guard now.id == session.user.id else { throw .anothersAnswer }
        // A password and mail links are one provider to Firebase, which removes both.
        let byMail: [ProviderID] = [.password, .emailLink]
        let names = byMail.contains(provider) ? byMail : [provider, nameAtFirebase(of: provider)]
        let others = now.providers.filter { !names.contains($0.id) }
        // A provider that is no longer linked may be removed.
        guard !others.isEmpty || now.providers.isEmpty else {
            throw AuthError(
                .lastProvider,
                "\(provider) is the only identity that the user still has at Firebase: without it the account "
                    + "has no way to sign in. Link another first, or delete the account.")
        }
        return others
    }

    /// Confirms the user's identity again, by a sign-in that creates no user. From then on the sign-in counts as
    /// recent.
    ///
    /// A mail link to another address than the user's is not sent, because it would make a user.
    ///
    /// Nothing of another user is kept, and no user is created. A refusal of the credential's user, for example as
    /// disabled, ends no session: the next refresh decides whether it concerns this one.
    ///
    /// - Throws: `AuthError`; `credentialInUse` if the credential is another user's, with a credential in its conflict
    ///   as for ``link(_:to:)``; `invalidCredential` if it belongs to no user, or its user cannot sign in.
    public func reauthenticate(
        _ session: AuthSession, with credential: Credential
    ) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            switch try path(of: credential) {
            case .idp(let name):
                let tokens = try await aboutCredential { () throws(AuthError) in
                    try await toolkit.signInWithIdp(IdpAssertion(credential, as: name), makesUsers: false)
                }
                guard tokens.userID == session.user.id else { throw .anotherUsers(credential.afterFirebase) }
                return try await self.session(of: tokens, from: credential.provider)
            case .customToken(let coordinator):
                return identified(
                    try await aboutCredential { () throws(AuthError) in
                        try await coordinator.reauthenticate(session, with: credential)
                    })
            case .email(let proof):
                if case .mailLink(let email, _) = proof, email.lowercased() != session.user.email?.lowercased() {
                    throw .anotherUsers(credential)
                }
                let tokens = try await aboutCredential { () throws(AuthError) in try await toolkit.signIn(by: proof) }
                guard tokens.userID == session.user.id else { throw .anotherUsers(credential) }
                return try await self.session(of: tokens, from: credential.provider)
            }
        } catch {
            throw named(error).asking(for: credential.provider).located(provider: credential.provider)
        }
    }

    /// Returns the session after a link at Firebase. A failed look-up does not undo the link, and a second link with
    /// the same credential would be refused; so only the errors that the user is deleted or disabled are thrown.
    private func linked(
        _ session: AuthSession, by tokens: IdentityToolkit.Tokens, with credential: Credential, as name: ProviderID?
    ) async throws(AuthError) -> AuthSession {
        do throws(AuthError) { return try await self.session(of: tokens, from: session.provider) } catch {
            guard ![.userNotFound, .userDisabled].contains(error.code) else { throw error }
            var linked = try session.taking(tokens, clock: toolkit.clock)
            linked.user.isAnonymous = false
            if !linked.user.providers.contains(where: { $0.id == credential.provider }) {
                linked.user.providers.append(
                    AuthUser.LinkedProvider(
                        id: credential.provider,
                        userID: credential.address ?? tokens.claims.identity(at: name ?? credential.provider)))
            }
            return linked
        }
    }

    func nameAtFirebase(of provider: ProviderID) -> ProviderID {
        if case .idp(let name?) = routes[provider]?.kind { return name }
        return provider == .emailLink ? .password : provider
    }

    /// Runs a sign-in whose refusals concern the credential, and possibly another user than the session's.
    func aboutCredential<Value>(
        _ signIn: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(AuthError) { return try await signIn() } catch {
            guard [.userNotFound, .userDisabled, .sessionExpired].contains(error.code) else { throw error }
            throw AuthError(
                .invalidCredential,
                "The credential's user does not exist or cannot sign in, which says nothing about the session."
            ).quotingServer(of: error)
        }
    }
}

extension AuthSession {
    /// The provider of the session after a link. An anonymous sign-in cannot be repeated: from then on the new identity signs the
    /// user in.
    fileprivate func provider(linking credential: Credential) -> ProviderID {
        provider == .anonymous ? credential.provider : provider
    }

    /// Returns the same session with other tokens.
    func taking(
        _ tokens: IdentityToolkit.Tokens, clock: AuthClock
    ) throws(AuthError) -> AuthSession {
        guard tokens.userID == user.id else { throw .anothersAnswer }
        return AuthSession(
            accessToken: tokens.idToken, refreshToken: tokens.refreshToken ?? refreshToken,
            expiresAt: clock.expiry(after: tokens.lifetime), user: user.updated(by: tokens.claims),
            provider: provider, issuedAt: tokens.issuedAt)
    }
}

extension AuthError {
    static var anothersAnswer: Self {
        AuthError(.invalidResponse, "The answer is another user's; nothing of it is kept.")
    }

    /// The error of a refused ID token of the session. It may have expired by a clock other than the device's, so only
    /// a refresh decides whether the session is over.
    var inTermsOfIDToken: Self {
        guard code == .sessionExpired else { return self }
        return AuthError(
            .invalidCredential,
            "Firebase does not take the session's ID token any more. Refresh the session, then repeat it.",
            serverCode: serverCode, refusesAccessToken: true)
    }
}
