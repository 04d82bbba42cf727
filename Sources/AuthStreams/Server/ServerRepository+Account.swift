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
            let endpoint =
                credential.provider == .passkey
                ? try ServerContract.endpoint(contract.passkeyRegistration, "passkeyRegistration")
                : try ServerContract.endpoint(contract.link, "link")
            try checkRoute(for: credential.provider)
            let body = try contract.body(for: credential, to: endpoint)
            let exchange = try await channel.send(
                to: endpoint, of: credential.provider, body: body, accessToken: session.accessToken)
            var next = try changed(session, by: exchange, to: .link)
            if next.provider == .anonymous { next.provider = credential.provider }
            return next
        } catch {
            throw error.asked(by: .link, of: credential.provider).located(provider: credential.provider)
                .attaching(credential)
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
            let exchange = try await channel.send(
                to: endpoint, of: provider, body: body, accessToken: session.accessToken)
            if let now = try await reloaded(session, after: exchange, from: endpoint),
                !now.user.providers.isEmpty, !now.user.providers.contains(where: { $0.id == provider })
            {
                return now
            }
            return try changed(session, by: exchange, to: .change)
        } catch {
            throw error.asked(by: .change, of: provider).located(provider: provider)
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
            let exchange = try await channel.send(
                to: endpoint, of: credential.provider, body: body, accessToken: session.accessToken)
            return try changed(session, by: exchange, to: .reauthentication, on204: .isDone)
        } catch {
            throw error.asked(by: .reauthentication, of: credential.provider).located(provider: credential.provider)
                .attaching(credential)
        }
    }

    /// What 204 without a body says of a change.
    enum Empty204 { case isDone, isIncomplete }

    /// Returns the session after a change, with the answer's user and tokens or its own.
    func changed(
        _ session: AuthSession, by exchange: ServerExchange, to operation: ServerErrorResponse.Operation,
        on204 empty: Empty204 = .isIncomplete
    ) throws(AuthError) -> AuthSession {
        try contract.requireSuccess(of: exchange, to: operation)
        var next = session
        next.isNewUser = false
        if empty == .isDone, exchange.response.isEmpty204 { return next }
        let answer = try ServerResponse(exchange, to: .change, by: contract, of: session.user)
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

    /// Returns the session with the user as the server has them now.
    ///
    /// - Throws: ``AuthError``; `unsupportedProvider` before any request if there is no endpoint for it,
    ///   `invalidResponse` if the answer is another user, `invalidCredential` if the access token is refused.
    public func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let endpoint = try ServerContract.endpoint(contract.reload, "reload")
            let user = try await user(at: endpoint, session.accessToken, session.user)
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
        _ session: AuthSession, after answer: ServerExchange, from endpoint: ServerContract.Endpoint
    ) async throws(AuthError) -> AuthSession? {
        let isGone = [404, 410].contains(answer.response.status) && ProblemDetails(answer)?.name == nil
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
            let exchange = try await channel.send(
                to: endpoint, body: contract.body(for: changes), accessToken: session.accessToken)
            if let user = try changedUser(of: session, in: exchange) { return try session.with(user) }
            guard contract.reload != nil else { throw contract.missingUser }
            return try await reload(session)
        } catch {
            throw error.asked(by: .change, of: session.provider).located(provider: session.provider)
        }
    }

    /// Returns the user in the answer to a profile change; `nil` if it only says that it is done.
    private func changedUser(of session: AuthSession, in exchange: ServerExchange) throws(AuthError) -> AuthUser? {
        try contract.requireDone(exchange, to: .change)
        return exchange.response.status == 204 ? nil : try contract.reloadedUser(in: exchange, session.user)
    }

    /// Returns the user that comes with a new session: that of the answer, otherwise the known one, otherwise the one that
    /// the server names for the new access token.
    ///
    /// - Throws: `invalidResponse` if no user is named.
    func user(of answer: ServerResponse, orElse known: AuthUser?) async throws(AuthError) -> AuthUser {
        if let user = answer.user ?? known { return user }
        guard let tokens = answer.tokens, let endpoint = contract.reload else { throw contract.missingUser }
        do throws(AuthError) { return try await user(at: endpoint, tokens.access, nil) } catch {
            guard error.refusesOnlyAccessToken || error.code == .sessionExpired else { throw error }
            // The token was just issued, so the refusal concerns neither the credential nor another session.
            throw AuthError(
                .misconfigured,
                "The server refused the access token that it had just issued. Check the contract's `reload`."
            ).quotingServer(of: error)
        }
    }

    private func user(
        at endpoint: ServerContract.Endpoint, _ accessToken: Secret, _ known: AuthUser?
    ) async throws(AuthError) -> AuthUser {
        let exchange = try await channel.send(to: endpoint, accessToken: accessToken)
        try contract.requireSuccess(of: exchange, to: .reload)
        guard let user = try contract.reloadedUser(in: exchange, known) else {
            let name = contract.session.reloadedUser ?? contract.session.user
            throw .badMember(contract.path(name.isEmpty ? contract.user.id : name), "is missing")
        }
        return user
    }
}

extension ServerContract {
    /// Returns the user in the answer to a reload or a profile change.
    fileprivate func reloadedUser(
        in exchange: ServerExchange, _ known: AuthUser?
    ) throws(AuthError) -> AuthUser? {
        try user(at: session.reloadedUser ?? session.user, of: try payload(of: exchange), known)
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

extension AuthUser {
    /// Reads a user by a contract's names. Only the identifier is required; a member of another type is left out.
    ///
    /// - Parameter known: The same user, whose members stay where `value` has none. Null and an empty string are a member:
    ///   the user has no such value any more.
    init(id: String, _ value: AuthJSON, by contract: ServerContract, updating known: AuthUser?) {
        func member<Value>(_ path: String, orElse kept: Value?, _ read: (AuthJSON) -> Value?) -> Value? {
            switch value.member(at: path) {
            case nil: kept
            case .null, .string(""): nil
            case let member?: read(member) ?? kept
            }
        }
        let names = contract.user
        self.init(
            id: id, email: member(names.email, orElse: known?.email, \.text),
            isEmailVerified: member(names.emailVerified, orElse: known?.isEmailVerified, \.lenientBool) ?? false,
            displayName: member(names.displayName, orElse: known?.displayName, \.text),
            photoURL: member(names.photoURL, orElse: known?.photoURL) { $0.text.flatMap(URL.init(string:)) },
            providers: member(names.providers, orElse: known?.providers) { identities in
                identities.array?.compactMap { LinkedProvider($0, by: contract) }
            } ?? [],
            isAnonymous: member(names.isAnonymous, orElse: known?.isAnonymous, \.lenientBool) ?? false,
            claims: contract.claims(of: value, orElse: known?.claims))
    }
}

extension ServerContract {
    /// Returns the claims of a user, without the tokens that may stand among its members.
    ///
    /// - Parameter known: The claims that stay where the user has none. With an empty path the members of the user are the
    ///   claims, and those that it does not mention stay.
    fileprivate func claims(of value: AuthJSON, orElse known: [String: AuthJSON]?) -> [String: AuthJSON] {
        let claims: [String: AuthJSON]
        switch value.member(at: user.claims) {
        case nil: return known ?? [:]
        case .null, .string(""): return [:]
        case .object(let members) where user.claims.isEmpty: claims = (known ?? [:]).merging(members) { $1 }
        case .object(let members): claims = members
        default: return known ?? [:]
        }
        let tokens = Set([session.user, session.reloadedUser ?? session.user].flatMap(tokenNames))
        return claims.filter { !tokens.contains($0.key) }
    }

    /// Returns the names of the claims that lead to a token, for a user at a path.
    private func tokenNames(inUserAt path: String) -> [String] {
        let place = [path, user.claims].flatMap { $0.split(separator: ".") }
        return [session.accessToken, session.refreshToken].compactMap { token in
            guard case .member(let path) = token else { return nil }
            let names = path.split(separator: ".")
            return names.starts(with: place) ? names.dropFirst(place.count).first.map(String.init) : nil
        }
    }
}

extension AuthUser.LinkedProvider {
    fileprivate init?(_ value: AuthJSON, by contract: ServerContract) {
        let names = contract.user
        guard let id = value.member(at: names.providerID)?.text else { return nil }
        self.init(
            id: contract.provider(named: id), userID: value.member(at: names.providerUserID)?.text,
            email: value.member(at: names.providerEmail)?.text)
    }
}
