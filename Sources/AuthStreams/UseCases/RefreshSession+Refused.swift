extension RefreshSession {
    /// A change of that user's session after which the server may have said that the session itself is over.
    ///
    /// Such words are about the credential as well as about the session, so they end nothing by themselves: the server is
    /// asked for a new token, and its definite no to that ends the session.
    func confirmedChange(
        of user: AuthUser.ID, _ change: @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let used = Lock<Secret?>(nil)
        do throws(AuthError) {
            return try await self.change(of: user) { session throws(AuthError) in
                used.withLock { $0 = session.accessToken }
                return try await change(session)
            }
        } catch {
            if SignOutReason(definiteNo: error) != nil, let token = used.withLock({ $0 }) {
                _ = try? await session(of: user, replacing: token)
            }
            throw error
        }
    }

    /// A change that shows the server nothing but the access token, so `invalidCredential` can only mean that: then it is
    /// refreshed once, and the change repeated once.
    func changeByTokenAlone(
        of user: AuthUser.ID, _ change: @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let used = Lock<Secret?>(nil)
        do throws(AuthError) {
            return try await confirmedChange(of: user) { session throws(AuthError) in
                used.withLock { $0 = session.accessToken }
                return try await change(session)
            }
        } catch {
            guard error.code == .invalidCredential, let token = used.withLock({ $0 }) else { throw error }
            _ = try await session(of: user, replacing: token)
            return try await confirmedChange(of: user, change)
        }
    }
}
