import AuthStreams
import Foundation

/// One process of the app: the real state machine, and how far each of its tasks has come.
///
/// The tasks are those of the session manager and the use cases, cut where they wait: for a lock, the store or the server.
struct ExploredProcess {
    var machine = SessionStateMachine()
    var launch = Launch.notStarted
    var signIn = SignInTask.none
    var refresh = RefreshTask.none
    /// The refresh that waits until the task of the one before has released the refresh mutex.
    var nextRefresh: RefreshOperation?
    var migration = MigrationTask.none
    var withdrawal = WithdrawalTask.none
    /// Whether the session of the refresh under way is over, so that its request is cancelled.
    var isRefreshSuperseded = false
    /// Whether this process holds the refresh lock, by its refresh or retained by the machine.
    var holdsLock = false
    /// Whether a sign-out or the schedule is about to write what is pending.
    var persists = false
    /// Whether the store has reported a change that was not read yet.
    var follows = false
    /// What holds the store mutex.
    var section: Section?
    /// What the events reported of the refresh that has the refresh mutex.
    var reported = RefreshReport.nothing
    /// What the last step reported.
    var events: [AuthEvent] = []
    /// What the last step broke.
    var broken: [String] = []

    enum Launch: Hashable {
        case notStarted
        case reading
        /// The store was empty. What another SDK left comes next.
        case lookingForLegacySession(generation: UInt64)
        case beginningMigration(generation: UInt64)
        /// The store was empty, and is read once more, as after asking for what another SDK left.
        case confirming(generation: UInt64)
        case done
    }

    enum SignInTask: Hashable {
        case none
        case asking(SignInOperation, user: UInt8)
        case storing(SignInOperation, Session)

        var operation: SignInOperation? {
            switch self {
            case .none: nil
            case .asking(let operation, _): operation
            case .storing(let operation, _): operation
            }
        }
    }

    enum RefreshTask: Hashable {
        case none
        case waitingForLock(RefreshOperation)
        case persisting(RefreshOperation)
        case synchronizing(RefreshOperation)
        case marking(RefreshOperation, RefreshRequest)
        case ready(RefreshOperation, RefreshRequest)
        case sent(RefreshOperation, RefreshRequest)
        case storing(RefreshOperation, RefreshRequest, Session)
        case refused(RefreshOperation, RefreshRequest)
        case persistingRefusal(RefreshOperation)
        case clearingMark(RefreshOperation, RefreshRequest)
        case persistingQueued(RefreshOperation, RefreshResult)

        var operation: RefreshOperation? {
            switch self {
            case .none: nil
            case .waitingForLock(let refresh), .persisting(let refresh), .synchronizing(let refresh): refresh
            case .persistingRefusal(let refresh): refresh
            case .marking(let refresh, _), .ready(let refresh, _), .sent(let refresh, _): refresh
            case .refused(let refresh, _), .clearingMark(let refresh, _): refresh
            case .storing(let refresh, _, _): refresh
            case .persistingQueued(let refresh, _): refresh
            }
        }

        /// The refresh token that is under way to the server.
        var sending: TokenNumber? {
            if case .sent(_, let request) = self { TokenNumber(request.session.refreshToken) } else { nil }
        }
    }

    enum RefreshReport: Hashable { case nothing, sent, ended }

    /// A caller that asks the server about a migration until it is decided.
    enum MigrationTask: Hashable {
        case none
        case waitingForLock
        case persisting
        case synchronizing
        case marking(MigrationRequest, isRepeat: Bool)
        case ready(MigrationRequest, isRepeat: Bool)
        case sent(MigrationRequest, isRepeat: Bool)
        case storing(MigrationRequest, Session)
        case persistingRefusal
        case clearingMark(MigrationRequest)
        /// Before it releases the lock.
        case persistingQueued

        /// The same, with another request.
        func map(_ change: (MigrationRequest) -> MigrationRequest) -> MigrationTask {
            switch self {
            case .marking(let request, let isRepeat): .marking(change(request), isRepeat: isRepeat)
            case .ready(let request, let isRepeat): .ready(change(request), isRepeat: isRepeat)
            case .sent(let request, let isRepeat): .sent(change(request), isRepeat: isRepeat)
            case .storing(let request, let session): .storing(change(request), session)
            case .clearingMark(let request): .clearingMark(change(request))
            case .none, .waitingForLock, .persisting, .synchronizing, .persistingRefusal, .persistingQueued: self
            }
        }

        /// The refresh token that is under way to the server.
        var sending: TokenNumber? {
            if case .sent(let request, _) = self { TokenNumber(request.legacy.refreshToken) } else { nil }
        }
    }

    /// A provider's report that the person of a session withdrew the app's access.
    enum WithdrawalTask: Hashable {
        case none
        case synchronizing(Withdrawal)
        case ending(Withdrawal)

        /// The same, with another report.
        func map(_ change: (Withdrawal) -> Withdrawal) -> WithdrawalTask {
            switch self {
            case .none: .none
            case .synchronizing(let withdrawal): .synchronizing(change(withdrawal))
            case .ending(let withdrawal): .ending(change(withdrawal))
            }
        }
    }

    struct Withdrawal: Hashable {
        var identity: ProviderIdentity
        let reportedAt: Timestamp
        /// The sign-in that it is about.
        let family: Int
    }

    enum RefreshResult: Hashable {
        case token(Secret)
        case failure(AuthError)

        var result: Result<Secret, AuthError> {
            switch self {
            case .token(let token): .success(token)
            case .failure(let error): .failure(error)
            }
        }
    }

    /// What runs inside the store mutex: a reading, or a write, which is a reading and a write over what was read.
    struct Section: Hashable {
        enum Caller: Hashable { case person, refresh, migration }
        enum Purpose: Hashable {
            case restoring(confirming: UInt64?)
            case following
            case persisting(for: Caller)
            case signIn(SignInOperation, Session)
            case removingReplacedUser
            case refreshSynchronizing
            case mark(RefreshJournal, RefreshRequest, before: RefreshJournal)
            case refreshAnswer(Session, RefreshRequest)
            case refusal(RefreshRequest)
            case beginningMigration(LegacySession, generation: UInt64)
            case migrationSynchronizing(MigrationRequest)
            case migrationMark(RefreshJournal, MigrationRequest, before: RefreshJournal)
            case migrated(Session, MigrationRequest)
            case withdrawalSynchronizing
        }
        enum Stage: Hashable {
            case reading
            /// `nil` when the reading failed.
            case read(RecordSnapshot?)
            case writing(RecordTable.Number, over: RecordVersion, isFirst: Bool)
            case written(Outcome, RecordTable.Number)
        }
        enum Outcome: Hashable {
            case unwanted
            case done
            case failed
        }

        let purpose: Purpose
        var stage = Stage.reading
        var hasBegun = false
        /// Whether another process wrote since the record was read.
        var isBaseStale = false
        /// Why the record is written, for a write that was pending.
        var reason: PendingWrite.Reason?
        /// The generation whose record is written.
        var generation: UInt64 = 0
        /// When the sign-in was committed.
        var begun: Timestamp?
        var replacement: SessionStateMachine.Replacement?
    }

    /// Whether something in memory comes next, which no other process can notice.
    var isInMemory: Bool {
        switch section?.stage {
        case .read?, .written?: true
        case .reading?, .writing?, nil: false
        }
    }

    var isRunning: Bool { launch != .notStarted }

    /// Whether a task is under way. What failed may still wait for its retry.
    var isBusy: Bool {
        launch != .done || signIn != .none || refresh != .none || nextRefresh != nil || migration != .none
            || withdrawal != .none || persists || follows || section != nil
    }

    /// Another write has made stale every version that this process knows.
    mutating func recordChanged() {
        guard isRunning else { return }
        follows = true
        forgetVersions()
    }

    mutating func forgetVersions() {
        if let accepted = machine.storage.accepted, accepted.stored.version == RecordTable.present {
            let stale = StoredRecord(data: accepted.stored.data, version: RecordTable.stale)
            machine.storage.accept(RecordSnapshot(accepted.record, as: stale))
        }
        if case .writing(let record, _, let isFirst) = section?.stage {
            section?.stage = .writing(record, over: RecordTable.stale, isFirst: isFirst)
            section?.isBaseStale = true
        }
    }
}

extension ExploredProcess: Hashable {
    /// Generations, and counts of records, are compared with the present one alone, so it is always 1 and every older one 0.
    mutating func renumberGenerations() {
        let present = machine.generation
        func renumbered(_ generation: UInt64) -> UInt64 { generation == present ? 1 : 0 }
        let foreignRecords = machine.storage.foreignRecords
        func recounted(_ records: UInt64) -> UInt64 { records == foreignRecords ? 1 : 0 }
        func renumbered(_ request: MigrationRequest) -> MigrationRequest {
            var request = request
            request.generation = renumbered(request.generation)
            request.foreignRecords = recounted(request.foreignRecords)
            return request
        }
        func renumbered(_ request: RefreshRequest) -> RefreshRequest {
            var request = request
            request.generation = renumbered(request.generation)
            request.foreignRecords = recounted(request.foreignRecords)
            return request
        }
        switch launch {
        case .lookingForLegacySession(let generation):
            launch = .lookingForLegacySession(generation: renumbered(generation))
        case .beginningMigration(let generation): launch = .beginningMigration(generation: renumbered(generation))
        case .confirming(let generation): launch = .confirming(generation: renumbered(generation))
        case .notStarted, .reading, .done: break
        }
        migration = migration.map(renumbered)
        withdrawal = withdrawal.map { withdrawal in
            var withdrawal = withdrawal
            withdrawal.identity.generation = renumbered(withdrawal.identity.generation)
            return withdrawal
        }
        switch refresh {
        case .marking(let operation, let request): refresh = .marking(operation, renumbered(request))
        case .ready(let operation, let request): refresh = .ready(operation, renumbered(request))
        case .sent(let operation, let request): refresh = .sent(operation, renumbered(request))
        case .storing(let operation, let request, let answer):
            refresh = .storing(operation, renumbered(request), answer)
        case .refused(let operation, let request): refresh = .refused(operation, renumbered(request))
        case .clearingMark(let operation, let request): refresh = .clearingMark(operation, renumbered(request))
        case .none, .waitingForLock, .persisting, .synchronizing, .persistingRefusal, .persistingQueued: break
        }
        if let section {
            let purpose: Section.Purpose =
                switch section.purpose {
                case .restoring(let generation): .restoring(confirming: generation.map(renumbered))
                case .mark(let journal, let request, let before): .mark(journal, renumbered(request), before: before)
                case .refreshAnswer(let answer, let request): .refreshAnswer(answer, renumbered(request))
                case .refusal(let request): .refusal(renumbered(request))
                case .beginningMigration(let legacy, let generation):
                    .beginningMigration(legacy, generation: renumbered(generation))
                case .migrationSynchronizing(let request): .migrationSynchronizing(renumbered(request))
                case .migrationMark(let journal, let request, let before):
                    .migrationMark(journal, renumbered(request), before: before)
                case .migrated(let session, let request): .migrated(session, renumbered(request))
                case .following, .persisting, .signIn, .removingReplacedUser, .refreshSynchronizing,
                    .withdrawalSynchronizing:
                    section.purpose
                }
            self.section = Section(
                purpose: purpose, stage: section.stage, hasBegun: section.hasBegun,
                isBaseStale: section.isBaseStale,
                reason: section.reason,
                generation: renumbered(section.generation), begun: section.begun, replacement: section.replacement)
        }
        machine.generation = 1
        machine.storage.foreignRecords = 1
    }

    static func == (first: ExploredProcess, second: ExploredProcess) -> Bool {
        first.launch == second.launch && first.signIn == second.signIn && first.refresh == second.refresh
            && first.nextRefresh == second.nextRefresh && first.reported == second.reported
            && first.withdrawal == second.withdrawal
            && first.migration == second.migration && first.machine.migrationCallers == second.machine.migrationCallers
            && first.isRefreshSuperseded == second.isRefreshSuperseded && first.holdsLock == second.holdsLock
            && first.persists == second.persists && first.follows == second.follows
            && first.section == second.section && first.machine.state == second.machine.state
            && first.machine.storage == second.machine.storage && first.machine.operations == second.machine.operations
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(launch)
        hasher.combine(signIn)
        hasher.combine(refresh)
        hasher.combine(nextRefresh)
        hasher.combine(reported)
        hasher.combine(migration)
        hasher.combine(withdrawal)
        hasher.combine(machine.migrationCallers)
        hasher.combine(isRefreshSuperseded)
        hasher.combine(holdsLock)
        hasher.combine(persists)
        hasher.combine(follows)
        hasher.combine(section)
        hasher.combine(machine.state)
        hasher.combine(machine.storage)
        hasher.combine(machine.operations)
    }
}
