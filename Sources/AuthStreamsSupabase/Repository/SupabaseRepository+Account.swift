public import AuthStreams
import Foundation

extension SupabaseRepository {
    /// Returns the session with the user as Supabase has them now: `GET user`.
    public func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            return try session.with(try AuthUser(try await gotrue.user(of: session.accessToken), names: names))
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Changes the user's name and picture in `user_metadata`: `PUT user`.
    ///
    /// The name is stored as `full_name` and `name`, the picture as `avatar_url` and `picture`. Signing in at a provider again replaces
    /// them by what the provider has.
    public func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession
    {
        do throws(AuthError) { return try await updated(session, ["data": .object(changes.metadata)]) } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Changes the user: `PUT user` (`user.go`).
    func updated(_ session: AuthSession, _ body: [String: AuthJSON]) async throws(AuthError) -> AuthSession {
        let answer = try await gotrue.send(.put, "user", body, as: session.accessToken)
        return try session.with(try AuthUser(answer.json, names: names))
    }

    /// Adds an identity to the user. An anonymous user becomes a permanent one and keeps the identifier.
    ///
    /// | credential | request | consequence |
    /// | --- | --- | --- |
    /// | an ID token | `token?grant_type=id_token` with `link_identity` | a further session of the user, whose tokens are the session's from then on. A session with a second factor keeps its own, and the further one is ended |
    /// | an address, or a number, with a password | `GET user` and `PUT user` | only for a user who has no address, or no number, or this one. `verificationRequired` with a challenge for the code that was sent, unless the project confirms none |
    /// | an address or a number | `GET user` and `PUT user` | the same |
    ///
    /// - Throws: `AuthError`; `credentialInUse` if the identity is another user's; `accountExists` if its address is. The credential of
    ///   the conflict is the attempt's ID token, which Supabase takes any number of times until it expires.
    public func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        let provider = session.provider == .anonymous ? credential.provider : session.provider
        do throws(AuthError) {
            switch try proof(of: credential) {
            case .tokens(grant: "id_token", var body):
                body["link_identity"] = true
                let tokens = try await gotrue.token("id_token", body, as: session.accessToken)
                guard tokens.userID == session.user.id else { throw .anothersAnswer }
                guard session.accessToken.hasSecondFactor else {
                    return try self.session(ofAnyLevel: tokens, from: provider)
                }
                // The further session has the first factor alone. Where a user may have one session, the newer ends the older.
                await gotrue.discard(tokens)
                return try session.with(try AuthUser(tokens.user, names: names))
            case .tokens(_, let body): return try await add(body, of: credential, to: session, provider)
            case .code(let recipient): return try await add(recipient.member, of: credential, to: session, provider)
            case .mailLink:
                throw AuthError(.unsupportedProvider, "Supabase links no mail link. Link the address by a code.")
            }
        } catch {
            // Supabase has one code for an identity of this user and of another. An answer that was lost may have linked it.
            if error.serverCode == "identity_already_exists" {
                var next = try await reload(session)
                next.provider = provider
                if next.user.has(credential) { return next }
            }
            throw error.inConflict(about: credential).asking(for: provider).located(provider: credential.provider)
        }
    }

    /// Gives an address or a number to a user.
    private func add(
        _ body: [String: AuthJSON], of credential: Credential, to session: AuthSession, _ provider: ProviderID
    ) async throws(AuthError) -> AuthSession {
        guard let recipient = credential.recipient else { return session }
        let user = try await gotrue.user(of: session.accessToken)
        guard !recipient.replacesOne(of: user) else {
            throw AuthError(
                .unsupportedProvider,
                "A user of Supabase has one address and one number, and this one has another already.")
        }
        let changed = try await gotrue.send(.put, "user", body, as: session.accessToken).json
        guard recipient.isOne(of: changed) else {
            throw GoTrue.Verification(recipient.isPhone ? .phoneChange : .emailChange, recipient).question
        }
        var next = try session.with(try AuthUser(changed, names: names))
        next.provider = provider
        return next
    }

    /// Removes an identity from the user, unless it is the last: `GET user`, `DELETE user/identities/ID` and `GET user`.
    ///
    /// Manual linking has to be enabled in Supabase's dashboard.
    ///
    /// - Throws: `AuthError`; `lastProvider` if it is the last one. An identity that is gone is a success.
    public func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let user = try await gotrue.user(of: session.accessToken)
            guard user["id"]?.text == session.user.id else { throw .anothersAnswer }
            let identity = user["identities"]?.array?.first {
                $0["provider"]?.text.map { names[$0] ?? ProviderID(rawValue: $0) } == provider
            }
            guard let id = identity?["identity_id"]?.text else {
                return try session.with(try AuthUser(user, names: names))
            }
            _ = try await gotrue.send(.delete, "user/identities/\(FormCoding.escape(id))", as: session.accessToken)
            // The user may have another address now (`models/user.go`: `UpdateUserEmailFromIdentities`).
            return try await reload(session)
        } catch {
            throw error.located(provider: provider)
        }
    }

    /// Confirms the user's identity again, by a sign-in: its session replaces this one.
    ///
    /// An ID token of an identity that the session's user has not is not sent: Supabase would make a user for it.
    ///
    /// - Throws: `AuthError`; `credentialInUse` if the credential is another user's; `secondFactorRequired` with a challenge if the user
    ///   has an authenticator app; `unsupportedProvider` for a mail link.
    public func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError)
        -> AuthSession
    {
        do throws(AuthError) {
            let provider = credential.provider
            switch try proof(of: credential) {
            case .tokens(let grant, let body):
                guard grant != "id_token" || session.user.has(credential) else { throw .anotherUsers }
                let tokens = try await aboutCredential { () throws(AuthError) in try await gotrue.token(grant, body) }
                guard tokens.userID == session.user.id else {
                    await gotrue.discard(tokens)
                    throw .anotherUsers
                }
                return try self.session(of: tokens, from: provider)
            case .code(let recipient):
                guard recipient.isOne(of: try await gotrue.user(of: session.accessToken)) else { throw .anotherUsers }
                throw try await gotrue.sendCode(to: recipient)
            case .mailLink:
                throw AuthError(.unsupportedProvider, "Confirm the identity by a code, which Supabase sends as well.")
            }
        } catch {
            throw error.asking(for: credential.provider).located(provider: credential.provider)
        }
    }

    /// Runs a sign-in whose refusals concern the credential, and possibly another user than the session's.
    private func aboutCredential<Value>(
        _ signIn: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(AuthError) { return try await signIn() } catch {
            guard error.classification.sessionEnd != nil else { throw error }
            throw AuthError(
                .invalidCredential,
                "The credential's user cannot sign in, which says nothing about the session."
            ).quotingServer(of: error)
        }
    }

    /// Returns the session after a change that gave it other tokens.
    func changed(_ session: AuthSession, by tokens: GoTrue.Tokens) throws(AuthError) -> AuthSession {
        guard tokens.userID == session.user.id else { throw .anothersAnswer }
        return try self.session(of: tokens, from: session.provider)
    }
}

extension AuthUser {
    /// Whether the identity of a provider's credential is one of the user's.
    fileprivate func has(_ credential: Credential) -> Bool {
        guard let subject = credential.idToken.flatMap({ JSONWebToken($0) })?.claims["sub"]?.text else { return false }
        return providers.contains { $0.id == credential.provider && $0.userID == subject }
    }
}

extension AuthSession {
    /// The session after a change that says nothing of it.
    var unchanged: AuthSession {
        var session = self
        session.isNewUser = false
        return session
    }

    /// Returns the session with the user as they are now.
    func with(_ user: AuthUser) throws(AuthError) -> AuthSession {
        guard user.id == self.user.id else { throw .anothersAnswer }
        var session = unchanged
        session.user = user
        return session
    }
}

extension AuthError {
    /// Returns the same error, with a conflict if it is one of two accounts.
    fileprivate func inConflict(about credential: Credential) -> Self {
        guard code == .credentialInUse || code == .accountExists else { return self }
        var usable = credential
        usable.authorizationCode = nil
        usable.password = nil
        var error = self
        error.conflict = AuthConflict(credential: usable.idToken == nil ? nil : usable)
        return error
    }
}
