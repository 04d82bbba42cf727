extension ServerRepository {
    /// Makes a session of a refresh token that another SDK left: a refresh whose answer has to say whose it is.
    ///
    /// ``Session/provider`` is the answer's `provider`, else the user's first linked one, else `anonymous` for an anonymous
    /// user, else `unknown`: the old refresh token may be used up, so the session is not thrown away over that.
    ///
    /// - Returns: The session, with the refresh token of the answer, or the given one when it had none.
    /// - Throws: ``AuthError``: `invalidCredential` before any request for an empty token, `invalidResponse` when the answer
    ///   names no user, else as ``refresh(_:)`` does.
    public func adopt(refreshToken: Secret) async throws(AuthError) -> Session {
        guard !refreshToken.isEmpty else {
            throw AuthError(.invalidCredential, "The refresh token is empty, so there is no session behind it.")
        }
        let answer = try await answer(to: .refresh, at: contract.refresh, contract.body(for: refreshToken))
        guard let user = answer.user else { throw .badMember(contract.session.user, "is missing") }
        let named = answer.provider ?? user.providers.first?.id
        var session = session(of: answer, user, from: named ?? (user.isAnonymous ? .anonymous : "unknown"))
        session.refreshToken = session.refreshToken ?? refreshToken
        session.isNewUser = false
        return session
    }
}
