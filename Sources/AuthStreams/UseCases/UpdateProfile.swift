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
