/// The proof that a request sends beside the access token, which a refusal can concern.
enum Proof {
    case nothing
    case credential
}

/// Requests with the session's access token.
///
/// While one runs, no other request uses or replaces the refresh token, in any process.
extension RefreshSession {
    /// Sends one request that may replace the session's tokens, and stores its answer.
    func replaceSession(
        of user: AuthUser.ID, showing proof: Proof, by change: (AuthSession) async throws(AuthError) -> AuthSession
    ) async throws(AuthError) -> AuthSession {
        try await sharingBudget().send(as: user, to: .changeSession(showing: proof)) {
            session, request throws(AuthError) in
            let next = try await change(session)
            guard next.user.id == user else {
                throw AuthError(.invalidResponse, "The answer is another user's session; it is not kept.")
            }
            do throws(AuthError) { return try await manager.commit(next, to: request) } catch {
                if error.code == .superseded { await repository.revokeUnused(next, of: manager) }
                throw error
            }
        }
    }

    /// Runs a request that changes no token, and that shows nothing but a valid access token, such as one that ends the session.
    ///
    /// - Throws: `notSignedIn` before anything when no user is signed in; `superseded` when the person signed out or changed
    ///   meanwhile; or what the request throws.
    func request<Value: Sendable>(
        as user: AuthUser.ID, by send: (AuthSession) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        try await sharingBudget().send(as: user, to: .useSession) { session, _ throws(AuthError) in
            try await send(session)
        }
    }

    /// What a request is for.
    private enum Purpose {
        /// It may replace the session's tokens.
        case changeSession(showing: Proof)
        /// It changes no token, and shows the access token alone.
        case useSession

        /// Whether the server refused the access token, and has not looked at anything else.
        func isAboutAccessToken(_ error: AuthError) -> Bool {
            switch self {
            case .changeSession(showing: .credential): error.classification.refusesAccessToken
            case .changeSession(showing: .nothing), .useSession: error.refusesOnlyAccessToken
            }
        }
    }

    /// What came of a request that was sent, and the access token that it showed.
    private struct Outcome<Value: Sendable>: Sendable {
        let token: Secret
        let result: Result<Value, AuthError>
    }

    /// Sends a request. If the server refuses the access token, it has done nothing: the token is refreshed once, and the request
    /// repeated once.
    private func send<Value: Sendable>(
        as user: AuthUser.ID, to purpose: Purpose,
        _ request: (AuthSession, RefreshRequest) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        var outcome = try await sendOnce(request, as: user, to: purpose)
        if case .failure(let refusal) = outcome.result, purpose.isAboutAccessToken(refusal) {
            do throws(AuthError) {
                outcome = try await sendOnce(request, as: user, replacing: outcome.token, to: purpose)
            } catch {
                // Without a refresh token there is no other access token, and the server's refusal is the result.
                guard error.code == .sessionExpired, manager.user?.id == user else { throw error }
                throw refusal
            }
        }
        if case .changeSession = purpose, case .failure(let error) = outcome.result,
            error.classification.sessionEnd != nil
        {
            _ = try? await session(of: user, replacing: outcome.token)
        }
        return try outcome.result.get()
    }

    /// Sends a request under the refresh lock, with the session of that user and a valid access token.
    ///
    /// - Parameter refused: An access token that the server refused, so that the request shows another.
    /// - Throws: Why nothing was sent.
    private func sendOnce<Value: Sendable>(
        _ request: (AuthSession, RefreshRequest) async throws(AuthError) -> Value,
        as user: AuthUser.ID, replacing refused: Secret? = nil, to purpose: Purpose
    ) async throws(AuthError) -> Outcome<Value> {
        while true {
            let token = try await session(of: user, replacing: refused).accessToken
            let outcome: Outcome<Value>? = try await withRefreshLock { lock throws(AuthError) in
                switch purpose {
                // Its answer could not be stored over a damaged record.
                case .changeSession: _ = try await manager.synchronizeToReplaceTokens()
                case .useSession: try await manager.synchronize()
                }
                guard let present = manager.read({ $0.request() }), let session = present.kept.session,
                    session.user.id == user
                else { throw .superseded }
                // The tokens were replaced, or the gate has closed, so it begins again.
                guard session.accessToken == token, !manager.isGateClosed else { return nil }
                try lock?.requireHeld()
                do throws(AuthError) {
                    return Outcome(token: token, result: .success(try await request(session, present)))
                } catch {
                    return Outcome(token: token, result: .failure(error))
                }
            }
            if let outcome { return outcome }
        }
    }
}
