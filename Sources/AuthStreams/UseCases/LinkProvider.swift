/// The use case 'link': adds an identity to the user who is signed in.
///
/// ```swift
/// let link = LinkProvider(repository: repository, manager: manager, refreshing: refreshing)
/// for await result in kakao.authenticate().flatMap(link.callAsFunction) { … }
/// ```
///
/// An anonymous user becomes a lasting one by it, and keeps the identifier and all that hangs on it.
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

    /// Goes on from a credential: one that a chain made by hand has, or that an `accountExists` left.
    ///
    /// The element is the user with the new identity. The stream's errors: `notSignedIn` before any request when no user
    /// is signed in; `misconfigured` for a credential that is not bound to its attempt (``Credential/isBound``); `superseded`
    /// when the person signed out or another user signed in meanwhile; or the repository's errors, conflicts among them.
    public func callAsFunction(_ credential: Credential) -> AuthStream<AuthUser> {
        manager.change(.link) { _ in
            guard repository.accepts(credential.provider) else { throw AuthError.withoutRoute(credential.provider) }
            try credential.requireBound()
            return (credential, credential.provider)
        } _: { change, credential in
            try await link(manager.prepareCredential(credential, for: change), to: change.userID)
        }
    }

    /// The whole chain: asks the provider for a credential, as ``AuthRequest/Purpose/link``, and links what it hands over.
    ///
    /// The stream's errors: `notSignedIn` and `unsupportedProvider` before anything is shown; `superseded` when the person
    /// signed out or changed meanwhile, or began something else while they were asked; or what the provider and the
    /// repository say. ``AuthError/conflict`` carries what is needed to go on from `accountExists` and `credentialInUse`.
    public func callAsFunction(
        with provider: any AuthProvider, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthUser> {
        callAsFunction(asking: { provider }, request)
    }

    func callAsFunction(
        asking provider: @escaping @Sendable () throws -> any AuthProvider, _ request: AuthRequest
    ) -> AuthStream<AuthUser> {
        manager.change(.link) { _ in
            let prompt = ProviderPrompt(provider: try provider(), request: request, manager: manager)
            try prompt.validate(for: repository)
            return (prompt, prompt.provider.id)
        } _: { change, prompt in
            try await link(try await prompt.credential(for: .link, in: change), to: change.userID)
        }
    }

    private func link(_ credential: Credential, to user: AuthUser.ID) async throws(AuthError) -> AuthUser {
        try credential.requireBound()
        let session = try await refreshing.change(of: user, showing: .credential) { session throws(AuthError) in
            try await repository.link(credential, to: session)
        }
        await PendingProfiles(manager: manager).forget(credential)
        return session.user
    }
}
