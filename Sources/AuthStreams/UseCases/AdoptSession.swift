/// The use case 'adopt': takes over a session that another SDK left behind, without signing anyone out.
///
/// The refresh token is stored first. Then the server is asked for a session with it, until it answers. Only a terminal rejection
/// ends the adoption.
public struct AdoptSession: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager) {
        self.repository = repository
        self.manager = manager
    }

    /// Takes a session over when iterated. If a user is signed in, it does nothing and ends with that user.
    ///
    /// While the store fails, the server cannot be reached or its response is not understood, the request is retried after 1 s, 2 s,
    /// 4 s … up to a minute, or after the server's `Retry-After`, from a second to an hour. Cancelling ends the waiting. The session
    /// stays stored and is resumed at the next launch. Until then the state is signed out, unless `user` was given. A newer session
    /// supersedes one whose user is not known. Under ``RefreshPolicy/onDemand`` the request is not retried: the stream ends with the
    /// error, and the next caller that needs the session sends it again.
    ///
    /// The stream's errors: `invalidCredential`, before anything is sent, for a malformed token, and when the session turns
    /// out to be another user's; `userNotFound`, `userDisabled` or `sessionExpired`: it is over; `storage` when the store cannot be read; or
    /// an error that a retry does not fix, after which the session is still stored.
    public func callAsFunction(_ legacy: LegacySession) -> AuthStream<AuthUser> {
        AuthStream { () async throws(AuthError) in
            try legacy.validate()
            _ = try await manager.restore(isRetry: true)
            let shared = await manager.beginMigration(of: legacy)
            guard let user = try await settle(shared) else { throw .over(manager.state) }
            return user
        }
    }

    /// Resumes an adoption that an earlier launch or the manager began; without one it does nothing.
    ///
    /// The element is the user who is signed in then. The stream's errors are those of an adoption.
    public func callAsFunction() -> AuthStream<AuthUser?> {
        AuthStream { () async throws(AuthError) in
            await manager.discardLegacySession()
            return try await settle(manager.transition { machine, _ in machine.sharedMigration() })
        }
    }

    /// Waits for the outcome of the adoption, which is the same for all callers; one of them asks the server.
    private func settle(_ shared: SharedOperation<AuthUser?>?) async throws(AuthError) -> AuthUser? {
        guard let shared else { return manager.session?.user }
        manager.transition { machine, _ in machine.migrationCallerCame() }
        defer { manager.transition { machine, _ in machine.migrationCallerLeft() } }
        let outcome = await shared.result {
            do throws(AuthError) { return .success(try await askUntilDecided()) } catch { return .failure(error) }
        }
        await manager.discardLegacySession()
        return try outcome.get()
    }

    private func askUntilDecided() async throws(AuthError) -> AuthUser? {
        var pause = Duration.seconds(1)
        // How often a proxy may have answered instead of the server, or the store failed.
        var doubtful = 0
        while let request = manager.migrationRequest {
            do throws(AuthError) {
                // One request at a time: no refresh token is sent by two callers at once.
                try await manager.withRefreshLock(repository.refreshTokenRule) { lock throws(AuthError) in
                    if let request = try await manager.prepare(request, repository.refreshTokenRule) {
                        try await ask(request, lock)
                    }
                }
            } catch {
                let isOfStore = error.code == .storage
                // Without a user, the launch screen shows meanwhile.
                let isDoubtful = error.code == .invalidResponse || isOfStore && request.legacy.user == nil
                let mayPass = error.isRetryable || isDoubtful || isOfStore
                // A cancellation without a cancelled task is a failure.
                if error.code != .cancelled || !Task.isCancelled {
                    manager.transition { $0.migrationFailed(request, isRetried: mayPass, error, at: $1) }
                }
                guard mayPass, !isDoubtful || doubtful < 3, manager.isOnDemand.current == nil else { throw error }
                if isDoubtful { doubtful += 1 }
                // From one second to an hour, even if the server asks for less or more.
                let wait = min(max(error.retryAfter ?? pause, .seconds(1)), .seconds(3600))
                await manager.clock.sleep(for: wait, unless: manager.isOnDemand)
                if Task.isCancelled { throw .cancelled }
                guard manager.isOnDemand.current == nil else { throw error }
                pause = min(pause * 2, .seconds(60))
            }
        }
        return manager.session?.user
    }

    private func ask(_ request: MigrationRequest, _ lock: SessionStoreLock?) async throws(AuthError) {
        let session: Session
        do throws(AuthError) {
            try lock?.requireHeld()
            session = try await repository.adopt(request.legacy)
        } catch {
            let failure = await manager.migrationRequestFailed(
                request, with: error, repository.refreshTokenRule, lock)
            throw failure.located(provider: request.legacy.provider)
        }
        guard request.legacy.user.map({ $0.id == session.user.id }) ?? true else {
            // The token belongs to another user than the one that the app named.
            await repository.revoke(session, of: manager)
            await manager.migrationRejected(request, .expired, because: .anotherUsers)
            throw .anotherUsers
        }
        do throws(AuthError) { try await manager.commit(session, migrating: request) } catch {
            await repository.revokeUnused(session, of: manager)
            throw error
        }
    }
}

extension AuthError {
    /// Why no user is signed in although the adoption has ended: a terminal rejection of another caller's request, or a sign-out.
    fileprivate static func over(_ state: AuthState) -> Self {
        switch state {
        case .signedOut(.deleted): AuthError(.userNotFound, "The account of the session to adopt is gone.")
        case .signedOut(.disabled): AuthError(.userDisabled, "The account of the session to adopt was disabled.")
        case .signedOut(.expired), .signedOut(.revoked), .signedOut(.revokedAtProvider),
            .signedOut(.refreshInterrupted):
            AuthError(.sessionExpired, "The session to adopt is over.")
        default: .superseded
        }
    }

    static var anotherUsers: Self {
        AuthError(
            .invalidCredential,
            "The refresh token belongs to another user than the one named with it. Pass a token with its own user.")
    }
}
