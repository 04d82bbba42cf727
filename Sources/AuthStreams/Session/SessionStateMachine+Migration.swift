package import Foundation

/// The migration that is present: what a request of it belongs to.
package struct MigrationRequest: Hashable, Sendable {
    package let legacy: LegacySession
    package var generation: UInt64
    let startedAt: Duration
    /// Whether the token was sent before, and that answer was lost.
    package var isRepeat: Bool
    /// How many records of other processes had been read when the request was decided.
    package var foreignRecords: UInt64 = 0

    func event(_ kind: AuthEvent.Kind, at now: Duration, failure: AuthError? = nil) -> AuthEvent {
        AuthEvent(kind, provider: legacy.provider, failure: failure, elapsed: now - startedAt)
    }
}

extension SessionStateMachine {
    /// Whether a session of another SDK may be taken over: not while a user is signed in, nor a second time while it is under
    /// way.
    func canMigrate(_ legacy: LegacySession, in generation: UInt64) -> Bool {
        generation == self.generation && session == nil && migration?.legacy.refreshToken != legacy.refreshToken
    }

    /// The record with which a migration begins; `nil` when it must not.
    ///
    /// - Parameter now: When it begins, by the device's clock.
    package func migrationRecord(
        of legacy: LegacySession, in generation: UInt64, at now: Date
    ) -> SessionRecord? {
        guard canMigrate(legacy, in: generation) else { return nil }
        // Before the first reading any record is another process's.
        if isUnread, storage.observed?.isWhole == true { return nil }
        return SessionRecord(.adoptable(legacy), isUnanswered: false, savedAt: now)
    }

    /// A migration begins: its record was written, or could not be. Where its user is known, they are signed in from here on.
    ///
    /// - Returns: The outcome that all callers share; `nil` when it must not begin.
    package mutating func migrationBegan(
        _ legacy: LegacySession, in generation: UInt64, _ failure: AuthError?, at now: Duration
    ) -> SharedOperation<AuthUser?>? {
        guard canMigrate(legacy, in: generation) else { return nil }
        enter(.migrating(Migration(legacy)))
        if failure != nil { storage.acceptObserved() }
        written(failure, at: now)
        emit(AuthEvent(.adoptionStarted, provider: legacy.provider))
        return migration?.outcome
    }

    /// The outcome of the migration under way, which all callers share; `nil` when there is none.
    mutating func sharedMigration() -> SharedOperation<AuthUser?>? {
        // A migration that stalled has an outcome, and the next caller asks again.
        updateMigration { if $0.outcome.isOver { $0.outcome = SharedOperation() } }
        return migration?.outcome
    }

    /// Whether the server is asked about the migration only when a caller needs its session.
    var isMigrationOnDemand: Bool { migration != nil && refreshPolicy == .onDemand }

    /// What the next request of the migration belongs to.
    package func migrationRequest(at now: Duration) -> MigrationRequest? {
        migration.map {
            MigrationRequest(
                legacy: $0.legacy, generation: generation, startedAt: now, isRepeat: journal == .sent,
                foreignRecords: storage.foreignRecords)
        }
    }

    /// The server could not be asked, or its answer was of no use. Nothing is lost.
    ///
    /// - Parameter isRetried: Whether asking again may help.
    package mutating func migrationFailed(
        _ request: MigrationRequest, isRetried: Bool, _ error: AuthError, at now: Timestamp
    ) {
        guard isMigrating(in: request.generation) else { return }
        let failure = Migration.Failure(error, at: now.uptime)
        updateMigration {
            $0.progress =
                isRetried
                ? .delayed(since: $0.delayedSince ?? now.date, failure) : .stalled(since: $0.delayedSince, failure)
        }
        emit(request.event(.adoptionDelayed, at: now.uptime, failure: error))
    }

    /// A terminal rejection of a migration. A sign-in under way continues.
    ///
    /// - Returns: Whether it ended the migration. Then the caller persists that.
    package mutating func migrationRejected(
        _ request: MigrationRequest, _ reason: SignOutReason, because error: AuthError, at now: Duration
    ) -> Bool {
        defer { storage.tokenConsumed(request.legacy.refreshToken) }
        guard isMigrating(in: request.generation) else { return false }
        emit(request.event(.adoptionRefused, at: now, failure: error))
        // Also where the user is not known, the reason is shown.
        if end(reason, because: error) == nil { state = .signedOut(reason) }
        storage.enqueue(.terminalRejection)
        return true
    }

    /// The session that the server gave for the migration was written, or could not be.
    ///
    /// - Parameter savedAt: The date that its record says.
    /// - Returns: Whether it counts: not after a sign-in or a sign-out.
    package mutating func migrated(
        to session: Session, savedAt: Date, _ request: MigrationRequest, _ failure: AuthError?, at now: Timestamp
    ) -> Bool {
        guard isMigrating(in: request.generation) else { return false }
        let mayHold = failure != nil && storage.mayHold(request.legacy.refreshToken)
        enter(
            .signedIn(
                ActiveSession(
                    session: session, lifetime: TokenLifetime(of: session, at: now), savedAt: savedAt,
                    isConfirmed: true)))
        emit(request.event(.adoptionSucceeded, at: now.uptime))
        written(failure, at: now.uptime) { request.event(.storageFailed, at: now.uptime, failure: $0) }
        if failure != nil {
            if mayHold, request.legacy.refreshToken != session.refreshToken {
                storage.tokenReplaced(request.legacy.refreshToken)
            } else {
                storage.tokenConsumed(request.legacy.refreshToken)
            }
        }
        learnClockSkew(from: session, at: now)
        return true
    }

    /// The answer to a migration came too late.
    package mutating func migrationSuperseded(_ request: MigrationRequest, at now: Duration) {
        storage.tokenConsumed(request.legacy.refreshToken)
        emit(request.event(.answerIgnored, at: now))
    }

    /// A caller no longer asks the server, or waits for that. Without one, the migration continues at the next launch.
    package mutating func migrationCallerLeft() {
        migrationCallers -= 1
        guard migrationCallers == 0 else { return }
        updateMigration { $0.progress = .stalled(since: $0.delayedSince, $0.failure) }
    }
}
