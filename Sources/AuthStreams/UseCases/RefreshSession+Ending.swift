extension RefreshSession {
    /// Runs a request that ends the session, with an access token that is good. While it runs, nobody else uses or replaces
    /// the tokens, in any process.
    ///
    /// Where the server does not take the access token, it is refreshed once and the request repeated once: the request shows
    /// nothing else, so `invalidCredential` can only mean that.
    ///
    /// - Parameters:
    ///   - user: Whose session it has to be.
    ///   - request: Sends it, and ends the session here.
    /// - Throws: `notSignedIn` before anything when no user is signed in; `superseded` when the person signed out or changed
    ///   meanwhile; or what the request throws.
    func end(
        of user: AuthUser.ID, by request: @Sendable (Session) async throws(AuthError) -> Void
    ) async throws(AuthError) {
        var refused: Secret?
        while true {
            let before = try await session(of: user)
            do throws(AuthError) {
                if try await alone({ lock throws(AuthError) in try await ended(before, lock, by: request) }) { return }
            } catch {
                guard error.refusesOnlyAccessToken, refused == nil else { throw error }
                refused = before.accessToken
                try await renew(before.accessToken, of: user, after: error)
            }
        }
    }

    /// - Returns: `false` when the tokens were replaced meanwhile, so that it has to be begun anew.
    private func ended(
        _ before: Session, _ lock: SessionStoreLock?, by request: (Session) async throws(AuthError) -> Void
    ) async throws(AuthError) -> Bool {
        try await manager.reread()
        guard let session = manager.session else { throw .superseded }
        guard session.user.id == before.user.id else { throw .superseded }
        guard session.accessToken == before.accessToken else { return false }
        try lock?.requireHeld()
        try await request(session)
        return true
    }
}
