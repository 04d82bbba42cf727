/// The use case 'unlink': takes an identity from the user who is signed in, but never their last way in.
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
    /// `requiresRecentSignIn` when the server wants a re-authentication first; or what else the repository says.
    public func callAsFunction(_ provider: ProviderID) -> AuthStream<AuthUser> {
        manager.change(.unlink) { session in
            try session.user.validateUnlinking(provider)
            return ((), provider)
        } _: { change, _ in
            try await refreshing.change(of: change.userID, showing: .nothing) { session throws(AuthError) in
                // Once more: it may have come back from the server with fewer.
                try session.user.validateUnlinking(provider)
                return try await repository.unlink(provider, from: session)
            }.user
        }
    }
}

extension AuthUser {
    /// - Throws: Why the identity cannot be taken away. A user of whom the server lists no identity at all is left to it.
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
                \(provider) is the only identity that the user has: without it nobody could sign in to the account again. \
                Link another first, or delete the account.
                """, provider: provider)
        }
    }
}
