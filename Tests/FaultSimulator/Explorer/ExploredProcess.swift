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
    var change = ChangeTask.none
    var everywhere = EverywhereTask.none
    /// The session of a sign-in that was committed after the sign-out everywhere had been asked for.
    var committedSince: Int?
    var withdrawal = WithdrawalTask.none
    /// Whether the session of the refresh under way is over, so that its request is cancelled.
    var isRefreshSuperseded = false
    /// Whether the change of the account is to stop.
    var isChangeInterrupted = false
    /// The refresh lock, which a task or the machine has.
    var lock = RefreshLock.none
    /// Whether a sign-out or the schedule is about to write what is pending.
    var persists = false
    /// Whether the store has reported a change that was not read yet.
    var follows = false
    /// What holds the store mutex.
    var section: Section?
    /// What the events reported of the refresh that has the refresh mutex.
    var reported = RefreshReport.nothing
    /// What the judge knows of the decisions of this process.
    var judged = Judged()
    /// What the last step reported.
    var events: [AuthEvent] = []
    /// What the last step broke.
    var broken: [String] = []

    enum Launch: Hashable {
        case notStarted
        case reading
        /// Nothing was ever stored. The session of another SDK comes next.
        case lookingForAdoptableSession
        case adopting
        /// The session of another SDK was not stored, because another process was first.
        case showing
        case done
    }

    enum RefreshLock: Hashable { case none, held, lost }

    enum SignInTask: Hashable {
        case none
        case asking(SignInOperation, user: UInt8)
        case storing(SignInOperation, family: Int)

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
        /// Writes what was decided, and reads once more.
        case preparing(RefreshOperation)
        case marking(RefreshOperation, RefreshRequest, over: RecordSnapshot)
        case ready(RefreshOperation, RefreshRequest)
        case sent(RefreshOperation, RefreshRequest)
        case storing(RefreshOperation, RefreshRequest, AuthSession)
        case refused(RefreshOperation, RefreshRequest)
        case persistingRefusal(RefreshOperation)
        case clearingMark(RefreshOperation, RefreshRequest)
        case persistingQueued(RefreshOperation, RefreshResult)

        var operation: RefreshOperation? {
            switch self {
            case .none: nil
            case .waitingForLock(let refresh), .persisting(let refresh), .synchronizing(let refresh): refresh
            case .preparing(let refresh), .persistingRefusal(let refresh): refresh
            case .marking(let refresh, _, _), .ready(let refresh, _), .sent(let refresh, _): refresh
            case .refused(let refresh, _), .clearingMark(let refresh, _): refresh
            case .storing(let refresh, _, _): refresh
            case .persistingQueued(let refresh, _): refresh
            }
        }

        var request: RefreshRequest? {
            get {
                switch self {
                case .none, .waitingForLock, .persisting, .synchronizing, .preparing, .persistingRefusal,
                    .persistingQueued:
                    nil
                case .marking(_, let request, _), .ready(_, let request), .sent(_, let request): request
                case .storing(_, let request, _), .refused(_, let request), .clearingMark(_, let request): request
                }
            }
            set {
                guard let newValue else { return }
                switch self {
                case .none, .waitingForLock, .persisting, .synchronizing, .preparing, .persistingRefusal,
                    .persistingQueued:
                    break
                case .marking(let refresh, _, let found): self = .marking(refresh, newValue, over: found)
                case .ready(let refresh, _): self = .ready(refresh, newValue)
                case .sent(let refresh, _): self = .sent(refresh, newValue)
                case .storing(let refresh, _, let answer): self = .storing(refresh, newValue, answer)
                case .refused(let refresh, _): self = .refused(refresh, newValue)
                case .clearingMark(let refresh, _): self = .clearingMark(refresh, newValue)
                }
            }
        }

        /// Whether it has the refresh mutex.
        var isInside: Bool {
            switch self {
            case .none, .waitingForLock: false
            default: true
            }
        }
    }

    enum RefreshReport: Hashable { case nothing, sent, ended }

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

    /// A change of the account, which the refresh lock guards, too.
    enum ChangeTask: Hashable {
        case none
        case waitingForLock(Change)
        case persisting(Change)
        case synchronizing(Change)
        case ready(Change, RefreshRequest)
        case sent(Change, RefreshRequest)
        case storing(Change, RefreshRequest, AuthSession)
        /// The account was deleted, and its session is over.
        case persistingEnd(Change)
        case persistingQueued(Change)

        var change: Change? {
            switch self {
            case .none: nil
            case .waitingForLock(let change), .persisting(let change), .synchronizing(let change): change
            case .ready(let change, _), .sent(let change, _), .storing(let change, _, _): change
            case .persistingEnd(let change), .persistingQueued(let change): change
            }
        }

        /// Whether it has the refresh mutex.
        var isInside: Bool {
            switch self {
            case .none, .waitingForLock: false
            default: true
            }
        }
    }

    struct Change: Hashable {
        let operation: AccountChange
        let user: UInt8
        let isDeletion: Bool
        /// The access token that is to be shown.
        let token: Secret
    }

    /// A sign-out on all devices, until the session ends here.
    enum EverywhereTask: Hashable {
        case none
        case waiting(SignOutRequest)
        case synchronizing(SignOutRequest)
        case ending(SignOutRequest)
    }

    /// A provider's report that the person of a session withdrew the app's access.
    enum WithdrawalTask: Hashable {
        case none
        case synchronizing(ProviderIdentity, family: Int)
        case ending(ProviderIdentity, family: Int)
    }

    /// What runs inside the store mutex: a reading, or a write, which is a reading and a write over what was read.
    struct Section: Hashable {
        enum Task: Hashable { case person, refresh, change, withdrawal, everywhere }
        enum Purpose: Hashable {
            case restoring
            case adopting(AdoptableSession)
            case showing
            case following
            case synchronizing(for: Task)
            case refusal(RefreshRequest)
            case persisting(for: Task)
            case signIn(SignInOperation)
            case adoption
            case answer(AuthSession, RefreshRequest)
            case changed(AuthSession, RefreshRequest)
            case mark(Task)
            case unmark(for: Task)

            var writesDecision: Bool {
                switch self {
                case .persisting, .signIn, .adoption, .answer, .changed: true
                case .restoring, .adopting, .showing, .following, .synchronizing, .refusal, .mark, .unmark: false
                }
            }
        }
        enum Stage: Hashable {
            case reading
            /// `nil` when the reading failed.
            case read(RecordSnapshot?)
            case writing(Write)
            case written(Write, isStored: Bool)
            /// A decision could not be written, so that the record of the session that it ends is removed.
            case removing(SessionStateMachine.WriteAttempt)
            case removed(SessionStateMachine.WriteAttempt, isRemoved: Bool)
        }
        enum Write: Hashable {
            case decision(SessionStateMachine.WriteAttempt)
            case mark(SessionRecord, over: RecordSnapshot)

            var record: SessionRecord {
                switch self {
                case .decision(let attempt): attempt.record
                case .mark(let record, _): record
                }
            }

            var found: RecordSnapshot {
                switch self {
                case .decision(let attempt): attempt.found
                case .mark(_, let found): found
                }
            }
        }

        let purpose: Purpose
        var stage = Stage.reading
    }

    /// What the judge knows of the decisions of a process, by the order of readings and writes alone.
    struct Judged: Hashable {
        enum Found: Hashable {
            case nothing, removal
            case session(Int)
        }

        /// What the reading found at which the pending decision was made; `nil` before it.
        var found: Found?
        /// Whether the pending decision was made while it was not known what the store holds.
        var isUnread = false
        /// The families that were ended here, one bit for each.
        private(set) var ended: UInt8 = 0

        mutating func end(_ family: Int) { ended |= 1 << UInt8(family) }

        func hasEnded(_ family: Int) -> Bool { ended & 1 << UInt8(family) != 0 }
    }

    /// Whether something in memory comes next, which no other process can notice.
    var isInMemory: Bool {
        switch section?.stage {
        case .read?, .written?, .removed?: true
        case .reading?, .writing?, .removing?, nil: false
        }
    }

    var isRunning: Bool { launch != .notStarted }

    /// Whether a task has the refresh mutex.
    var isRefreshMutexTaken: Bool { refresh.isInside || change.isInside }

    /// Whether a task is under way. What failed may still wait for its retry.
    var isBusy: Bool {
        launch != .done || signIn != .none || refresh != .none || nextRefresh != nil
            || change != .none || everywhere != .none || withdrawal != .none || persists || follows || section != nil
    }

    /// The families whose tokens this process has sent, or may send, or whose answer it has read and not stored.
    var usedFamilies: Set<Int> {
        var tokens = [refresh.request?.kept.refreshToken]
        if case .storing(_, let request, _) = change { tokens.append(request.kept.refreshToken) }
        let pending = machine.storage.pending
        let ids = (pending?.ends ?? []) + [pending?.next?.id].compactMap(\.self)
        return Set(tokens.compactMap { TokenNumber($0)?.family } + ids.map(SharedWorld.family))
    }
}

// MARK: Versions

extension ExploredProcess {
    /// Another write has made stale every version that this process knows.
    mutating func recordChanged() {
        guard isRunning else { return }
        follows = true
        numberVersions(isWritten: true)
    }

    /// The record is another one, of the same version.
    mutating func recordWasDamaged() { if isRunning { follows = true } }

    /// Versions are compared alone, and asked which is the next one. So those before the present one are numbered down from it,
    /// and one number is left out where versions lie between two of them. The first versions of sessions, and those of the first
    /// readings that they are compared with, are counted down by one with each write.
    ///
    /// - Parameter isWritten: Whether the present version is to become the last one before it.
    mutating func numberVersions(isWritten: Bool = false) {
        var known: Set<RecordVersion> = []
        mapVersions {
            known.insert($0)
            return $0
        } first: {
            $0
        }
        var numbers: [RecordVersion: RecordVersion] = [.none: .none]
        let present = RecordTable.present.rawValue
        var (later, number) = (isWritten ? present + 1 : present, present)
        for version in known.sorted(by: >) where version != .none {
            number -= min(later - version.rawValue, 2)
            later = version.rawValue
            numbers[version] = RecordVersion(rawValue: number)
        }
        mapVersions {
            numbers[$0] ?? $0
        } first: {
            isWritten && $0 != .none ? RecordVersion(rawValue: $0.rawValue - 1) : $0
        }
    }

    /// - Parameters:
    ///   - change: Numbers the version of a record.
    ///   - first: Numbers the first version of a session, or of a first reading.
    private mutating func mapVersions(
        _ change: (RecordVersion) -> RecordVersion, first: (RecordVersion) -> RecordVersion
    ) {
        func map(_ found: RecordSnapshot) -> RecordSnapshot { found.map(change, first) }
        machine.storage.known = machine.storage.known.map(map)
        machine.storage.lastSeen = machine.storage.lastSeen.map(map)
        machine.storage.history.firstVersion = machine.storage.history.firstVersion.map(first)
        machine.storage.pending?.map(change, first)
        if let version = refresh.request?.markVersion { refresh.request?.markVersion = change(version) }
        if case .marking(let operation, let request, let found) = refresh {
            refresh = .marking(operation, request, over: map(found))
        }
        guard let section else { return }
        let purpose: Section.Purpose
        switch section.purpose {
        case .refusal(var request):
            request.markVersion = request.markVersion.map(change)
            purpose = .refusal(request)
        case .answer(let answer, var request):
            request.markVersion = request.markVersion.map(change)
            purpose = .answer(answer, request)
        default: purpose = section.purpose
        }
        let stage: Section.Stage
        switch section.stage {
        case .reading: stage = .reading
        case .read(let found): stage = .read(found.map(map))
        case .writing(let write): stage = .writing(write.map(change, first))
        case .written(let write, let isStored): stage = .written(write.map(change, first), isStored: isStored)
        case .removing(let attempt): stage = .removing(attempt.map(change, first))
        case .removed(let attempt, let isRemoved): stage = .removed(attempt.map(change, first), isRemoved: isRemoved)
        }
        self.section = Section(purpose: purpose, stage: stage)
    }
}

extension PendingWrite {
    fileprivate mutating func map(
        _ change: (RecordVersion) -> RecordVersion, _ first: (RecordVersion) -> RecordVersion
    ) {
        answeredMark = answeredMark.map(change)
        guard var reading else { return }
        (reading.version, reading.first) = (change(reading.version), first(reading.first))
        self.reading = reading
    }
}

extension SessionStateMachine.WriteAttempt {
    fileprivate func map(
        _ change: (RecordVersion) -> RecordVersion, _ first: (RecordVersion) -> RecordVersion
    ) -> Self {
        var attempt = self
        attempt.decision.map(change, first)
        attempt.record = record.renumbered(first)
        attempt.found = found.map(change, first)
        return attempt
    }
}

extension ExploredProcess.Section.Write {
    fileprivate func map(
        _ change: (RecordVersion) -> RecordVersion, _ first: (RecordVersion) -> RecordVersion
    ) -> Self {
        switch self {
        case .decision(let attempt): .decision(attempt.map(change, first))
        case .mark(let record, let found): .mark(record.renumbered(first), over: found.map(change, first))
        }
    }
}

// MARK: Equality

extension ExploredProcess: Hashable {
    static func == (first: ExploredProcess, second: ExploredProcess) -> Bool {
        first.launch == second.launch && first.signIn == second.signIn && first.refresh == second.refresh
            && first.nextRefresh == second.nextRefresh && first.reported == second.reported
            && first.machine.adopts == second.machine.adopts
            && first.change == second.change && first.everywhere == second.everywhere
            && first.committedSince == second.committedSince
            && first.withdrawal == second.withdrawal && first.judged == second.judged
            && first.isRefreshSuperseded == second.isRefreshSuperseded && first.lock == second.lock
            && first.isChangeInterrupted == second.isChangeInterrupted
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
        hasher.combine(machine.adopts)
        hasher.combine(change)
        hasher.combine(everywhere)
        hasher.combine(committedSince)
        hasher.combine(withdrawal)
        hasher.combine(judged)
        hasher.combine(isRefreshSuperseded)
        hasher.combine(isChangeInterrupted)
        hasher.combine(lock)
        hasher.combine(persists)
        hasher.combine(follows)
        hasher.combine(section)
        hasher.combine(machine.state)
        hasher.combine(machine.storage)
        hasher.combine(machine.operations)
    }
}
