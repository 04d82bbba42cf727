/// The use case 'sign out': here first, then at the server as far as it can be reached.
public struct AuthSignOut: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager) {
        self.repository = repository
        self.manager = manager
    }

    /// Ends the session when iterated. Succeeds also when no user is signed in.
    ///
    /// The state is signed out at once. Where the store was not read yet, such as in a command-line tool, the session that it holds
    /// ends, too. If the store cannot be read now, that session is ended here alone, once it can be. A later cancellation stops none
    /// of that. A sign-in under way ends.
    ///
    /// The server is told afterwards. If it cannot be reached, that is no failure, and reported as
    /// ``AuthEvent/Kind/revocationFailed``. The stream's errors: `storage` or `storageLocked` if the store could not be cleared.
    /// That is retried automatically, but a restart before it succeeds restores the session.
    public func callAsFunction() -> AuthStream<Void> {
        AuthStream(body: {
            let present = manager.transition { machine, _ in machine.signOut() }
            let outcome = await clearStore()
            // Also when the store failed: then only the server can end the session that a restart would restore.
            let unseen = manager.transition { machine, _ in machine.storage.takeUnseen() }
            if let ended = present ?? unseen { await endOnServer(ended) }
            return outcome
        })
    }

    /// Ends all sessions of the user when iterated: this one at once, as ``callAsFunction()`` does, then those on other devices.
    ///
    /// If the server could not be told, the stream fails, and this device is signed out. The stream's errors: `notSignedIn`
    /// when no user was signed in; `superseded` when a sign-in came in between, which stays; `unsupportedProvider` when the
    /// repository cannot do it; why the server could not be told, among it `sessionExpired` when a session of another SDK
    /// turns out to be another user's; or those of signing out here.
    public func everywhere() -> AuthStream<Void> {
        AuthStream(body: {
            let everywhere = SignOutEverywhere(repository: repository, manager: manager)
            do throws(AuthError) {
                let ended = try await everywhere.end()
                let outcome = await clearStore()
                guard let ended else { throw .notSignedIn }
                try await everywhere.endOnServer(ended)
                return outcome
            } catch {
                return .failure(error)
            }
        })
    }

    /// Ends the session of a person who withdrew the app's access at its provider.
    ///
    /// Ignored when another session is present by now, and while a deletion of the account is under way or was cut off: that
    /// withdraws the access itself, and ends the session when the server has deleted the account. While the store cannot say
    /// whether one was cut off, it is asked again until the task is cancelled.
    func accessRevoked(by identity: ProviderIdentity) async {
        guard manager.read({ $0.providerIdentity }) == identity else { return }
        let isOfDeletion = await manager.retryingStore { () async throws(AuthError) in
            try await DeletionJournal(manager: manager).withdrawsAccess(at: identity.provider, of: identity.user)
        }
        guard isOfDeletion == false else { return }
        // It says nothing about a later sign-in in another process.
        try? await manager.synchronize()
        guard let ended = manager.transition({ machine, _ in machine.accessRevoked(by: identity) }) else {
            return
        }
        // If the store fails, the write is retried automatically.
        _ = await clearStore()
        await endOnServer(ended)
    }

    /// Tells the server, if it can be reached. A cancelled caller does not wait, and the request is still sent.
    private func endOnServer(_ ended: AuthSession) async {
        let isSent = Promise<Void>()
        manager.outstanding.start { [repository, manager] in
            await repository.revoke(ended, of: manager)
            isSent.resolve(())
        }
        _ = await isSent.value()
    }

    private func clearStore() async -> Result<Void, AuthError> {
        let outcome: Result<Void, AuthError>
        do throws(AuthError) { outcome = .success(try await manager.persistPending()) } catch {
            outcome = .failure(error)
        }
        // The next user must not resume a deletion that this one began, nor must a page that this one left open sign in again.
        var file = NotesFile(manager)
        await file.update { notes throws(AuthError) in notes.removeUnfinished(of: notes) }
        manager.startDiscarding()
        return outcome
    }
}

/// Ends the present session and, with its tokens, all others of its user.
///
/// From then on only this type uses the session's refresh token in this process.
struct SignOutEverywhere: Sendable {
    let repository: any AuthRepository
    let manager: SessionManager

    /// Ends the session in memory.
    ///
    /// A refresh under way is waited for, since only its answer holds what the server takes from then on. A user who signs
    /// in meanwhile stays signed in. A sign-in whose session is being written at the call came before it.
    ///
    /// - Returns: `nil` when no user was signed in.
    /// - Throws: `superseded` when another user is signed in by now, or the person signed in since; nothing was ended then.
    func end() async throws(AuthError) -> EndedSession? {
        var request = manager.read { $0.signOutRequest }
        if !request.isKnown { _ = try? await manager.restore() }
        request = manager.read { [request] in $0.signOutRequest(since: request) }
        while !Task.isCancelled, let refresh = manager.read({ $0.active?.refresh.operation }) {
            _ = await refresh.outcome.value()
        }
        // The server accepts only the tokens that another process got since. A store that cannot be read is ignored.
        try? await manager.synchronize()
        return try manager.transition { $0.signedOutEverywhere(request, at: $1) }.get()
    }

    /// Tells the server.
    func endOnServer(_ ended: EndedSession) async throws(AuthError) {
        var session = ended.session
        do throws(AuthError) {
            if ended.isOver {
                session = try await renewed(ended)
            } else {
                do throws(AuthError) { return try await repository.signOutEverywhere(session) } catch {
                    // The request had no proof but the access token.
                    guard error.refusesOnlyAccessToken else { throw error }
                    session = try await renewed(ended)
                }
            }
            try await repository.signOutEverywhere(session)
        } catch {
            // An account that does not exist any more has no sessions.
            if error.code == .userNotFound { return }
            // At least this session, as far as that works: no other code holds its new tokens.
            let isRenewed = session.refreshToken != ended.session.refreshToken
            if isRenewed || error.code == .unsupportedProvider {
                await repository.revoke(session, of: manager)
            }
            throw error
        }
    }

    private func renewed(_ ended: EndedSession) async throws(AuthError) -> AuthSession {
        guard !ended.isConsumed else { throw .tokenConsumed(by: ended.session.provider) }
        let rule = repository.refreshTokenRule
        return try await manager.withRefreshLock(rule) { lock throws(AuthError) in
            // Another process may have sent the token before the sign-out removed its record.
            guard rule == .reusable || manager.read({ $0.storage.removedUnsent(ended.kept.stage) }) else {
                throw .tokenConsumed(by: ended.session.provider)
            }
            try lock?.requireHeld()
            defer { manager.transition { machine, _ in machine.storage.tokenConsumed(ended.kept.stage) } }
            let next = try await repository.renew(ended.kept, of: manager, holding: lock)
            guard ended.kept.adoptable == nil || next.user.id == ended.session.user.id else {
                await repository.revoke(next, of: manager)
                throw .anotherUsersToken
            }
            return next
        }
    }
}

extension AuthError {
    fileprivate static func tokenConsumed(by provider: ProviderID) -> Self {
        AuthError(
            .network,
            """
            The session is ended here, but its refresh token may have been sent by a refresh that was cut off or by another \
            process, so that no token is left to tell the server with. \
            Sign in again, then sign out everywhere.
            """, provider: provider)
    }
}
