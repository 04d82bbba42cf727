/// The use case 'sign in anonymously': a user without an identity, who can be given one later by linking.
public struct SignInAnonymously: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager) {
        self.repository = repository
        self.manager = manager
    }

    /// Signs in when iterated, as an attempt like any other: it supersedes the one under way, and shows its step.
    ///
    /// An anonymous user cannot sign in again, so none is replaced: the stream waits until it is known who is signed in. If that is
    /// an anonymous user, it does nothing and ends with their session. So it may be iterated at each launch.
    ///
    /// The stream's errors: `superseded` when another sign-in or a sign-out came in between; `storage` when it cannot be
    /// known who was signed in; why the session of another SDK could not be adopted, while its user is not known, because an
    /// anonymous session would take its place (signing out discards it); or the repository's errors.
    public func callAsFunction() -> AuthStream<Session> {
        let signIn = manager.signIn(with: .anonymous, from: .establishingSession) { operation in
            AuthStream { () async throws(AuthError) in
                let session = try await repository.signInAnonymously()
                var file = NotesFile(manager)
                await file.update { notes throws(AuthError) in notes.removeUnfinished(of: notes) }
                try await repository.establish(session, in: manager, by: operation)
                return session
            }
        }
        return AuthStream { () async throws(AuthError) in
            let refreshing = RefreshSession(repository: repository, manager: manager)
            if var session = try await refreshing.presentSession(), session.user.isAnonymous {
                session.isNewUser = false
                return session
            }
            return try await signIn.body().get()
        }
    }
}
