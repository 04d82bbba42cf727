extension RefreshSession {
    /// A change that shows the server a credential beside the access token: link, re-authenticate.
    ///
    /// Where the server says that it was the access token which it did not take, it has not looked at the credential: then
    /// the token is refreshed once, and the change repeated once. The refresh also finds out whether the session is over.
    func changeByCredential(
        of user: AuthUser.ID, _ change: @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let used = Lock<Secret?>(nil)
        do throws(AuthError) {
            return try await confirmedChange(of: user) { session throws(AuthError) in
                used.withLock { $0 = session.accessToken }
                return try await change(session)
            }
        } catch {
            guard error.isAboutAccessToken, let token = used.withLock({ $0 }) else { throw error }
            _ = try await session(of: user, replacing: token)
            return try await confirmedChange(of: user, change)
        }
    }
}

extension AuthError {
    /// What servers call an access token that they do not take: the contract of a server of one's own, and Firebase.
    private static let staleTokens: Set<String> = ["invalid-access-token", "INVALID_ID_TOKEN", "TOKEN_EXPIRED"]

    /// Whether the server refused the access token, and not the credential that came with it.
    fileprivate var isAboutAccessToken: Bool {
        code == .invalidCredential && serverCode.map(Self.staleTokens.contains) == true
    }
}
