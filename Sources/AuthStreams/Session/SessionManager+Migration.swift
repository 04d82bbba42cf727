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
        let begun = try? await beginMigration(of: legacy, in: read { $0.generation })
        return begun ?? transition { machine, _ in machine.sharedMigration() }
    }

    /// The server refuses the migration: ends it in memory and in the store.
    func migrationRejected(_ request: MigrationRequest, _ reason: SignOutReason, because error: AuthError) async {
        // If the store fails, the write is retried automatically.
        if transition({ $0.migrationRejected(request, reason, because: error, at: $1.uptime) }) {
            try? await persistPending()
        }
    }

    /// - Parameter isFoundAtLaunch: Whether the app was asked for it at launch, which ends once any process has taken it over.
    /// - Returns: `nil` when it did not begin: the generation is over, or another process was first.
    /// - Throws: `storage` or `storageLocked` when it cannot be read whether any process took it over.
    func beginMigration(
        of legacy: LegacySession, in generation: UInt64, isFoundAtLaunch: Bool = false
    ) async throws(AuthError) -> SharedOperation<AuthUser?>? {
        try await writing { () async throws(AuthError) in
            var markFailure: AuthError?
            // Not written and removed again: after a crash in between, the session would be restored.
            let writing = await replaceRecord(following: true) {
                // After the record was read: a process that signs out marks first, and then removes the record.
                guard isFoundAtLaunch else { return true }
                do throws(AuthError) { return try await migrationStatus() == nil } catch { markFailure = error }
                return false
            } _: {
                $0.migrationRecord(of: legacy, in: generation, at: $1.date).map { (NextRecord.record($0), ()) }
            }
            if let markFailure { throw markFailure }
            guard case (_, let failure)? = writing.decided else { return nil }
            // Without the record it is not known what another process has decided, so it is read again.
            if isFoundAtLaunch, let failure, read({ $0.storage.observed == nil }) { throw failure }
            // The person may have signed out meanwhile, and that write follows.
            guard let outcome = transition({ $0.migrationBegan(legacy, in: generation, failure, at: $1.uptime) }) else {
                return nil
            }
            // Otherwise a sign-out would be undone at the next launch, while the other SDK still has its copy.
            if failure == nil { try? await markAdopted() }
            return outcome
        }
    }

    // MARK: Its requests

    /// Prepares the request of a migration: marks the record before a token is sent whose answer can be lost.
    ///
    /// - Returns: `nil` when the migration is over.
    func prepare(_ request: MigrationRequest, _ rule: RefreshTokenRule) async -> MigrationRequest? {
        while let present = read({ $0.migrationRequest(at: request.startedAt) }),
            present.generation == request.generation
        {
            // Another process may have written meanwhile, which is known then.
            if await mark(.sent, for: present, rule) { return present }
        }
        return nil
    }

    /// The request of a migration failed. A terminal rejection ends it and clears the store, before callers learn of it.
    ///
    /// - Returns: What callers learn.
    func migrationRequestFailed(
        _ request: MigrationRequest, with error: AuthError, _ rule: RefreshTokenRule, _ lock: SessionStoreLock?
    ) async -> AuthError {
        if let reason = error.classification.sessionEnd(afterRepeat: request.isRepeat) {
            try? await synchronize()
            let (token, foreignRecords) = (request.legacy.refreshToken, request.foreignRecords)
            if rule == .singleUse, let lock, !lock.isHeld,
                read({ $0.mayBeUsedElsewhere(token, since: foreignRecords, refused: reason) })
            {
                return .usedElsewhere
            }
            if reason == .deleted, let user = request.legacy.user { await LastSignIns(manager: self).forget(user.id) }
            await migrationRejected(request, reason, because: error)
        } else if !request.isRepeat, !error.classification.isOutcomeUnknown {
            _ = await mark(.clear, for: request, rule)
        }
        return error
    }

    /// Marks whether the token was sent. A mark that cannot be stored is remembered: the other SDK has its copy still.
    ///
    /// - Returns: `false` when another session or record is present by now.
    private func mark(
        _ journal: RefreshJournal, for request: MigrationRequest, _ rule: RefreshTokenRule
    ) async -> Bool {
        guard rule == .singleUse else { return true }
        do throws(AuthError) {
            return try await writeMark(journal, in: request.generation, after: request.foreignRecords)
        } catch {
            transition { machine, _ in machine.markInMemory(journal, in: request.generation) }
            return true
        }
    }

    // MARK: What is stored of it

    /// The stored progress of the migration from another SDK.
    enum MigrationStatus: String {
        /// The session was taken over, or is older than one that ended here. The app is not asked for it again.
        case adopted = "taken"
        /// The other SDK has discarded its copy, too.
        case discarded = "released"

        init(reading data: Data) { self = Self(rawValue: String(decoding: data, as: UTF8.self)) ?? .adopted }
    }

    /// Reads the status; `nil` if no session was taken over.
    func migrationStatus() async throws(AuthError) -> MigrationStatus? {
        try await store.read(.adoption).data.map(MigrationStatus.init(reading:))
    }

    /// Stores that the app is not asked for the session of another SDK again.
    func markAdopted() async throws(AuthError) {
        try await store.update(.adoption) { $0 = $0 ?? Data(MigrationStatus.adopted.rawValue.utf8) }
    }

    /// Makes the other SDK discard its copy of a session that is stored here, or is over.
    func discardLegacySession() async {
        guard let migration, !isInsideMigrationClosure else { return }
        await launchMutex.run {
            // A failure is retried at the next launch.
            guard (try? await migrationStatus()) == .adopted, (try? await calling(migration.discard)) != nil else {
                return
            }
            try? await store.update(.adoption) { $0 = Data(MigrationStatus.discarded.rawValue.utf8) }
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
