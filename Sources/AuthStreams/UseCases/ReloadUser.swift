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
