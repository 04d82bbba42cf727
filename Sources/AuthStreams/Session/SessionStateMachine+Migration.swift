import Foundation

/// The migration that is present: what a request of it belongs to.
package struct MigrationRequest: Hashable, Sendable {
    package let stage: KeptSession.Stage
    package let legacy: LegacySession
    let startedAt: Duration
    /// Whether the token was sent before, and that answer was lost.
    package var isRepeat: Bool
    /// The version of the record that says that the token is sent; `nil` where none does.
    package var markVersion: RecordVersion?

    func event(_ kind: AuthEvent.Kind, at now: Duration, failure: AuthError? = nil) -> AuthEvent {
        AuthEvent(kind, provider: legacy.provider, failure: failure, elapsed: now - startedAt)
    }
}

extension SessionStateMachine {
    /// A session of another SDK is to be taken over. It is shown once it is stored, or the store has failed.
    ///
    /// - Parameter found: The record that was read before, if the app was asked at launch.
    /// - Returns: Whether it is to be stored: not while a user is signed in, nor a second time while it is under way, nor at a
    ///   launch where the person signed in or out meanwhile.
    package mutating func migrationDecided(_ legacy: LegacySession, after found: RecordSnapshot? = nil) -> Bool {
        guard found == nil || isUnread, session == nil, storage.pending?.next == nil,
            migration?.legacy.refreshToken != legacy.refreshToken
        else { return false }
        var id = SessionID(adopting: legacy)
        // A session of the same token ended here, and the app asks for it all the same.
        if found == nil, storage.history.ended.contains(id) { id = .random() }
        if let found { storage.read(found) }
        let next = KeptSession(.adoptable(legacy), at: KeptSession.Stage(id: id), isFoundAtLaunch: found != nil)
        // Also at a launch, where the state is still restoring, the record was read before.
        storage.decide(PendingWrite(.adoption, ending: [], next: next), over: kept?.id)
        if found != nil { storage.beginWriting() }
        return true
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
                stage: $0.stage, legacy: $0.legacy, startedAt: now, isRepeat: $0.isSent)
        }
    }

    /// The server could not be asked, or its answer was of no use. Nothing is lost.
    ///
    /// - Parameter isRetried: Whether asking again may help.
    package mutating func migrationFailed(
        _ request: MigrationRequest, isRetried: Bool, _ error: AuthError, at now: Timestamp
    ) {
        guard isMigrating(request.stage.id) else { return }
        let failure = Migration.Failure(error, at: now.uptime)
        updateMigration {
            $0.progress =
                isRetried
                ? .delayed(since: $0.delayedSince ?? now.date, failure) : .stalled(since: $0.delayedSince, failure)
        }
        emit(request.event(.adoptionDelayed, at: now.uptime, failure: error))
    }

    /// The server gave a session for the migration. It is shown once it is stored, or the store has failed.
    ///
    /// - Returns: Whether it is to be stored: not after a sign-in or a sign-out.
    package mutating func migrationAnswered(
        _ session: Session, to request: MigrationRequest, at now: Timestamp
    ) -> Bool {
        guard let migration, migration.stage == request.stage,
            storage.pending.map({ $0.next?.id == request.stage.id }) ?? true
        else { return false }
        var next = migration.kept
        (next.content, next.savedAt, next.isSent) = (.established(session), now.date, false)
        next.stage.revision += 1
        replacePresent(by: next, .tokens)
        return true
    }

    /// The session that the server gave for the migration was handled.
    ///
    /// - Returns: Whether it is present: not after a sign-in or a sign-out.
    package mutating func migrationSettled(_ request: MigrationRequest, at now: Duration) -> Bool {
        guard active?.stage.id == request.stage.id else {
            storage.tokenConsumed(request.stage)
            emit(request.event(.answerIgnored, at: now))
            return false
        }
        emit(request.event(.adoptionSucceeded, at: now))
        return true
    }

    /// The other SDK has discarded its copy of a session.
    ///
    /// - Parameter found: The record. What another process wrote into it is taken over, since it counts as known once it is
    ///   written.
    /// - Returns: The record that says so; `nil` where it says so already, or must not be written.
    mutating func legacyDiscarded(over found: RecordSnapshot, at now: Timestamp) -> SessionRecord? {
        guard !isUnread, case .success = observed(found, at: now), var record = found.record,
            !record.history.isDiscarded
        else { return nil }
        record.history.isDiscarded = true
        return record
    }

    /// A caller asks the server, or waits for that.
    package mutating func migrationCallerCame() { migrationCallers += 1 }

    /// A caller no longer asks the server, or waits for that. Without one, the migration continues at the next launch.
    package mutating func migrationCallerLeft() {
        migrationCallers -= 1
        guard migrationCallers == 0 else { return }
        updateMigration { $0.progress = .stalled(since: $0.delayedSince, $0.failure) }
    }
}
