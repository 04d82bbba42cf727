extension RefreshSession {
    /// A change after which the server may have said that the session itself is over.
    ///
    /// Such words are about the credential as well as about the session, so they end nothing by themselves: the server is
    /// asked for a new token, and its definite no to that ends the session.
    func confirmedChange(
        of user: AuthUser.ID? = nil, _ change: @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let used = Lock<Session?>(nil)
        do throws(AuthError) {
            return try await self.change(of: user) { session throws(AuthError) in
                used.withLock { $0 = session }
                return try await change(session)
            }
        } catch {
            if SignOutReason(definiteNo: error) != nil, let used = used.withLock({ $0 }) {
                _ = try? await session(of: used.user.id, replacing: used.accessToken)
            }
            throw error
        }
    }

    /// A change that shows the server nothing but the access token, so `invalidCredential` can only mean that: then it is
    /// refreshed once, and the change repeated once.
    func changeByTokenAlone(
        _ change: @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let used = Lock<Session?>(nil)
        do throws(AuthError) {
            return try await confirmedChange { session throws(AuthError) in
                used.withLock { $0 = session }
                return try await change(session)
            }
        } catch {
            guard error.code == .invalidCredential, let used = used.withLock({ $0 }) else { throw error }
            _ = try await session(of: used.user.id, replacing: used.accessToken)
            return try await confirmedChange(of: used.user.id, change)
        }
    }
}
