extension ServerRepository {
    /// Creates a session from another SDK's refresh token, by a refresh. The answer names the user, otherwise `adoptable`
    /// does, otherwise ``ServerContract/reload`` is called.
    ///
    /// ``AuthSession/provider`` is the answer's `provider`, otherwise that of `adoptable`, otherwise the user's first linked
    /// one, otherwise `anonymous` for an anonymous user, otherwise `unknown`: the old refresh token may be used up, so
    /// a missing provider does not discard the session.
    ///
    /// - Returns: The session, with the refresh token of the answer, or the given one if it has none.
    /// - Throws: ``AuthError``: `invalidCredential` before any request for an empty token, `invalidResponse` if no
    ///   user is named, otherwise as ``refresh(_:)`` does.
    public func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        let refreshToken = adoptable.refreshToken
        guard !refreshToken.isEmpty else {
            throw AuthError(.invalidCredential, "The refresh token is empty, so there is no session behind it.")
        }
        let answer = try await refreshed(by: refreshToken, nil)
        let user = try await user(of: answer, orElse: adoptable.user)
        let named = answer.provider ?? adoptable.provider ?? user.providers.first?.id
        let provider = named ?? (user.isAnonymous ? .anonymous : "unknown")
        var session = try session(of: answer, user, from: provider, refreshToken)
        session.isNewUser = false
        return session
    }
}
