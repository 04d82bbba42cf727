/// The proof that a request sends beside the access token, which a refusal can concern.
enum Proof {
    case nothing
    case credential
}

/// Requests that replace or end the session: link, unlink, re-authenticate, revoke, delete.
///
/// While one runs, no other request uses or replaces the refresh token, in any process.
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
            var credential = credential
            while true {
                do throws(AuthError) {
                    return try await replaceSession(of: operation.userID, showing: .credential) {
                        session throws(AuthError) in try await change(session, credential)
                    }
                } catch { credential = try await credential.replacement(after: error) }
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

    /// Sends one request that may replace the session's tokens, and stores its answer.
    func replaceSession(
        of user: AuthUser.ID, showing proof: Proof, by change: (AuthSession) async throws(AuthError) -> AuthSession
    ) async throws(AuthError) -> AuthSession {
        try await sharingBudget().send(as: user, showing: proof, isChange: true) {
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
        try await sharingBudget().send(as: user, showing: .nothing, isChange: false) { session, _ throws(AuthError) in
            try await send(session)
        }
    }

    /// Sends a request under the refresh lock, with the session of that user and a valid access token. If the server refuses the
    /// token, it has done nothing: the token is refreshed once, and the request repeated once.
    private func send<Value: Sendable>(
        as user: AuthUser.ID, showing proof: Proof, isChange: Bool,
        _ send: (AuthSession, RefreshRequest) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        var refusal: (token: Secret, error: AuthError)?
        while true {
            let token: Secret
            do throws(AuthError) { token = try await session(of: user, replacing: refusal?.token).accessToken } catch {
                // Without a refresh token there is no other access token, and the server's refusal is the result.
                guard let refusal, error.code == .sessionExpired, manager.user?.id == user else { throw error }
                throw refusal.error
            }
            var isSent = false
            do throws(AuthError) {
                let value: Value? = try await withRefreshLock { lock throws(AuthError) in
                    if isChange {
                        // Its answer could not be stored over a damaged record.
                        _ = try await manager.synchronizeToReplaceTokens()
                    } else {
                        try await manager.synchronize()
                    }
                    guard let request = manager.read({ $0.request() }), let session = request.kept.session,
                        session.user.id == user
                    else { throw .superseded }
                    // The tokens were replaced, or the gate has closed, so it begins again.
                    guard session.accessToken == token, !manager.isGateClosed else { return nil }
                    try lock?.requireHeld()
                    isSent = true
                    return try await send(session, request)
                }
                if let value { return value }
            } catch {
                guard isSent else { throw error }
                if refusal == nil, error.isAboutAccessToken(beside: proof) {
                    refusal = (token, error)
                    continue
                }
                if isChange, error.classification.sessionEnd != nil {
                    _ = try? await session(of: user, replacing: token)
                }
                throw error
            }
        }
    }
}

extension AuthRepository {
    /// Sends the refresh token of a session, and returns the session with its next tokens.
    ///
    /// - Parameter lock: The refresh lock, under which it is sent; `nil` if there is none.
    func renew(
        _ kept: KeptSession, of manager: SessionManager, holding lock: SessionStoreLock?
    ) async throws(AuthError) -> AuthSession {
        let warn: @Sendable (AuthError) -> Void = { [manager, provider = kept.provider] in
            manager.emit(AuthEvent(.providerWarning, provider: provider, failure: .of($0)))
        }
        do throws(AuthError) {
            switch (kept.content, self as? any SenderConstrainedRepository) {
            case (.adoptable(let session), nil): return try await adopt(session, onWarning: warn)
            case (.established(let session), nil): return try await refresh(session, onWarning: warn)
            case (.adoptable(let session), let constrained?):
                return try await constrained.adopt(session, holding: lock, onWarning: warn)
            case (.established(let session), let constrained?):
                return try await constrained.refresh(session, holding: lock, onWarning: warn)
            }
        } catch {
            let error = kept.adoptable == nil ? error : error.located(provider: kept.provider)
            // A caller would take it for the person's own.
            guard error.code == .cancelled, !Task.isCancelled else { throw error }
            throw AuthError(
                .network, "The repository threw a cancellation, and the request was not cancelled. Try again.",
                provider: error.provider)
        }
    }

    /// Tells the server that a session is over, as far as it can be reached. A failure is reported as an event.
    func revoke(_ session: AuthSession, of manager: SessionManager) async {
        do throws(AuthError) { try await signOut(session) } catch {
            // A session that the server no longer knows needs no revocation.
            guard error.classification.sessionEnd == nil else { return }
            manager.emit(AuthEvent(.revocationFailed, provider: session.provider, failure: .of(error)))
        }
    }

    /// Signs out at the server a session that came too late and is not used.
    func revokeUnused(_ session: AuthSession, of manager: SessionManager) async {
        await revocation(ofUnused: session, of: manager)?.value
    }

    /// Does the same in a task of its own, because the task of a session that came too late was mostly cancelled.
    func revocation(ofUnused session: AuthSession, of manager: SessionManager) -> Task<Void, Never>? {
        guard manager.user?.id != session.user.id else { return nil }
        return manager.outstanding.start { await revoke(session, of: manager) }
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
