/// The use cases 'link', 'unlink', 're-authenticate', 'reload' and 'update the profile'. ``AuthService`` says how each fails.
struct AccountChanges: Sendable {
    let refreshing: RefreshSession
    private var repository: any AuthRepository { refreshing.repository }
    private var manager: SessionManager { refreshing.manager }

    // MARK: Link

    /// Links a credential: one of the app's own chain, or of an `accountExists` conflict.
    func link(_ credential: Credential) -> AuthStream<AuthUser> {
        refreshing.change(.link) { _ in
            try plan(credential)
        } _: { change, credential in
            let method = SignInMethod(credential.provider)
            return try await link(manager.prepareCredential(credential, for: change), of: method, by: change)
        }
    }

    /// Asks a provider for a credential, and links it.
    ///
    /// - Parameters:
    ///   - provider: Chooses who is asked, by the session.
    ///   - refusal: The error of the stream where the change does not begin: the same unless given.
    func link(
        asking provider: @escaping @Sendable (AuthSession) throws -> any AuthProvider, _ request: AuthRequest,
        refusal: @escaping @Sendable (AuthError) -> AuthError = { $0 }
    ) -> AuthStream<AuthUser> {
        refreshing.change(.link, refusal: refusal) { session in
            try plan(ProviderPrompt(provider: try provider(session), request: request, refreshing: refreshing))
        } _: { change, prompt in
            try await link(try await prompt.credential(for: .link, in: change), of: prompt.method, by: change)
        }
    }

    private func link(
        _ credential: Credential, of method: SignInMethod, by change: AccountChange
    ) async throws(AuthError) -> AuthUser {
        let wasAnonymous = manager.user?.isAnonymous ?? false
        let session = try await refreshing.change(by: change, with: credential) {
            [repository] session, credential throws(AuthError) in try await repository.link(credential, to: session)
        }
        await PendingProfiles(manager: manager).forget(credential)
        // From now on the person signs in by it.
        if wasAnonymous { await LastSignIns(manager: manager).note(method, of: change.userID) }
        return session.user
    }

    // MARK: Re-authenticate

    /// Proves who the person is by a credential of the app's own chain.
    func reauthenticate(_ credential: Credential) -> AuthStream<AuthUser> {
        refreshing.change(.reauthentication) { _ in
            try plan(credential)
        } _: { change, credential in
            try await prove(change, by: manager.prepareCredential(credential, for: change))
        }
    }

    /// Asks a provider for a credential, and proves by it who the person is.
    ///
    /// - Parameters:
    ///   - provider: Chooses who is asked, by the session.
    ///   - refusal: The error of the stream where the change does not begin: the same unless given.
    func reauthenticate(
        asking provider: @escaping @Sendable (AuthSession) throws -> any AuthProvider, _ request: AuthRequest,
        refusal: @escaping @Sendable (AuthError) -> AuthError = { $0 }
    ) -> AuthStream<AuthUser> {
        refreshing.change(.reauthentication, refusal: refusal) { session in
            try plan(
                ProviderPrompt(
                    provider: try provider(session), request: request, expecting: session, refreshing: refreshing))
        } _: { change, prompt in
            try await prove(change, by: try await prompt.credential(for: .reauthenticate, in: change))
        }
    }

    private func prove(_ change: AccountChange, by credential: Credential) async throws(AuthError) -> AuthUser {
        let session = try await refreshing.reauthenticate(by: change, with: credential)
        await PendingProfiles(manager: manager).forget(credential)
        return session.user
    }

    // MARK: What wants a recent sign-in

    /// Changes a password, a second factor or the passkeys. If the server requires a recent sign-in, the person proves their identity, and the
    /// change is sent once more.
    ///
    /// - Parameter provider: Chooses who is asked, by the session; `nil` when none of the user's is there.
    func apply(
        _ security: SecurityChange, asking provider: @escaping @Sendable (AuthSession) throws -> (any AuthProvider)?
    ) -> AuthStream<AuthUser> {
        refreshing.change(security.operation) { session in
            // Nothing is asked at a provider whose proof the server does not take.
            let asked = try provider(session).flatMap { repository.accepts($0.id) ? $0 : nil }
            let prompt = asked.map {
                ProviderPrompt(provider: $0, request: AuthRequest(), expecting: session, refreshing: refreshing)
            }
            return (prompt, prompt?.provider.id)
        } _: { change, prompt in
            do throws(AuthError) { return try await send(security, by: change) } catch {
                guard error.code == .requiresRecentSignIn, let prompt else { throw error }
                _ = try await prove(change, by: try await prompt.credential(for: .reauthenticate, in: change))
                return try await send(security, by: change)
            }
        }
    }

    private func send(_ security: SecurityChange, by change: AccountChange) async throws(AuthError) -> AuthUser {
        try await refreshing.change(by: change, showing: .nothing) { session throws(AuthError) in
            try await repository.apply(security, to: session)
        }.user
    }

    // MARK: Unlink, reload, profile

    /// Removes an identity, but never the last one.
    func unlink(_ provider: ProviderID) -> AuthStream<AuthUser> {
        refreshing.change(.unlink) { session in
            try session.user.validateUnlinking(provider)
            return ((), provider)
        } _: { change, _ in
            let session = try await refreshing.change(by: change, showing: .nothing) {
                session throws(AuthError) in
                // Checked again: the server may have returned fewer identities.
                try session.user.validateUnlinking(provider)
                return try await repository.unlink(provider, from: session)
            }
            // By it a sign-in would make another account.
            await LastSignIns(manager: manager).forget(change.userID, by: provider)
            return session.user
        }
    }

    /// Asks the server for the user.
    func reload() -> AuthStream<AuthUser> {
        refreshing.change(.reload) { _ in
            ((), nil)
        } _: { change, _ in
            try await refreshing.change(by: change, showing: .nothing) { session throws(AuthError) in
                try await repository.reload(session)
            }.user
        }
    }

    /// Changes the name and the picture. Nothing is sent when there is nothing to change.
    func updateProfile(_ changes: ProfileChanges) -> AuthStream<AuthUser> {
        refreshing.change(.profile) { session in
            (session.user, nil)
        } _: { change, user in
            guard !changes.isEmpty else { return user }
            return try await refreshing.change(by: change, showing: .nothing) { session throws(AuthError) in
                try await repository.updateProfile(changes, of: session)
            }.user
        }
    }

    // MARK: Before anything is shown

    private func plan(_ credential: Credential) throws(AuthError) -> (Credential, ProviderID?) {
        guard repository.accepts(credential.provider) else { throw .withoutRoute(credential.provider) }
        try credential.requireBound()
        return (credential, credential.provider)
    }

    private func plan(_ prompt: ProviderPrompt) throws(AuthError) -> (ProviderPrompt, ProviderID?) {
        try prompt.validate(for: repository)
        return (prompt, prompt.provider.id)
    }
}

extension AuthUser {
    /// - Throws: Why the identity cannot be removed. If the server lists no identity of the user at all, it decides.
    fileprivate func validateUnlinking(_ provider: ProviderID) throws(AuthError) {
        guard isAnonymous || !providers.isEmpty else { return }
        guard providers.contains(where: { $0.id == provider }) else {
            throw AuthError(
                .unsupportedProvider, "The user has no identity of \(provider), so there is nothing to unlink.",
                provider: provider)
        }
        guard providers.contains(where: { $0.id != provider }) else {
            throw AuthError(
                .lastProvider,
                """
                \(provider) is the only identity that the user has: without it the account has no way to sign in. \
                Link another first, or delete the account.
                """, provider: provider)
        }
    }
}
