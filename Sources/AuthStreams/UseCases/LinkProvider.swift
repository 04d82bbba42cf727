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
