/// The use case 'link': adds an identity to the user who is signed in.
///
/// ```swift
/// let link = LinkProvider(repository: repository, manager: manager, refreshing: refreshing)
/// for await result in kakao.authenticate().flatMap(link.callAsFunction) { … }
/// ```
///
/// An anonymous user becomes a permanent one, and keeps the identifier and its data.
public struct LinkProvider: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager
    private let refreshing: RefreshSession

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager, refreshing: RefreshSession) {
        self.repository = repository
        self.manager = manager
        self.refreshing = refreshing
    }

    /// Links a credential: one of the app's own chain, or of an `accountExists` conflict.
    ///
    /// The element is the user with the new identity. The stream's errors: `notSignedIn` before any request when no user
    /// is signed in; `misconfigured` for a credential that is not bound to its attempt (``Credential/isBound``); `superseded`
    /// when the person signed out or another user signed in meanwhile; or the repository's errors, conflicts among them.
    public func callAsFunction(_ credential: Credential) -> AuthStream<AuthUser> {
        refreshing.change(.link) { _ in
            guard repository.accepts(credential.provider) else { throw AuthError.withoutRoute(credential.provider) }
            try credential.requireBound()
            return (credential, credential.provider)
        } _: { change, credential in
            let method = SignInMethod(credential.provider)
            return try await link(manager.prepareCredential(credential, for: change), of: method, to: change.userID)
        }
    }

    /// The whole chain: asks the provider for a credential, as ``AuthRequest/Purpose/link``, and links it.
    ///
    /// The stream's errors: `notSignedIn` and `unsupportedProvider` before anything is shown; `superseded` when the person
    /// signed out or changed meanwhile, or began something else while they were asked; or those of the provider and the
    /// repository. ``AuthError/conflict`` carries what is needed to continue from `accountExists` and `credentialInUse`.
    public func callAsFunction(
        with provider: any AuthProvider, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthUser> {
        callAsFunction(asking: { _ in provider }, request)
    }

    /// - Parameter provider: Chooses who is asked, by the session.
    func callAsFunction(
        asking provider: @escaping @Sendable (Session) throws -> any AuthProvider, _ request: AuthRequest
    ) -> AuthStream<AuthUser> {
        refreshing.change(.link) { session in
            let prompt = ProviderPrompt(provider: try provider(session), request: request, manager: manager)
            try prompt.validate(for: repository)
            return (prompt, prompt.provider.id)
        } _: { change, prompt in
            try await link(try await prompt.credential(for: .link, in: change), of: prompt.method, to: change.userID)
        }
    }

    private func link(
        _ credential: Credential, of method: SignInMethod, to user: AuthUser.ID
    ) async throws(AuthError) -> AuthUser {
        let wasAnonymous = manager.user?.isAnonymous ?? false
        let session = try await refreshing.change(of: user, showing: .credential) { session throws(AuthError) in
            try await repository.link(credential, to: session)
        }
        await PendingProfiles(manager: manager).forget(credential)
        // From now on the person signs in by it.
        if wasAnonymous { await LastSignIns(manager: manager).note(method, of: user) }
        return session.user
    }
}

/// The use case 'unlink': removes an identity of the user who is signed in, but never the last one.
public struct UnlinkProvider: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager
    private let refreshing: RefreshSession

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager, refreshing: RefreshSession) {
        self.repository = repository
        self.manager = manager
        self.refreshing = refreshing
    }

    /// Unlinks when iterated.
    ///
    /// The element is the user without the identity. The stream's errors, before any request: `notSignedIn` when no user is
    /// signed in, `lastProvider` when the user has no other identity, `unsupportedProvider` when the user has none of that
    /// provider, as an anonymous user. Then `superseded` when the person signed out or changed meanwhile,
    /// `requiresRecentSignIn` when the server wants a re-authentication first; or another error of the repository.
    public func callAsFunction(_ provider: ProviderID) -> AuthStream<AuthUser> {
        refreshing.change(.unlink) { session in
            try session.user.validateUnlinking(provider)
            return ((), provider)
        } _: { change, _ in
            let session = try await refreshing.change(of: change.userID, showing: .nothing) {
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

/// The use case 're-authenticate': the person proves their identity again, where the server requires a recent sign-in.
///
/// ```swift
/// } catch where error.code == .requiresRecentSignIn {
///     for await result in auth.reauthenticate() { … }   // then the same again
/// }
/// ```
public struct Reauthenticate: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager
    private let refreshing: RefreshSession

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager, refreshing: RefreshSession) {
        self.repository = repository
        self.manager = manager
        self.refreshing = refreshing
    }

    /// Re-authenticates with a credential of the app's own chain.
    ///
    /// The element is the user, as the server knows them now. The stream's errors: `notSignedIn` before any request when no
    /// user is signed in; `misconfigured` for a credential that is not bound to its attempt (``Credential/isBound``);
    /// `credentialInUse` when the credential is another user's; `superseded` when the person signed out or changed meanwhile;
    /// or the repository's errors. None of them ends the session.
    public func callAsFunction(_ credential: Credential) -> AuthStream<AuthUser> {
        refreshing.change(.reauthentication) { _ in
            guard repository.accepts(credential.provider) else { throw AuthError.withoutRoute(credential.provider) }
            try credential.requireBound()
            return ((), credential.provider)
        } _: { change, _ in
            try await prove(change.userID, by: manager.prepareCredential(credential, for: change))
        }
    }

    /// The whole chain: asks the provider for a credential, as ``AuthRequest/Purpose/reauthenticate``.
    ///
    /// Where the request has no ``AuthRequest/loginHint``, the user's address at that provider is the hint. The stream's
    /// errors are those of the other way, `unsupportedProvider` before anything is shown, and what the provider says.
    public func callAsFunction(
        with provider: any AuthProvider, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthUser> {
        callAsFunction(asking: { _ in provider }, request)
    }

    /// - Parameter provider: Chooses who is asked, by the session.
    func callAsFunction(
        asking provider: @escaping @Sendable (Session) throws -> any AuthProvider, _ request: AuthRequest
    ) -> AuthStream<AuthUser> {
        refreshing.change(.reauthentication) { session in
            let prompt = ProviderPrompt(
                provider: try provider(session), request: request, expecting: session, manager: manager)
            try prompt.validate(for: repository)
            return (prompt, prompt.provider.id)
        } _: { change, prompt in
            try await prove(change.userID, by: try await prompt.credential(for: .reauthenticate, in: change))
        }
    }

    private func prove(_ user: AuthUser.ID, by credential: Credential) async throws(AuthError) -> AuthUser {
        let session = try await refreshing.change(of: user, showing: .credential) { session throws(AuthError) in
            try await repository.reauthenticate(session, with: credential)
        }
        await PendingProfiles(manager: manager).forget(credential)
        return session.user
    }
}

/// The use case 'reload': asks the server for the user who is signed in, as it has them now.
///
/// Call it after the server has changed the user by itself: an e-mail address was verified, or claims were given on another
/// device. States and their users show what changed.
public struct ReloadUser: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager
    private let refreshing: RefreshSession

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager, refreshing: RefreshSession) {
        self.repository = repository
        self.manager = manager
        self.refreshing = refreshing
    }

    /// Reloads when iterated.
    ///
    /// The element is the user as the server has them now. The stream's errors: `notSignedIn` before any request when no user
    /// is signed in; `unsupportedProvider` when the repository does not reload; `superseded` when the person signed out or
    /// another user signed in meanwhile; `invalidResponse`, without a change, when the server answers with another user; or
    /// another error of the repository. When the server reports that the user was deleted or disabled, a refresh follows, whose
    /// terminal rejection ends the session.
    public func callAsFunction() -> AuthStream<AuthUser> {
        refreshing.change(.reload) { _ in
            ((), nil)
        } _: { change, _ in
            try await refreshing.change(of: change.userID, showing: .nothing) { session throws(AuthError) in
                try await repository.reload(session)
            }.user
        }
    }
}

/// The use case 'update the profile': changes the name and the picture of the user who is signed in, at the server.
public struct UpdateProfile: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager
    private let refreshing: RefreshSession

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager, refreshing: RefreshSession) {
        self.repository = repository
        self.manager = manager
        self.refreshing = refreshing
    }

    /// Changes the profile when iterated.
    ///
    /// The element is the user as the server has them then; nothing is sent when there is nothing to change. The stream's
    /// errors: `notSignedIn` before any request when no user is signed in; `unsupportedProvider` when the repository does not
    /// change profiles; `superseded` when the person signed out or another user signed in meanwhile; `invalidResponse` when the
    /// server answers with another user; or another error of the repository.
    public func callAsFunction(_ changes: ProfileChanges) -> AuthStream<AuthUser> {
        refreshing.change(.profile) { session in
            (session.user, nil)
        } _: { change, user in
            guard !changes.isEmpty else { return user }
            return try await refreshing.change(of: change.userID, showing: .nothing) { session throws(AuthError) in
                try await repository.updateProfile(changes, of: session)
            }.user
        }
    }
}
