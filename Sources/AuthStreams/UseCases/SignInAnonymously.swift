/// The use case 'sign in anonymously': a user without an identity, who can be given one later by linking.
struct SignInAnonymously: Sendable {
    let refreshing: RefreshSession

    /// Signs in when iterated, unless an anonymous user is signed in. ``AuthService`` says how it fails.
    func callAsFunction() -> AuthStream<AuthSession> {
        let (repository, manager) = (refreshing.repository, refreshing.manager)
        let begin: SessionManager.SignInBeginning = {
            $0.signInBegan(with: .anonymous, at: .establishingSession, $1.uptime)
        }
        let signIn = manager.signIn(begin) { operation in
            AuthStream { () async throws(AuthError) in
                let session = try await manager.answering(in: operation, reaching: manager.steps(of: operation)) {
                    try await repository.signInAnonymously()
                } answer: {
                    try await repository.answer($0, with: $1, in: nil)
                }
                var file = NotesFile(manager)
                await file.update { notes throws(AuthError) in notes.removeUnfinished(of: notes) }
                try await repository.establish(session, in: manager, by: operation)
                return session
            }
        }
        return AuthStream { () async throws(AuthError) in
            if var session = try await refreshing.currentSession(), session.user.isAnonymous {
                session.isNewUser = false
                return session
            }
            return try await signIn.body().get()
        }
    }
}
