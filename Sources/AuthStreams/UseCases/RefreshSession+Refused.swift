/// What a request shows the server beside the access token: it decides what a refusal can be about.
enum Proof {
    case nothing
    case credential
}

extension RefreshSession {
    /// A change of that user's session that goes on where a server refuses the access token, or the session itself.
    ///
    /// - Where it did not take the access token, it has done nothing: then that is refreshed once, and the change repeated
    ///   once. Where the refresh is refused, the session is over by that.
    /// - Where it says that the session is over, those words may be about a credential as well, so they end nothing by
    ///   themselves: the server is asked for a new token, and its definite no to that ends the session.
    ///
    /// - Parameters:
    ///   - user: Whose session it has to be.
    ///   - proof: What the change shows the server beside the access token.
    ///   - change: As in ``change(of:_:)``, whose errors this throws.
    func change(
        of user: AuthUser.ID, showing proof: Proof, _ change: @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let used = Lock<Secret?>(nil)
        var mayRepeat = true
        while true {
            do throws(AuthError) {
                return try await self.change(of: user) { session throws(AuthError) in
                    used.withLock { $0 = session.accessToken }
                    return try await change(session)
                }
            } catch {
                guard let token = used.withLock({ $0 }) else { throw error }
                if mayRepeat, error.isAboutAccessToken(beside: proof) {
                    mayRepeat = false
                    try await renew(token, of: user, after: error)
                    continue
                }
                if error.classification.sessionEnd != nil { _ = try? await session(of: user, replacing: token) }
                throw error
            }
        }
    }

    /// Gets another access token in place of one that a server refused.
    func renew(_ token: Secret, of user: AuthUser.ID, after refusal: AuthError) async throws(AuthError) {
        do throws(AuthError) { _ = try await session(of: user, replacing: token) } catch {
            // Without a refresh token there is no other, which ends nothing: then what the server said counts.
            let isTheOnlyOne = error.code == .sessionExpired && manager.session?.user.id == user
            throw isTheOnlyOne ? refusal : error
        }
    }
}

extension AuthError {
    /// Whether the server refused the access token, and has not looked at anything else.
    fileprivate func isAboutAccessToken(beside proof: Proof) -> Bool {
        switch proof {
        case .nothing: refusesOnlyAccessToken
        case .credential: classification.refusesAccessToken
        }
    }
}
