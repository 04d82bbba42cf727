extension RefreshSession {
    /// Changes the session by a request that may replace its tokens: link, unlink, re-authenticate.
    ///
    /// While it runs, nobody else uses or replaces the refresh token, in any process.
    ///
    /// - Parameters:
    ///   - user: Whose session it has to be; unless given, whoever is signed in at the call.
    ///   - change: Gets the session, with an access token that is good, and returns the next one of the same user.
    /// - Returns: What is present and stored now.
    /// - Throws: `notSignedIn` before anything when no user is signed in; `superseded` when the person signed out or changed
    ///   meanwhile; `invalidResponse` when the answer is another user's; `storage` or `storageLocked` when new tokens
    ///   could not be stored; or what the change throws.
    package func change(
        of user: AuthUser.ID? = nil, _ change: @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        var user = user
        while true {
            let before = try await session(of: user)
            user = before.user.id
            if let next = try await alone({ lock throws(AuthError) in
                try await changed(before, lock, by: change)
            }) {
                return next
            }
        }
    }

    /// - Returns: `nil` when the tokens were replaced meanwhile, so that it has to be begun anew.
    private func changed(
        _ before: Session, _ lock: SessionStoreLock?, by change: (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session? {
        try await manager.reread()
        guard let (session, generation) = manager.presentSession else { throw .notSignedIn }
        guard session.user.id == before.user.id else { throw .superseded }
        guard session.accessToken == before.accessToken else { return nil }
        try lock?.requireHeld()
        let next = try await change(session)
        guard next.user.id == session.user.id else {
            throw AuthError(.invalidResponse, "The answer is another user's session; it is not kept.")
        }
        do throws(AuthError) {
            return try await manager.replace(session, with: next, isAnswer: false, in: generation)
        } catch {
            if error.code == .superseded { await repository.giveBack(next, in: manager) }
            throw error
        }
    }
}

extension SessionManager {
    /// Whose session it is, and in which generation.
    var presentSession: (session: Session, generation: UInt64)? {
        look { machine in machine.session.map { ($0, machine.generation) } }
    }
}
