extension ServerRepository {
    /// Makes a session of a refresh token that another SDK left: a refresh. Whose it is says the answer, else who left
    /// it.
    ///
    /// ``Session/provider`` is the answer's `provider`, else the one left with it, else the user's first linked one, else `anonymous` for an anonymous
    /// user, else `unknown`: the old refresh token may be used up, so the session is not thrown away over that.
    ///
    /// - Returns: The session, with the refresh token of the answer, or the given one when it had none.
    /// - Throws: ``AuthError``: `invalidCredential` before any request for an empty token, `invalidResponse` when
    ///   nobody names a user, else as ``refresh(_:)`` does.
    public func adopt(_ left: LegacySession) async throws(AuthError) -> Session {
        let refreshToken = left.refreshToken
        guard !refreshToken.isEmpty else {
            throw AuthError(.invalidCredential, "The refresh token is empty, so there is no session behind it.")
        }
        let answer = try await answer(to: .refresh, at: contract.refresh, contract.body(for: refreshToken))
        guard let user = answer.user ?? left.user else { throw .badMember(contract.session.user, "is missing") }
        let named = answer.provider ?? left.provider ?? user.providers.first?.id
        let provider = named ?? (user.isAnonymous ? .anonymous : "unknown")
        var session = try session(of: answer, user, from: provider, refreshToken)
        session.isNewUser = false
        return session
    }
}
