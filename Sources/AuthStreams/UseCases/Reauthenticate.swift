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
