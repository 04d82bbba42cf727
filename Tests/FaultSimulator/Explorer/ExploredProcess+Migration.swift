import AuthStreams
import Foundation

/// What the use case 'adopt' does in memory between two steps that take time.
extension ExploredProcess {
    /// Begins the task that asks the server, if there is a migration.
    mutating func resumeMigration() {
        guard machine.migration != nil, migration == .none else { return }
        machine.migrationCallers += 1
        migration = .waitingForLock
    }

    mutating func beganMigration(
        _ legacy: LegacySession, in generation: UInt64, _ outcome: Section.Outcome, isBaseStale: Bool,
        in world: inout SharedWorld
    ) {
        let failure: AuthError? = outcome == .failed ? .storeFailed : nil
        if let failure, machine.storage.observed == nil {
            machine.restoreFailed(failure, of: generation, isRetry: false, at: world.now.uptime, since: .zero)
            launch = .reading
            return
        }
        guard outcome != .unwanted,
            machine.migrationBegan(legacy, in: generation, failure, at: world.now.uptime) != nil
        else {
            launch = .confirming(generation: generation)
            return
        }
        if failure == nil { world.isAdopted = true }
        if failure != nil, isBaseStale { forgetVersions() }
        launch = .done
        resumeMigration()
    }

    mutating func synchronizedMigration(
        _ request: MigrationRequest, _ snapshot: RecordSnapshot?, at now: Timestamp
    ) {
        guard let snapshot else {
            machine.migrationFailed(request, isRetried: true, .storeFailed, at: now)
            return leaveMigration(at: now)
        }
        takeOver(snapshot, at: now)
        prepareMigration(request, at: now)
    }

    private mutating func prepareMigration(_ request: MigrationRequest, at now: Timestamp) {
        guard let present = machine.migrationRequest(at: .zero), present.generation == request.generation else {
            return leaveMigration(at: now)
        }
        migration = .marking(present, isRepeat: present.isRepeat)
    }

    mutating func markedMigration(
        _ journal: RefreshJournal, _ request: MigrationRequest, _ before: RefreshJournal, _ outcome: Section.Outcome,
        in world: inout SharedWorld
    ) {
        let now = world.now
        let generation = request.generation
        switch outcome {
        case .done: machine.written(in: generation)
        case .unwanted:
            // Another process wrote meanwhile, which is known now.
            if case .marking = migration { return prepareMigration(request, at: now) }
        case .failed:
            machine.markFailed(journal, before: before, in: generation, .storeFailed, at: now.uptime)
            machine.markInMemory(journal, in: generation)
            // The other SDK has its copy, so the token is sent although its mark is in memory alone.
            world.families[0].wasStoredAgain = true
        }
        if case .clearingMark = migration { return failedMigration(request, at: now) }
        guard case .marking(_, let isRepeat) = migration, machine.isMigrating(in: generation) else {
            return leaveMigration(at: now)
        }
        migration = .ready(request, isRepeat: isRepeat)
    }

    mutating func storedMigration(
        _ session: Session, _ request: MigrationRequest, _ outcome: Section.Outcome, at now: Timestamp
    ) {
        let failure: AuthError? = outcome == .failed ? .storeFailed : nil
        if outcome == .unwanted || !machine.migrated(to: session, savedAt: now.date, request, failure, at: now) {
            machine.migrationSuperseded(request, at: now.uptime)
        }
        leaveMigration(at: now)
    }

    mutating func refusedMigration(_ request: MigrationRequest, isRepeat: Bool, at now: Timestamp) {
        guard let reason = AuthError.refused.classification.sessionEnd(afterRepeat: isRepeat) else { return }
        let isEnded = machine.migrationRejected(request, reason, because: .refused, at: now.uptime)
        if isEnded, machine.storage.pending != nil {
            migration = .persistingRefusal
        } else {
            leaveMigration(at: now)
        }
    }

    /// The server was not asked, or its answer was lost. The caller asks again.
    mutating func failedMigration(_ request: MigrationRequest, at now: Timestamp) {
        machine.migrationFailed(request, isRetried: true, .unreachable, at: now)
        leaveMigration(at: now)
    }

    /// Leaves the section that the refresh lock guards, and asks again unless the migration is decided.
    mutating func leaveMigration(at now: Timestamp) {
        guard !machine.storage.isQueued else {
            migration = .persistingQueued
            return
        }
        holdsLock = machine.storage.retain(StepList.lock)
        if machine.migration != nil {
            migration = .waitingForLock
        } else {
            machine.migrationCallerLeft()
            migration = .none
        }
    }

    mutating func persistedForMigration(at now: Timestamp) {
        if migration == .persisting { migration = .synchronizing } else { leaveMigration(at: now) }
    }
}
