public import AuthStreams

extension FirebaseRepository {
    /// Adds an identity to the user, on the provider's route. An anonymous user becomes a lasting one and keeps the uid.
    ///
    /// Apple and Google go straight to Firebase; Kakao and Naver through the function, if it reads `action` (<doc:SocialLogin>).
    ///
    /// | refused with | when | the conflict's credential |
    /// | --- | --- | --- |
    /// | `credentialInUse` | the identity is another user's | signs in as them: once, within minutes |
    /// | `accountExists` | its e-mail is another user's | links after a sign-in as them: once, within minutes |
    ///
    /// The credential is Firebase's pending token; else what is not used up: of Apple's and Google's an ID token without a
    /// nonce, since Firebase takes one with a nonce once, and an access token; of a function's an ID token as long as it
    /// lasts. A code works once, so a conflict of Naver's has none.
    ///
    /// Once Firebase has linked it, the link is done: when the look-up after it fails, the user is what was known of them and
    /// what the new ID token tells, with the identity. A function is asked again, since linking one's own is no error.
    ///
    /// - Throws: `AuthError`, as above; `invalidCredential` with the server code `INVALID_ID_TOKEN` or `TOKEN_EXPIRED` when
    ///   Firebase does not take the session's ID token, which ends no session and uses up no credential: refresh, then
    ///   repeat; `unsupportedProvider` when the function links nothing.
    public func link(_ credential: Credential, to session: Session) async throws(AuthError) -> Session {
        do throws(AuthError) {
            var linked: Session
            switch try path(of: credential.provider) {
            case .idp(let name):
                let tokens = try await toolkit.signInWithIdp(
                    IdpAssertion(credential, as: name), linkingTo: session.accessToken)
                guard tokens.userID == session.user.id else { throw .anothersAnswer }
                linked = try await self.linked(session, by: tokens, with: credential, as: name)
            case .customToken(let coordinator):
                linked = identified(try await coordinator.link(credential, to: session))
            }
            // Nobody signs in anonymously a second time: from here on it is this identity that brings them back.
            linked.provider = session.provider == .anonymous ? credential.provider : session.provider
            linked.isNewUser = false
            return linked
        } catch {
            throw named(error).inTermsOfIDToken.located(provider: credential.provider)
        }
    }

    /// Takes an identity from the user, unless it is the last. The tokens go on, unless Firebase replaces them.
    ///
    /// Firebase itself takes the last one too. So it is asked right before which ones there are: another device may have
    /// taken those that the session still has. Two devices that unlink within the same moment are not told apart.
    ///
    /// - Throws: `AuthError`; `lastProvider` when nothing else would be left to sign in with; `requiresRecentSignIn` when
    ///   Firebase wants a fresh sign-in first; `invalidCredential` when it does not take the session's ID token, which ends
    ///   no session: refresh, then repeat; `unsupportedProvider` before any request for the identity that is the user's uid
    ///   (`kakao:1001`), and when the function links nothing.
    public func unlink(_ provider: ProviderID, from session: Session) async throws(AuthError) -> Session {
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

    /// What the user signs in with beside that provider, as Firebase has it now.
    ///
    /// - Throws: `lastProvider` when that is nothing.
    private func providers(
        without provider: ProviderID, of session: Session
    ) async throws(AuthError) -> [AuthUser.LinkedProvider] {
        let now = identified(try await toolkit.account(of: session.accessToken))
        guard now.id == session.user.id else { throw .anothersAnswer }
        let names = [provider, nameAtFirebase(of: provider)]
        let others = now.providers.filter { !names.contains($0.id) }
        // One that is not linked any more is no loss.
        guard !others.isEmpty || now.providers.isEmpty else {
            throw AuthError(
                .lastProvider,
                "\(provider) is the only identity that the user still has at Firebase: without it nobody could sign in to "
                    + "the account again. Link another first, or delete the account.")
        }
        return others
    }

    /// Proves once more that it is them, by a sign-in that makes no user: from here on it counts as recent.
    ///
    /// Nothing of another user is kept, and none is made. Firebase's word about the credential's user, such as that they are
    /// disabled, ends no session: whether it is about this one, the next refresh tells.
    ///
    /// - Throws: `AuthError`; `credentialInUse` when the credential is another user's, with a credential in its conflict as
    ///   ``link(_:to:)`` has it; `invalidCredential` when it is nobody's, or its user cannot sign in.
    public func reauthenticate(
        _ session: Session, with credential: Credential
    ) async throws(AuthError) -> Session {
        do throws(AuthError) {
            switch try path(of: credential.provider) {
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
            }
        } catch {
            throw named(error).located(provider: credential.provider)
        }
    }

    /// The session of a link that Firebase has made. That the look-up after it fails undoes nothing, and a second link with the
    /// same credential would be refused; only that the user is gone or disabled is heard.
    private func linked(
        _ session: Session, by tokens: IdentityToolkit.Tokens, with credential: Credential, as name: ProviderID?
    ) async throws(AuthError) -> Session {
        do throws(AuthError) { return try await self.session(of: tokens, from: session.provider) } catch {
            guard ![.userNotFound, .userDisabled].contains(error.code) else { throw error }
            var linked = try session.taking(tokens, clock: toolkit.clock)
            linked.user.isAnonymous = false
            if !linked.user.providers.contains(where: { $0.id == credential.provider }) {
                linked.user.providers.append(
                    AuthUser.LinkedProvider(
                        id: credential.provider,
                        userID: FirebaseClaims(tokens.idToken).identity(at: name ?? credential.provider)))
            }
            return linked
        }
    }

    private func nameAtFirebase(of provider: ProviderID) -> ProviderID {
        if case .idp(let name?) = routes[provider]?.way { name } else { provider }
    }

    /// Runs a sign-in whose refusals are about the credential, and may be about another user than the session's.
    private func aboutCredential<Value>(
        _ signIn: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(AuthError) { return try await signIn() } catch {
            guard [.userNotFound, .userDisabled, .sessionExpired].contains(error.code) else { throw error }
            throw AuthError(
                .invalidCredential,
                "The credential's user does not exist or cannot sign in, which says nothing about the session.",
                serverCode: error.serverCode)
        }
    }
}

extension Session {
    /// The same session with other tokens.
    fileprivate func taking(
        _ tokens: IdentityToolkit.Tokens, clock: AuthClock
    ) throws(AuthError) -> Session {
        guard tokens.userID == user.id else { throw .anothersAnswer }
        return Session(
            accessToken: tokens.idToken, refreshToken: tokens.refreshToken ?? refreshToken,
            expiresAt: clock.expiry(after: tokens.lifetime), user: user.updated(by: tokens.idToken),
            provider: provider, issuedAt: tokens.issuedAt)
    }
}

extension AuthError {
    fileprivate static var anothersAnswer: Self {
        AuthError(.invalidResponse, "The change answered with another user's tokens; they are not kept.")
    }

    /// What a refusal of the session's ID token means. It may have expired by a clock that is not the device's, so only a
    /// refresh tells whether the session is over.
    var inTermsOfIDToken: Self {
        guard code == .sessionExpired else { return self }
        return AuthError(
            .invalidCredential,
            "Firebase does not take the session's ID token any more. Refresh the session, then repeat it.",
            serverCode: serverCode, refusesAccessToken: true)
    }
}
