import AuthStreams
import Foundation

/// What the launch and the use case 'adopt' do in memory between two steps that take time.
extension ExploredProcess {
    /// The session of another SDK was stored, or another process was first, or the store failed.
    mutating func adopted(at now: Timestamp) {
        if machine.isUnread { launch = .showing } else { endLaunch() }
    }

    /// Begins the task that asks the server, if there is a migration.
    mutating func resumeMigration() {
        guard machine.migration != nil, migration == .none else { return }
        machine.migrationCallerCame()
        migration = .waitingForLock
    }

    mutating func synchronizedMigration(_ found: RecordSnapshot?, at now: Timestamp) {
        guard let found else { return storeFailedMigration(at: now) }
        guard let request = machine.migrationRequest(at: .zero) else { return leaveMigration(at: now) }
        migration = .marking(request, over: found)
    }

    /// - Parameter mark: As the manager's `mark` returns it; the outermost `nil` for a failure.
    mutating func markedMigration(_ mark: RecordVersion???, at now: Timestamp) {
        guard case .marking(var request, _) = migration else { return }
        switch mark {
        case nil: storeFailedMigration(at: now)
        case .some(nil): migration = .synchronizing
        case .some(.some(let version)):
            request.markVersion = version
            migration = .ready(request)
        }
    }

    mutating func refused(_ request: MigrationRequest, isRead: Bool, in world: inout SharedWorld) {
        guard let reason = AuthError.refused.classification.sessionEnd(afterRepeat: request.isRepeat) else { return }
        let now = world.now
        if lock == .lost,
            machine.mayBeUsedElsewhere(
                request.stage, markedAt: request.markVersion, refused: reason, isRead: isRead)
        {
            return failedMigration(request, at: now)
        }
        let before = machine
        if machine.migrationRejected(request, reason, because: .refused, at: now.uptime) {
            judgeRefusal(before, in: &world)
            migration = .persistingRefusal
        } else {
            leaveMigration(at: now)
        }
    }

    /// The record could not be read or marked, so nothing is sent. The caller asks again.
    private mutating func storeFailedMigration(at now: Timestamp) {
        if let request = machine.migrationRequest(at: .zero) {
            machine.migrationFailed(request, isRetried: true, .storeFailed, at: now)
        }
        leaveMigration(at: now)
    }

    /// The server was not asked, or its answer was lost. The caller asks again.
    mutating func failedMigration(_ request: MigrationRequest, at now: Timestamp) {
        machine.migrationFailed(request, isRetried: true, .unreachable, at: now)
        leaveMigration(at: now)
    }

    /// Leaves the section that the refresh lock guards, and asks again unless the migration is decided.
    mutating func leaveMigration(at now: Timestamp) {
        guard !machine.storage.isUnderWay else {
            migration = .persistingQueued
            return
        }
        endMigrationTurn()
    }

    private mutating func endMigrationTurn() {
        retainLock()
        if machine.migration != nil {
            migration = .waitingForLock
        } else {
            machine.migrationCallerLeft()
            migration = .none
        }
    }

    mutating func persistedForMigration(at now: Timestamp) {
        switch migration {
        case .persisting: migration = .synchronizing
        case .persistingQueued: endMigrationTurn()
        default: leaveMigration(at: now)
        }
    }
}

/// What a change of the account does in memory between two steps that take time.
extension ExploredProcess {
    mutating func synchronizedChange(_ isRead: Bool, at now: Timestamp) {
        guard case .synchronizing(let change) = change else { return }
        guard isRead, !isChangeInterrupted, let request = machine.request(),
            request.session.user.id == SharedWorld.user(change.user), request.session.accessToken == change.token
        else { return leaveChange(at: now) }
        self.change = .ready(change, request)
    }

    /// Leaves the section that the refresh lock guards.
    mutating func leaveChange(at now: Timestamp) {
        guard let change = change.change else { return }
        if machine.storage.isUnderWay {
            self.change = .persistingQueued(change)
        } else {
            endChange(change, at: now)
        }
    }

    private mutating func endChange(_ change: Change, at now: Timestamp) {
        retainLock()
        _ = machine.changeEnded(change.operation, .unreachable, at: now.uptime)
        self.change = .none
        isChangeInterrupted = false
    }

    mutating func persistedForChange(at now: Timestamp) {
        switch change {
        case .persisting(let change): self.change = .synchronizing(change)
        case .persistingQueued(let change): endChange(change, at: now)
        default: leaveChange(at: now)
        }
    }
}
