import Foundation

extension ServerRepository {
    /// Adds an identity to the user.
    ///
    /// - Returns: The session with the answer's user, and with its tokens if it has some. An anonymous user's session
    ///   has the new identity's provider from then on.
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if there is no endpoint for it or no route for
    ///   the provider, `invalidResponse` if the answer is another user's, which is discarded.
    public func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.link, "link")
            try checkRoute(for: credential.provider)
            let body = try contract.body(for: credential, to: endpoint)
            let response = try await channel.send(
                to: endpoint, of: credential.provider, body: body, accessToken: session.accessToken)
            var next = try changed(session, by: response, to: .link)
            if next.provider == .anonymous { next.provider = credential.provider }
            return next
        } catch {
            throw error.located(provider: credential.provider).attaching(credential)
        }
    }

    /// Removes an identity from the user. An identity that is already gone is a success.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if there is no endpoint for it,
    ///   `requiresRecentSignIn` if the server requires it, `lastProvider` if it is the last identity.
    public func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.unlink, "unlink")
            let body = endpoint.namesProvider ? nil : contract.body(for: provider)
            let response = try await channel.send(
                to: endpoint, of: provider, body: body, accessToken: session.accessToken)
            if let now = try await reloaded(session, after: response, from: endpoint),
                !now.user.providers.isEmpty, !now.user.providers.contains(where: { $0.id == provider })
            {
                return now
            }
            return try changed(session, by: response, to: .change)
        } catch {
            throw error.located(provider: provider)
        }
    }

    /// Confirms the user's identity again.
    ///
    /// - Returns: The session, with the answer's user and tokens if it has some. A 204 without either is an answer,
    ///   too.
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if there is no endpoint for it or no route for
    ///   the provider, `credentialInUse` if the server says so or answers with another user, `invalidResponse` if the
    ///   answer has tokens without a user: the credential, and so the tokens, may be another user's.
    public func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError)
        -> AuthSession
    {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.reauthenticate, "reauthenticate")
            try checkRoute(for: credential.provider)
            let body = try contract.body(for: credential, to: endpoint)
            let response = try await channel.send(
                to: endpoint, of: credential.provider, body: body, accessToken: session.accessToken)
            return try changed(session, by: response, to: .reauthentication)
        } catch {
            throw error.located(provider: credential.provider).attaching(credential)
        }
    }

    /// Returns the session after a change, with the answer's user and tokens or its own.
    private func changed(
        _ session: AuthSession, by response: AuthHTTPResponse, to operation: ServerErrorResponse.Operation
    ) throws(AuthError) -> AuthSession {
        guard contract.isSuccess(response) else {
            throw ServerErrorResponse(response, to: operation, by: contract).error
        }
        var next = session
        next.isNewUser = false
        // No other empty answer is the server's: intermediaries answer 200 without a body as well.
        let isSilent = operation == .reauthentication && response.status == 204 && response.body.isEmpty
        guard !isSilent else { return next }
        let answer = try ServerResponse(response, by: contract, hasTokens: false)
        let mayOmitUser = operation == .reauthentication && answer.tokens == nil
        guard let user = answer.user ?? (mayOmitUser ? session.user : nil) else {
            throw contract.missingUser
        }
        guard user.id == session.user.id else {
            throw operation == .reauthentication
                ? AuthError(
                    .credentialInUse, "The credential is another user's. Sign in as them, or ask for this user's own.",
                    conflict: AuthConflict())
                : AuthError(.invalidResponse, "The answer is another user's session; it is not kept.")
        }
        next.user = user
        guard answer.tokens != nil else { return next }
        next = try self.session(of: answer, user, from: session.provider, session.refreshToken)
        next.isNewUser = false
        return next
    }
}
