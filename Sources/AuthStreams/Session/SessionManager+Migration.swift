import Foundation

extension SessionManager {
    /// The context of the next request of the migration; `nil` when there is none.
    var migrationRequest: MigrationRequest? {
        let now = clock.uptime
        return read { $0.migrationRequest(at: now) }
    }

    /// Why a session of another SDK has no access token yet; `nil` when none is being adopted.
    var adoptionError: AuthError? {
        let now = clock.uptime
        return read { $0.adoptionError(at: now) }
    }

    /// Begins to take over a session of another SDK, unless a user is signed in here.
    ///
    /// It is on disk before any reader sees it. If the store fails, the write is retried automatically.
    ///
    /// - Returns: The outcome of the migration that is under way now, which all callers share; `nil` when there is none.
    func beginMigration(of legacy: LegacySession) async -> SharedOperation<AuthUser?>? {
        await writing {
            if transition({ machine, _ in machine.migrationDecided(legacy) }) {
                try? await writePending()
            }
        }
        return transition { machine, _ in machine.sharedMigration() }
    }

    /// The server refuses the migration: ends it in memory and in the store.
    func migrationRejected(_ request: MigrationRequest, _ reason: SignOutReason, because error: AuthError) async {
        // If the store fails, the write is retried automatically.
        if transition({ $0.migrationRejected(request, reason, because: error, at: $1.uptime) }) {
            try? await persistPending()
        }
    }

    // MARK: Its requests

    /// Prepares the request of a migration: reads what other processes wrote, and marks the record before a token is sent whose
    /// answer can be lost.
    ///
    /// - Returns: `nil` when the migration is over.
    /// - Throws: `storage` or `storageLocked` when the store cannot be read or marked.
    func prepare(_ request: MigrationRequest, _ rule: RefreshTokenRule) async throws(AuthError) -> MigrationRequest? {
        for _ in 0..<StoredRecord.attempts {
            let found = try await synchronizeToReplaceTokens()
            guard var present = read({ $0.migrationRequest(at: request.startedAt) }),
                present.stage.id == request.stage.id, let found
            else { return nil }
            guard rule == .singleUse else { return present }
            guard let mark = try await mark(present.stage, isRepeat: present.isRepeat, over: found) else { continue }
            present.markVersion = mark.version
            return present
        }
        throw .recordIsBusy(.session)
    }

    /// The request of a migration failed. A terminal rejection ends it and clears the store, before callers learn of it.
    ///
    /// - Returns: What callers learn.
    func migrationRequestFailed(
        _ request: MigrationRequest, with error: AuthError, _ rule: RefreshTokenRule, _ lock: SessionStoreLock?
    ) async -> AuthError {
        if let reason = error.classification.sessionEnd(afterRepeat: request.isRepeat) {
            if await synchronizeAfterRefusal(of: request.stage, request.markVersion, reason, rule, lock) {
                return .usedElsewhere
            }
            if reason == .deleted, let user = request.legacy.user { await LastSignIns(manager: self).forget(user.id) }
            await migrationRejected(request, reason, because: error)
            // Another process has stored newer tokens of the session.
            if isPresent(request.stage.id) { return .usedElsewhere }
        } else if rule == .singleUse, !request.isRepeat, !error.classification.isOutcomeUnknown {
            await unmark(request.stage, at: request.markVersion)
        }
        return error
    }

    // MARK: What is stored of it

    /// Makes the other SDK discard its copy of a session that is stored here, or is over.
    func discardLegacySession() async {
        guard let migration, !isInsideMigrationClosure else { return }
        await launchMutex.run {
            // A failure is retried at the next launch.
            guard let found = try? await readSession() else { return }
            // A record that was removed says nothing of it.
            let history = found.record?.history ?? read { $0.storage.history }
            guard history.isAdopted, !history.isDiscarded, (try? await calling(migration.discard)) != nil else {
                return
            }
            await writing {
                for _ in 0..<StoredRecord.attempts {
                    guard let found = try? await readSession(),
                        let record = transition({ $0.legacyDiscarded(over: found, at: $1) })
                    else { return }
                    do throws(AuthError) { if try await write(record, over: found) != nil { return } } catch { return }
                }
            }
            await persistQueued()
        }
    }

    // MARK: Calling the app

    /// Asks the app for the session of another SDK.
    func legacySession(from migration: SessionMigration) async throws(AuthError) -> LegacySession? {
        do throws(AuthError) { return try await authErrors { try await calling(migration.find) } } catch {
            // A cancellation without a cancelled task is a failure: otherwise the restoration would not be retried.
            guard error.code == .cancelled, !Task.isCancelled else { throw error }
            throw AuthError(
                .storage, "The closure for the session of another SDK threw a cancellation. It is called again.")
        }
    }

    /// Whether the calling task runs a closure of `migration`, or was started by one. Restoring waits for those closures, so
    /// they can't wait for it.
    var isInsideMigrationClosure: Bool { SessionMigration.caller == ObjectIdentifier(self) }

    /// Runs a closure of `migration`.
    func calling<Value>(_ closure: @Sendable () async throws -> Value) async throws -> Value {
        try await SessionMigration.$caller.withValue(ObjectIdentifier(self)) { try await closure() }
    }
}

extension LegacySession {
    /// Checks the token's form: visible characters and spaces, at least one visible (RFC 6749 appendix A.17).
    ///
    /// - Throws: `invalidCredential`.
    func validate() throws(AuthError) {
        let bytes = refreshToken.reveal().utf8
        guard bytes.contains(where: { $0 != 0x20 }), bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AuthError(
                .invalidCredential,
                "The refresh token to adopt is empty or has characters that no token has. Pass it as the other SDK stored it.",
                provider: provider)
        }
    }
}
