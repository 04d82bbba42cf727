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
