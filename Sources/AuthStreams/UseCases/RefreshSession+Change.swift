/// Changes of the account that is signed in: link, unlink, re-authenticate, revoke, delete.
extension RefreshSession {
    /// Makes a stream that runs a change of the account that is signed in. The state stays `signedIn` meanwhile.
    ///
    /// When the person signs out or another user signs in, the chain is cancelled through its own child task, and the stream ends
    /// with `superseded`, or with what the server said about the session. A chain that succeeds all the same is reported.
    ///
    /// - Parameters:
    ///   - kind: The kind of change, for events.
    ///   - refusal: The error of the stream where the change does not begin, of which no event tells: the same unless given.
    ///   - plan: What can be refused before anything is shown, and the provider that is asked.
    ///   - chain: The change itself.
    func change<Plan: Sendable, Value: Sendable>(
        _ kind: AuthOperation, refusal: @escaping @Sendable (AuthError) -> AuthError = { $0 },
        plan: @escaping @Sendable (AuthSession) async throws -> (Plan, ProviderID?),
        _ chain: @escaping @Sendable (AccountChange, Plan) async throws -> Value
    ) -> AuthStream<Value> {
        AuthStream { () async throws(AuthError) in
            let (change, planned): (AccountChange, Plan)
            do throws(AuthError) { (change, planned) = try await begin(kind, plan) } catch { throw refusal(error) }
            defer { manager.currentPrompt.hide(of: change.id) }
            let outcome = await AuthStream { try await chain(change, planned) }
                .interrupted { await change.interruption.value() }
                .body()
            switch outcome {
            case .success(let value):
                _ = manager.transition { $0.changeEnded(change, nil, at: $1.uptime) }
                return value
            case .failure(let error): throw manager.transition { $0.changeEnded(change, error, at: $1.uptime) } ?? error
            }
        }
    }

    /// Begins a change, once the session can be used.
    private func begin<Plan: Sendable>(
        _ kind: AuthOperation, _ plan: (AuthSession) async throws -> (Plan, ProviderID?)
    ) async throws(AuthError) -> (AccountChange, Plan) {
        guard let session = try await currentSession() else { throw .notSignedIn }
        let (plan, provider) = try await AuthError.wrapping { try await plan(session) }
        let change = manager.transition {
            $0.changeBegan(kind, with: provider, of: session.user.id, at: $1.uptime)
        }
        guard let change else { throw .superseded }
        return (change, plan)
    }

    /// Changes the session of the change's user by a request that may replace its tokens. Where the server wants a further step,
    /// the person is asked between the requests, so that a refresh does not wait for them.
    ///
    /// - Parameters:
    ///   - operation: The change, with the user whose session it has to be.
    ///   - proof: What the request shows the server beside the access token.
    ///   - change: Sends the request with a valid access token, and returns the next session of the same user.
    /// - Returns: The session that is present and stored now.
    /// - Throws: `notSignedIn` before anything when no user is signed in; `superseded` when the person signed out or changed
    ///   meanwhile; `invalidResponse` when the answer is another user's; `storage` or `storageLocked` when new tokens could
    ///   not be stored; or what the change throws. If the server reports that the session is over, that may concern the
    ///   credential instead, so it does not end the session: a refresh follows, and a terminal rejection of that ends it.
    func change(
        by operation: AccountChange, showing proof: Proof,
        _ change: (AuthSession) async throws(AuthError) -> AuthSession
    ) async throws(AuthError) -> AuthSession {
        try await answering(by: operation) {
            try await replaceSession(of: operation.userID, showing: proof, by: change)
        }
    }

    /// Asks the person what an error's challenge says, and sends the answer.
    ///
    /// - Throws: The error, if it has no challenge; otherwise as ``change(by:showing:_:)``.
    func answer(_ error: AuthError, by operation: AccountChange) async throws(AuthError) {
        _ = try await answering(by: operation) { throw error }
    }

    private func answering(
        by operation: AccountChange, _ first: () async throws -> AuthSession
    ) async throws(AuthError) -> AuthSession {
        try await manager.answering(in: operation, reaching: steps(of: operation), first) { challenge, answer in
            try await replaceSession(of: operation.userID, showing: .credential) { session throws(AuthError) in
                try await repository.answer(challenge, with: answer, in: session)
            }
        }
    }

    /// Changes the session by a request with a credential. While the server refuses the credential and another answer of the attempt
    /// may come, sends that.
    ///
    /// - Throws: As ``change(by:showing:_:)``.
    func change(
        by operation: AccountChange, with credential: Credential,
        _ change: (AuthSession, Credential) async throws(AuthError) -> AuthSession
    ) async throws(AuthError) -> AuthSession {
        try await answering(by: operation) {
            try await credential.sending { credential throws(AuthError) in
                try await replaceSession(of: operation.userID, showing: .credential) { session throws(AuthError) in
                    try await change(session, credential)
                }
            }
        }
    }

    /// Proves who the person is.
    func reauthenticate(
        by operation: AccountChange, with credential: Credential
    ) async throws(AuthError) -> AuthSession {
        try await change(by: operation, with: credential) { [repository] session, credential throws(AuthError) in
            try await repository.reauthenticate(session, with: credential)
        }
    }

    /// Notes the steps of a change.
    func steps(of operation: AccountChange) -> @Sendable (AuthState.SignInStep) -> Void {
        { [manager] step in manager.transition { $0.reached(step, in: operation, at: $1.uptime) } }
    }
}
