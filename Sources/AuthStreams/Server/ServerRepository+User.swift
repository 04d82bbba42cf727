extension ServerRepository {
    /// Returns the session with the user as the server has them now.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if there is no endpoint for it,
    ///   `invalidResponse` if the answer is another user, `invalidCredential` if the access token is refused.
    public func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.reload, "reload")
            let user = try await user(at: endpoint, session.accessToken)
            return try session.with(user)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Returns the session with the user as the server has them now, if its answer to a DELETE is that there is nothing;
    /// `nil` for any other answer, and where the user cannot be read.
    ///
    /// Apple's `URLSession` may send a DELETE a second time by itself (Technical Q&A QA1941). The answer is then that to
    /// the second copy. The same status comes from a path that does not exist, so the user decides.
    ///
    /// - Throws: `userNotFound` if the user is gone.
    func reloaded(
        _ session: AuthSession, after answer: AuthHTTPResponse, from endpoint: ServerContract.Endpoint
    ) async throws(AuthError) -> AuthSession? {
        let isGone = [404, 410].contains(answer.status) && ProblemDetails(answer)?.name == nil
        guard endpoint.method == .delete, isGone, contract.reload != nil else { return nil }
        do throws(AuthError) { return try await reload(session) } catch {
            guard error.code == .userNotFound else { return nil }
            throw error
        }
    }

    /// Changes the user's name and picture. A removed value is sent as null.
    ///
    /// - Returns: The session with the answer's user, or with the one of ``reload(_:)`` if the answer has none.
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if there is no endpoint for it,
    ///   `invalidResponse` if the answer is another user, `invalidCredential` if the access token is refused.
    public func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession
    {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.updateProfile, "updateProfile")
            let response = try await channel.send(
                to: endpoint, body: contract.body(for: changes), accessToken: session.accessToken)
            if let user = try changedUser(in: response) { return try session.with(user) }
            guard contract.reload != nil else { throw contract.missingUser }
            return try await reload(session)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Returns the user in the answer to a profile change; `nil` if it only says that it is done.
    private func changedUser(in response: AuthHTTPResponse) throws(AuthError) -> AuthUser? {
        guard contract.isDone(response) else { throw ServerErrorResponse(response, to: .change, by: contract).error }
        return response.status == 204 ? nil : try contract.reloadedUser(in: response)
    }

    /// Returns the user that comes with a new session: that of the answer, otherwise the known one, otherwise the one that
    /// the server names for the new access token.
    ///
    /// - Throws: `invalidResponse` if no user is named.
    func user(of answer: ServerResponse, orElse known: AuthUser?) async throws(AuthError) -> AuthUser {
        if let user = answer.user ?? known { return user }
        guard let tokens = answer.tokens, let endpoint = contract.reload else { throw contract.missingUser }
        do throws(AuthError) { return try await user(at: endpoint, tokens.access) } catch {
            guard error.refusesOnlyAccessToken || error.code == .sessionExpired else { throw error }
            // The token was just issued, so the refusal concerns neither the credential nor another session.
            throw AuthError(
                .misconfigured,
                "The server refused the access token that it had just issued. Check the contract's `reload`.",
                serverCode: error.serverCode)
        }
    }

    private func user(
        at endpoint: ServerContract.Endpoint, _ accessToken: Secret
    ) async throws(AuthError) -> AuthUser {
        let response = try await channel.send(to: endpoint, accessToken: accessToken)
        guard contract.isSuccess(response) else {
            throw ServerErrorResponse(response, to: .change, by: contract).error
        }
        guard let user = try contract.reloadedUser(in: response) else {
            let name = contract.session.reloadedUser ?? contract.session.user
            throw .badMember(contract.path(name.isEmpty ? contract.user.id : name), "is missing")
        }
        return user
    }
}

extension ServerContract {
    /// Returns the user in the answer to a reload or a profile change.
    fileprivate func reloadedUser(in response: AuthHTTPResponse) throws(AuthError) -> AuthUser? {
        try user(at: session.reloadedUser ?? session.user, of: try payload(of: response))
    }
}

extension AuthSession {
    /// Returns the same session with the user as the server has them now.
    ///
    /// - Throws: `invalidResponse` for another user.
    fileprivate func with(_ user: AuthUser) throws(AuthError) -> AuthSession {
        guard user.id == self.user.id else {
            throw AuthError(.invalidResponse, "The server answered with another user; nothing of it is kept.")
        }
        var session = self
        session.user = user
        session.isNewUser = false
        return session
    }
}
