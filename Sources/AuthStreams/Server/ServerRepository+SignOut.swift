extension ServerRepository {
    /// Tells the server that the session is over, unless the contract has no endpoint for it.
    ///
    /// A problem type of the contract that means that there is no such session counts as success: those that end one. A
    /// status alone does not, because 404 may be a wrong path. Nor does `invalid-access-token`, since the refresh token
    /// stays valid: it is then sent once more, without the access token. Without a refresh token the sign-out is
    /// complete; if it is a cookie that the endpoint does not get, the refusal is thrown.
    public func signOut(_ session: AuthSession) async throws(AuthError) {
        guard let endpoint = contract.signOut else { return }
        do throws(AuthError) {
            let url = try channel.url(of: endpoint)
            let both = contract.tokens(ending: session.refreshToken, session.accessToken, at: url)
            guard let refusal = try await refusal(ofSignOut: both, at: endpoint) else { return }
            guard refusal.isAboutAccessToken else { throw refusal.error }
            guard session.refreshToken?.present != nil else { return }
            let refreshToken = contract.tokens(ending: session.refreshToken, nil, at: url)
            guard !refreshToken.isEmpty else { throw refusal.error }
            if let refusal = try await self.refusal(ofSignOut: refreshToken, at: endpoint) { throw refusal.error }
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// - Returns: `nil` if the session is over.
    private func refusal(
        ofSignOut tokens: ServerContract.SentTokens, at endpoint: ServerContract.Endpoint
    ) async throws(AuthError) -> ServerErrorResponse? {
        let exchange = try await channel.send(to: endpoint, body: tokens.members, headers: tokens.headers)
        let refusal = ServerErrorResponse(exchange, to: .signOut, by: contract)
        if contract.isDone(exchange, to: .signOut) || refusal.saysThatThereIsNoSession { return nil }
        // Where the refresh token alone was sent, an answer that refuses it is about the session.
        let isAlone = tokens.headers[.authorization] == nil
        return isAlone && contract.lists(exchange.response, asRefusalOf: .refresh) ? nil : refusal
    }

    /// Ends every session of the user, on every device.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if the contract has no endpoint for it,
    ///   `invalidCredential` if the access token is refused: then no other session has ended.
    public func signOutEverywhere(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.signOutEverywhere, "signOutEverywhere")
            let exchange = try await channel.send(to: endpoint, accessToken: session.accessToken)
            try contract.requireDone(exchange, to: .change)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Returns whether the contract has an endpoint for it and the server supports that provider.
    public func revokesAccess(at provider: ProviderID) -> Bool {
        contract.revokeAccess != nil && contract.revocableProviders.contains(provider)
    }

    /// Asks the server to withdraw the app's access at the provider.
    ///
    /// The server redeems the credential and identifies the person by it, so it may count it as a recent sign-in.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if ``revokesAccess(at:)`` returns `false`,
    ///   `accessDenied` if the credential is another person's.
    public func revokeAccess(with credential: Credential, of session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            guard let endpoint = contract.revokeAccess, revokesAccess(at: credential.provider) else {
                throw AuthError(
                    .unsupportedProvider,
                    "The server cannot end what \(credential.provider) lets the app do. If it can, say so in the contract."
                )
            }
            let exchange = try await channel.send(
                to: endpoint, of: credential.provider, body: contract.body(for: credential, to: endpoint),
                accessToken: session.accessToken)
            try contract.requireDone(exchange, to: .change)
        } catch {
            throw error.located(provider: credential.provider)
        }
    }

    /// Deletes the account at the server.
    ///
    /// - Throws: ``AuthError``; `userNotFound` if the account is already gone, `requiresRecentSignIn` if the server
    ///   requires it, `invalidCredential` if the access token is refused, which ends no session: refresh, then repeat.
    public func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            let exchange = try await channel.send(to: contract.deleteAccount, accessToken: session.accessToken)
            try contract.requireNoChallenge(in: exchange, to: .deletion)
            guard contract.isDone(exchange, to: .deletion) else {
                _ = try await reloaded(session, after: exchange, from: contract.deleteAccount)
                throw ServerErrorResponse(exchange, to: .deletion, by: contract).error
            }
        } catch {
            throw error.asked(by: .change, of: session.provider).located(provider: session.provider)
        }
    }
}
