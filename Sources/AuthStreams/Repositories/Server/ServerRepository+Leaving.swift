extension ServerRepository {
    /// Tells the server that the session is over, unless the contract has no endpoint for it.
    ///
    /// A problem type of the contract that says that there is no such session counts as done: `invalid-access-token`, and
    /// those that end one. A status alone does not: 404 is a wrong path, too.
    public func signOut(_ session: Session) async throws(AuthError) {
        guard let endpoint = contract.signOut else { return }
        do throws(AuthError) {
            let response = try await channel.send(
                to: endpoint, body: contract.body(for: session.refreshToken), accessToken: session.accessToken)
            guard !response.isDone else { return }
            let refusal = ServerRefusal(response, to: .signOut, by: contract)
            guard refusal.saysThatThereIsNoSession else { throw refusal.error }
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Ends every session of the user, on every device.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request where the contract has no endpoint for it,
    ///   `invalidCredential` when the access token is over: then no other session has ended.
    public func signOutEverywhere(_ session: Session) async throws(AuthError) {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.signOutEverywhere, "signOutEverywhere")
            let response = try await channel.send(to: endpoint, accessToken: session.accessToken)
            guard response.isDone else { throw ServerRefusal(response, to: .change, by: contract).error }
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Whether the contract has an endpoint for it, and the server a way to that provider.
    public func revokesAccess(at provider: ProviderID) -> Bool {
        contract.revokeAccess != nil && contract.revocableProviders.contains(provider)
    }

    /// Lets the server end at the provider what the app may do there.
    ///
    /// The server redeems the credential, and knows by it that it is them: it may count as a recent sign-in.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request where ``revokesAccess(at:)`` says no,
    ///   `accessDenied` when the credential is another person's.
    public func revokeAccess(with credential: Credential, of session: Session) async throws(AuthError) {
        do throws(AuthError) {
            guard let endpoint = contract.revokeAccess, revokesAccess(at: credential.provider) else {
                throw AuthError(
                    .unsupportedProvider,
                    "The server cannot end what \(credential.provider) lets the app do. If it can, say so in the contract."
                )
            }
            let response = try await channel.send(
                to: endpoint, body: contract.body(for: credential), accessToken: session.accessToken)
            guard response.isDone else { throw ServerRefusal(response, to: .change, by: contract).error }
        } catch {
            throw error.located(provider: credential.provider)
        }
    }

    /// Deletes the account at the server.
    ///
    /// - Throws: ``AuthError``; `requiresRecentSignIn` when the server says so, `invalidCredential` when the access token
    ///   is over, which ends no session: refresh, then repeat.
    public func deleteAccount(_ session: Session) async throws(AuthError) {
        do throws(AuthError) {
            let response = try await channel.send(to: contract.deleteAccount, accessToken: session.accessToken)
            guard response.isDone else { throw ServerRefusal(response, to: .deletion, by: contract).error }
        } catch {
            throw error.located(provider: session.provider)
        }
    }
}

extension HTTPResponse {
    /// Whether the server did what has no answer but the status.
    var isDone: Bool { isSuccess && !isPage }
}
