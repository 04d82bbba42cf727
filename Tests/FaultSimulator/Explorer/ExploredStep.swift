import AuthStreams

/// What happens next: in one process, or to both.
enum Action: UInt8 {
    case launches, restores, storesSignIn, synchronizes, followsStore, persists, persistsForRefresh, marksToken
    case clearsMark, storesAnswer, learnsOfRefusal
    case looksForLegacySession, beginsMigration, persistsForMigration, synchronizesMigration, leavesMigration
    case marksLegacyToken, clearsLegacyMark, storesMigration
    case readsAgain, readFails, learnsWhatItRead
    case writes, writeFails, writeFailsAfterLanding, writeIsRefused, learnsThatItWrote
    case signInBegins, signInIsAnswered, signInFails
    case signsOut
    case withdrawalIsReported, synchronizesForWithdrawal, endsWithdrawnSession
    case refreshBegins, takesLock, lockTimesOut, sends, isAnswered, isRefused, answerIsLost, requestIsLost, isNotSent
    case isCancelled
    case retriesWrite
    case dies, diesAfterTheServerAnswered
    case hourPasses, clockIsSetBack, clockIsSetForward, serverRevokes
}

/// A transition of one process.
struct ExploredStep {
    let action: Action
    let process: ExploredProcess
    let world: SharedWorld
    /// Whether the record on disk was replaced, which the other process is told.
    let hasWritten: Bool
    /// The invariant that it breaks.
    let broken: String?
}

/// Every transition of one process in one world.
final class StepList {
    let before: ExploredProcess
    let world: SharedWorld
    /// Whether the other process holds the refresh lock.
    let isLockTaken: Bool
    let records: RecordTable
    private(set) var steps: [ExploredStep] = []

    static let lock = SessionStoreLock(release: {})

    init(of process: ExploredProcess, in world: SharedWorld, isLockTaken: Bool, records: RecordTable) {
        (before, self.world, self.isLockTaken, self.records) = (process, world, isLockTaken, records)
        collect()
    }

    /// The next step without a fault and without a new decision of the person; `nil` when nothing is under way.
    static func progress(
        of process: ExploredProcess, in world: SharedWorld, isLockTaken: Bool, records: RecordTable
    ) -> ExploredStep? {
        var faultless = world
        faultless.budget = SharedWorld.Budget()
        return StepList(of: process, in: faultless, isLockTaken: isLockTaken, records: records).steps.first {
            $0.action != .signInFails
        }
    }

    private func step(
        _ action: Action, _ body: (inout ExploredProcess, inout SharedWorld, inout [String]) -> Void
    ) {
        var (process, world) = (before, world)
        var broken: [String] = []
        body(&process, &world, &broken)
        process.performEffects()
        broken += process.broken
        process.broken = []
        broken += Invariants.broken(from: before, to: process, by: action, in: world, records)
        process.events = []
        if process.isRunning { process.renumberGenerations() }
        let hasWritten = world.disk != self.world.disk || action == .writes || action == .writeFailsAfterLanding
        steps.append(
            ExploredStep(
                action: action, process: process, world: world, hasWritten: hasWritten, broken: broken.first))
    }

    private func collect() {
        guard before.isRunning else { return step(.launches) { process, _, _ in process.launch = .reading } }
        if let section = before.section {
            sectionSteps(section)
        } else {
            sectionsToEnter()
        }
        person()
        guard !before.isInMemory else { return }
        signInSteps()
        refreshSteps()
        migrationSteps()
        withdrawalSteps()
        if let retryAt = before.machine.storage.retryAt, retryAt <= world.now.uptime, !before.persists {
            step(.retriesWrite) { process, _, _ in process.persists = true }
        }
        if world.budget.deaths > 0 {
            step(.dies) { process, world, _ in process.die(in: &world, records) }
            if let sending = before.refresh.sending ?? before.migration.sending, world.answers(sending) {
                step(.diesAfterTheServerAnswered) { process, world, _ in
                    world.families[sending.family].version += 1
                    process.die(in: &world, records)
                }
            }
        }
    }

    // MARK: Sign-in and sign-out

    private func person() {
        let state = before.machine.authState
        if world.budget.signIns > 0, world.families.count < 4 {
            for user: UInt8 in 0...1 {
                step(.signInBegins) { process, world, _ in
                    world.budget.signIns -= 1
                    let operation = process.machine.signInBegan(with: .kakao, at: .establishingSession, .zero)
                    process.signIn = .asking(operation, user: user)
                }
            }
        }
        // Signing out once more adds nothing, unless the store was not read yet.
        let isSignedOut =
            if case .signedOut = state { before.signIn == .none && !before.machine.isUnread } else { false }
        if world.budget.signOuts > 0, !isSignedOut {
            step(.signsOut) { process, world, _ in
                world.budget.signOuts -= 1
                _ = process.machine.signedOut(at: world.now)
                world.tick()
                process.persists = true
            }
        }
    }

    private func signInSteps() {
        guard case .asking(let operation, let user) = before.signIn else { return }
        step(.signInIsAnswered) { process, world, _ in
            world.families.append(SharedWorld.Family(user: user, bornAt: world.uptime))
            process.signIn = .storing(operation, world.session(world.families.count - 1, version: 0))
        }
        step(.signInFails) { process, _, _ in
            _ = process.machine.signInFailed(operation, .unreachable, at: .zero)
            process.signIn = .none
        }
    }

    // MARK: The refresh

    private func refreshSteps() {
        let now = world.now
        // A caller forces it, so that it may begin before the token is due.
        if world.budget.refreshes > 0, before.machine.active != nil,
            before.machine.tokenDecision(.new, at: now.uptime) == nil
        {
            step(.refreshBegins) { process, world, broken in
                world.budget.refreshes -= 1
                guard case .start(let refresh) = process.machine.tokenRequested(.new, at: now.uptime) else { return }
                if process.nextRefresh != nil { broken.append("A second refresh waits for the lock.") }
                if process.refresh == .none {
                    process.refresh = .waitingForLock(refresh)
                } else {
                    process.nextRefresh = refresh
                }
            }
        }
        switch before.refresh {
        case .none: break
        case .waitingForLock(let refresh):
            if mayTakeLock {
                step(.takesLock) { process, _, _ in
                    _ = process.machine.storage.takeLock()
                    process.holdsLock = true
                    process.refresh =
                        process.machine.storage.pending == nil ? .synchronizing(refresh) : .persisting(refresh)
                }
            }
            if world.budget.lockTimeouts > 0 {
                step(.lockTimesOut) { process, world, _ in
                    world.budget.lockTimeouts -= 1
                    process.refreshEnds(refresh, .failure(.lockTimedOut), at: now)
                }
            }
        case .ready(let refresh, _) where before.isRefreshSuperseded:
            step(.isCancelled) { process, world, _ in
                process.leave(refresh, .failure(.supersededHere), at: world.now)
            }
        case .ready(let refresh, let request):
            step(.sends) { process, world, broken in
                if !process.machine.requestBegan(request) {
                    broken.append("A request of a session that is over was sent.")
                }
                process.refresh = .sent(refresh, request)
                Invariants.sends(request, in: world, records, &broken)
            }
        case .sent(let refresh, let request): answerSteps(refresh, request)
        case .persisting, .synchronizing, .marking, .storing, .refused, .persistingRefusal, .clearingMark,
            .persistingQueued:
            break
        }
    }

    private func answerSteps(_ refresh: RefreshOperation, _ request: RefreshRequest) {
        guard let sent = TokenNumber(request.session.refreshToken) else { return }
        let isAccepted = world.answers(sent)
        let isSuperseded = before.isRefreshSuperseded
        if !isSuperseded {
            if isAccepted {
                step(.isAnswered) { process, world, _ in
                    world.families[sent.family].version += 1
                    world.families[sent.family].isAnswerLost = false
                    let answer = world.session(sent.family, version: sent.version + 1)
                    process.refresh = .storing(refresh, request, answer)
                }
            } else {
                step(.isRefused) { process, _, _ in process.refresh = .refused(refresh, request) }
            }
        }
        guard isSuperseded || world.budget.lostAnswers > 0 else { return }
        let cost: UInt8 = isSuperseded ? 0 : 1
        if isAccepted {
            step(.answerIsLost) { process, world, _ in
                world.budget.lostAnswers -= cost
                world.families[sent.family].version += 1
                world.families[sent.family].isAnswerLost = true
                process.leave(refresh, .failure(.unreachable), at: world.now)
            }
        }
        step(.requestIsLost) { process, world, _ in
            world.budget.lostAnswers -= cost
            process.leave(refresh, .failure(.unreachable), at: world.now)
        }
        guard !isSuperseded else { return }
        step(.isNotSent) { process, world, _ in
            world.budget.lostAnswers -= cost
            if request.isRepeat {
                process.leave(refresh, .failure(.unreachable), at: world.now)
            } else {
                process.refresh = .clearingMark(refresh, request)
            }
        }
    }

    private var mayTakeLock: Bool { before.machine.storage.retainsLock || !isLockTaken && !before.holdsLock }

    // MARK: The migration

    private func migrationSteps() {
        let now = world.now
        switch before.migration {
        case .waitingForLock where mayTakeLock:
            step(.takesLock) { process, _, _ in
                _ = process.machine.storage.takeLock()
                process.holdsLock = true
                process.migration = process.machine.storage.pending == nil ? .synchronizing : .persisting
            }
        case .ready(let request, let isRepeat):
            step(.sends) { process, world, broken in
                guard process.machine.isMigrating(in: request.generation) else {
                    return process.leaveMigration(at: now)
                }
                process.migration = .sent(request, isRepeat: isRepeat)
                Invariants.sends(request, isRepeat: isRepeat, in: world, &broken)
            }
        case .sent(let request, let isRepeat): migrationAnswers(request, isRepeat: isRepeat)
        case .none, .waitingForLock, .persisting, .synchronizing, .marking, .storing, .persistingRefusal, .clearingMark,
            .persistingQueued:
            break
        }
    }

    private func migrationAnswers(_ request: MigrationRequest, isRepeat: Bool) {
        guard let sent = TokenNumber(request.legacy.refreshToken) else { return }
        let isAccepted = world.answers(sent)
        if isAccepted {
            step(.isAnswered) { process, world, _ in
                world.families[sent.family].version += 1
                world.families[sent.family].isAnswerLost = false
                process.migration = .storing(request, world.session(sent.family, version: sent.version + 1))
            }
        } else {
            step(.isRefused) { process, world, _ in
                process.refusedMigration(request, isRepeat: isRepeat, at: world.now)
            }
        }
        guard world.budget.lostAnswers > 0 else { return }
        if isAccepted {
            step(.answerIsLost) { process, world, _ in
                world.budget.lostAnswers -= 1
                world.families[sent.family].version += 1
                world.families[sent.family].isAnswerLost = true
                process.failedMigration(request, at: world.now)
            }
        }
        step(.requestIsLost) { process, world, _ in
            world.budget.lostAnswers -= 1
            process.failedMigration(request, at: world.now)
        }
        step(.isNotSent) { process, world, _ in
            world.budget.lostAnswers -= 1
            if isRepeat {
                process.failedMigration(request, at: world.now)
            } else {
                process.migration = .clearingMark(request)
            }
        }
    }

    // MARK: Withdrawn access

    private func withdrawalSteps() {
        switch before.withdrawal {
        case .none:
            guard world.budget.withdrawals > 0, let identity = before.machine.providerIdentity,
                let tokens = TokenNumber(before.machine.active?.session.refreshToken)
            else { return }
            step(.withdrawalIsReported) { process, world, _ in
                world.budget.withdrawals -= 1
                process.withdrawal = .synchronizing(
                    .init(identity: identity, reportedAt: world.now, family: tokens.family))
                world.tick()
            }
        case .synchronizing: break
        case .ending(let withdrawal):
            step(.endsWithdrawnSession) { process, _, _ in
                process.withdrawal = .none
                if process.machine.accessRevoked(by: withdrawal.identity, at: withdrawal.reportedAt) != nil {
                    process.persists = true
                }
            }
        }
    }

    // MARK: The store mutex

    /// Each task that waits for the mutex may be next. It begins with reading the record.
    private func sectionsToEnter() {
        switch before.launch {
        case .reading: enter(.restores, .restoring(confirming: nil))
        case .lookingForLegacySession(let generation):
            step(.looksForLegacySession) { process, world, _ in
                process.launch =
                    world.isAdopted
                    ? .confirming(generation: generation) : .beginningMigration(generation: generation)
            }
        case .beginningMigration(let generation):
            if let legacy = world.legacy {
                enter(.beginsMigration, .beginningMigration(legacy, generation: generation))
            }
        case .confirming(let generation): enter(.restores, .restoring(confirming: generation))
        case .notStarted, .done: break
        }
        if case .synchronizing = before.withdrawal { enter(.synchronizesForWithdrawal, .withdrawalSynchronizing) }
        if before.persists { enter(.persists, .persisting(for: .person)) }
        if before.follows, !before.machine.isUnread { enter(.followsStore, .following) }
        if case .storing(let operation, let session) = before.signIn {
            enter(.storesSignIn, .signIn(operation, session))
        }
        switch before.refresh {
        case .persisting, .persistingRefusal, .persistingQueued:
            enter(.persistsForRefresh, .persisting(for: .refresh))
        case .synchronizing: enter(.synchronizes, .refreshSynchronizing)
        case .refused(_, let request): enter(.learnsOfRefusal, .refusal(request))
        case .marking(_, let request): enter(.marksToken, .mark(.sent, request, before: before.machine.journal))
        case .clearingMark(_, let request): enter(.clearsMark, .mark(.clear, request, before: before.machine.journal))
        case .storing(_, let request, let answer): enter(.storesAnswer, .refreshAnswer(answer, request))
        case .none, .waitingForLock, .ready, .sent: break
        }
        switch before.migration {
        case .persisting, .persistingRefusal, .persistingQueued:
            enter(.persistsForMigration, .persisting(for: .migration))
        case .synchronizing:
            if let request = before.machine.migrationRequest(at: .zero) {
                enter(.synchronizesMigration, .migrationSynchronizing(request))
            } else {
                step(.leavesMigration) { process, world, _ in process.leaveMigration(at: world.now) }
            }
        case .marking(let request, _):
            enter(.marksLegacyToken, .migrationMark(.sent, request, before: before.machine.journal))
        case .clearingMark(let request):
            enter(.clearsLegacyMark, .migrationMark(.clear, request, before: before.machine.journal))
        case .storing(let request, let session): enter(.storesMigration, .migrated(session, request))
        case .none, .waitingForLock, .ready, .sent: break
        }
    }

    private func enter(_ action: Action, _ purpose: ExploredProcess.Section.Purpose) {
        var section = ExploredProcess.Section(purpose: purpose)
        section.generation = before.machine.generation
        read(action, in: section)
    }

    private func read(_ action: Action, in section: ExploredProcess.Section) {
        step(action) { process, world, _ in
            process.section = section
            process.section?.stage = .read(records.snapshots[Int(world.disk)])
            process.section?.isBaseStale = false
        }
        guard world.budget.storeFailures > 0 else { return }
        step(.readFails) { process, world, _ in
            world.budget.storeFailures -= 1
            process.section = section
            process.section?.stage = .read(nil)
        }
    }

    private func sectionSteps(_ section: ExploredProcess.Section) {
        switch section.stage {
        case .reading: read(.readsAgain, in: section)
        case .read(let snapshot):
            step(.learnsWhatItRead) { process, world, _ in process.learn(snapshot, in: &world, records) }
        case .written(let outcome, let record):
            step(.learnsThatItWrote) { process, world, _ in
                process.wrote(outcome, record, in: &world, records)
            }
        case .writing(let record, let version, let isFirst):
            let isPresent = version == RecordTable.present
            if isPresent {
                step(.writes) { process, world, broken in
                    Invariants.writes(record, section, process, in: &world, records, &broken)
                    process.section?.stage = .written(.done, record)
                }
            } else {
                step(.writeIsRefused) { process, _, _ in
                    process.machine.storage.writeRefused(records.snapshots[Int(record)], isFirst: isFirst)
                    process.section?.stage = .reading
                }
            }
            guard world.budget.storeFailures > 0 else { return }
            step(.writeFails) { process, world, _ in
                world.budget.storeFailures -= 1
                process.section?.stage = .written(.failed, record)
            }
            guard isPresent else { return }
            step(.writeFailsAfterLanding) { process, world, broken in
                world.budget.storeFailures -= 1
                Invariants.writes(record, section, process, in: &world, records, &broken)
                process.forgetVersions()
                process.section?.stage = .written(.failed, record)
            }
        }
    }
}
