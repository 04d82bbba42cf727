import AuthStreams

/// What happens next: in one process, or to both.
enum Action: UInt8 {
    case launches, restores, looksForAdoptableSession, adopts, showsRecord
    case storesSignIn, synchronizes, followsStore, persists, marksToken, clearsMark, storesAnswer, learnsOfRefusal
    case readsAgain, readFails, learnsWhatItRead
    case writes, writeFails, writeFailsAfterLanding, writeIsRefused, learnsThatItWrote
    case removes, removalFails, learnsThatItRemoved
    case signInBegins, signInIsResumed, signInIsAnswered, signInFails
    case signsOut
    case everywhereBegins, looksAgain, endsEverywhere
    case changeBegins, deletionBegins, changeIsAnswered, changeRenewsToken
    case withdrawalIsReported, endsWithdrawnSession
    case refreshBegins, adoptionBegins, takesLock, lockTimesOut, lockIsLost
    case sends, isAnswered, isAnsweredWithoutRotation, isRefused, answerIsLost, requestIsLost, isNotSent, isCancelled,
        leaves
    case retriesWrite
    case dies, diesAfterTheServerAnswered
    case hourPasses, serverRevokes, recordIsDamaged

    /// Whether it happens without a fault and without a new decision of a person or the server.
    var isProgress: Bool {
        switch self {
        case .launches, .readFails, .writeFails, .writeFailsAfterLanding, .removalFails, .signInBegins,
            .signInIsResumed,
            .signInFails, .signsOut, .everywhereBegins, .changeBegins, .deletionBegins, .withdrawalIsReported,
            .refreshBegins, .lockTimesOut, .lockIsLost, .answerIsLost, .requestIsLost, .isNotSent, .dies,
            .diesAfterTheServerAnswered, .hourPasses, .serverRevokes, .recordIsDamaged:
            false
        case .restores, .looksForAdoptableSession, .adopts, .showsRecord, .storesSignIn, .synchronizes, .followsStore,
            .persists, .marksToken, .clearsMark, .storesAnswer, .learnsOfRefusal, .readsAgain, .learnsWhatItRead,
            .writes, .writeIsRefused, .learnsThatItWrote, .removes, .learnsThatItRemoved, .signInIsAnswered,
            .looksAgain, .endsEverywhere, .changeIsAnswered, .changeRenewsToken, .endsWithdrawnSession, .adoptionBegins,
            .takesLock,
            .sends, .isAnswered, .isAnsweredWithoutRotation, .isRefused, .isCancelled, .leaves, .retriesWrite:
            true
        }
    }
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
            $0.action.isProgress
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
        if action == .learnsWhatItRead {
            Invariants.learned(before, &process, in: &world, &broken)
        }
        if process.machine.storage.pending == nil { (process.judged.found, process.judged.isUnread) = (nil, false) }
        broken += Invariants.broken(from: before, to: process, by: action, in: world, records)
        process.events = []
        let hasWritten = [.writes, .writeFailsAfterLanding, .removes].contains(action)
        if process.isRunning { process.numberVersions() }
        steps.append(
            ExploredStep(
                action: action, process: process, world: world, hasWritten: hasWritten, broken: broken.first))
    }

    private func collect() {
        guard before.isRunning else { return step(.launches) { process, world, _ in process.launch(in: world) } }
        if let section = before.section {
            sectionSteps(section)
        } else {
            sectionsToEnter()
        }
        person()
        guard !before.isInMemory else { return }
        signInSteps()
        refreshSteps()
        changeSteps()
        withdrawalSteps()
        // A retry is due at some time.
        if before.machine.storage.retryAt != nil, !before.persists {
            step(.retriesWrite) { process, _, _ in process.persists = true }
        }
        if world.budget.lockLosses > 0, before.lock == .held {
            step(.lockIsLost) { process, world, _ in
                world.budget.lockLosses -= 1
                process.lock = .lost
                process.judgeLossOfLock(in: &world)
            }
        }
        if world.budget.deaths > 0 {
            step(.dies) { process, world, _ in process.die(in: &world) }
            if let sending, world.answers(sending) {
                step(.diesAfterTheServerAnswered) { process, world, _ in
                    world.families[sending.family].version += 1
                    process.die(in: &world)
                }
            }
        }
    }

    /// The refresh token that is under way to the server.
    private var sending: TokenNumber? {
        if case .sent(_, let request) = before.refresh { return TokenNumber(request.kept.refreshToken) }
        return nil
    }

    // MARK: Sign-in and sign-out

    private func person() {
        if world.families.count < 5 {
            for user: UInt8 in 0...1 where world.budget.signIns > 0 {
                step(.signInBegins) { process, world, _ in
                    world.budget.signIns -= 1
                    let operation = process.machine.signInBegan(with: .kakao, at: .establishingSession, .zero)
                    process.signIn = .asking(operation, user: user)
                }
            }
            for user in [nil, SharedWorld.user(0)] where world.budget.resumedSignIns > 0 {
                var machine = before.machine
                guard
                    let operation = machine.signInResumed(
                        with: .kakao, replacing: user, at: .establishingSession, .zero)
                else { continue }
                step(.signInIsResumed) { process, world, _ in
                    world.budget.resumedSignIns -= 1
                    process.machine = machine
                    process.signIn = .asking(operation, user: 1)
                }
            }
        }
        // Signing out once more adds nothing, unless the store was not read yet.
        let isSignedOut =
            if case .signedOut = before.machine.authState {
                before.signIn == .none && !before.machine.isUnread && before.machine.storage.pending?.next == nil
            } else { false }
        if world.budget.signOuts > 0, !isSignedOut {
            step(.signsOut) { process, world, _ in
                world.budget.signOuts -= 1
                process.judged = before.judgedSignOut(in: &world)
                _ = process.machine.signOut()
                process.persists = true
            }
        }
        everywhere()
    }

    private func everywhere() {
        let machine = before.machine
        if world.budget.signOutsEverywhere > 0, before.everywhere == .none, machine.isUnread || machine.kept != nil {
            step(.everywhereBegins) { process, world, _ in
                world.budget.signOutsEverywhere -= 1
                process.everywhere = .waiting(machine.signOutRequest)
            }
        }
        // The store was read since, or could not be.
        if case .waiting(let request) = before.everywhere {
            let later = machine.signOutRequest(since: request)
            if later != request {
                step(.looksAgain) { process, _, _ in process.everywhere = .waiting(later) }
            }
        }
        if case .ending(let request) = before.everywhere {
            step(.endsEverywhere) { process, world, broken in
                (process.everywhere, process.committedSince) = (.none, nil)
                guard let user = process.machine.user?.id,
                    case .success(.some) = process.machine.signedOutEverywhere(request, at: world.now)
                else { return }
                if let family = before.committedSince, machine.kept?.id == SharedWorld.id(of: family) {
                    broken.append("A sign-out everywhere ended a later sign-in.")
                }
                process.persists = true
                process.judged = before.judgedSignOut(in: &world)
                world.revokeAll(of: user)
            }
        }
    }

    private func signInSteps() {
        guard case .asking(let operation, let user) = before.signIn else { return }
        step(.signInIsAnswered) { process, world, _ in
            world.families.append(SharedWorld.Family(user: user))
            process.signIn = .storing(operation, family: world.families.count - 1)
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
        if world.budget.refreshes > 0, before.machine.session != nil,
            before.machine.tokenDecision(before.machine.demandOfNewToken, at: now.uptime) == nil
        {
            step(.refreshBegins) { process, world, broken in
                world.budget.refreshes -= 1
                let demand = process.machine.demandOfNewToken
                guard case .start(let refresh) = process.machine.tokenRequested(demand, at: now.uptime) else { return }
                if process.nextRefresh != nil { broken.append("A second refresh waits for the lock.") }
                if process.refresh == .none {
                    process.refresh = .waitingForLock(refresh)
                } else {
                    process.nextRefresh = refresh
                }
            }
        }
        // The schedule begins an adoption.
        if let active = before.machine.active, active.session == nil,
            before.machine.tokenDecision(.valid, at: now.uptime) == nil
        {
            step(.adoptionBegins) { process, _, _ in
                guard case .start(let refresh) = process.machine.tokenRequested(.valid, at: now.uptime) else { return }
                if process.refresh == .none {
                    process.refresh = .waitingForLock(refresh)
                } else {
                    process.nextRefresh = refresh
                }
            }
        }
        switch before.refresh {
        case .waitingForLock(let refresh):
            takesLock { process, isPending in
                process.refresh = isPending ? .persisting(refresh) : .synchronizing(refresh)
            }
            if world.budget.lockTimeouts > 0 {
                step(.lockTimesOut) { process, world, _ in
                    world.budget.lockTimeouts -= 1
                    process.refreshEnds(refresh, .failure(.lockTimedOut), at: now)
                }
            }
        case .ready(let refresh, _) where before.isRefreshSuperseded:
            step(.isCancelled) { process, world, _ in
                process.leave(refresh, .failure(.supersededHere), at: now)
            }
        case .ready(let refresh, let request):
            step(.sends) { process, world, broken in
                guard process.machine.requestBegan(request) else {
                    return process.leave(refresh, .failure(.supersededHere), at: now)
                }
                guard process.lock == .held else { return process.requestWasNotSent(refresh, request, at: now) }
                process.refresh = .sent(refresh, request)
                Invariants.sends(request, in: &world, records, &broken)
            }
        case .sent(let refresh, let request): answerSteps(refresh, request)
        case .none, .persisting, .synchronizing, .preparing, .marking, .storing, .refused, .persistingRefusal,
            .clearingMark, .persistingQueued:
            break
        }
    }

    /// - Parameter next: Gets whether something is pending.
    private func takesLock(_ next: (inout ExploredProcess, _ isPending: Bool) -> Void) {
        guard !before.isRefreshMutexTaken, before.machine.storage.retainsLock || !isLockTaken else { return }
        step(.takesLock) { process, _, _ in
            if process.machine.storage.takeLock() == nil { process.lock = .held }
            next(&process, process.machine.storage.pending != nil)
        }
    }

    private func answerSteps(_ refresh: RefreshOperation, _ request: RefreshRequest) {
        guard let sent = TokenNumber(request.kept.refreshToken) else { return }
        let now = world.now
        let isAccepted = world.answers(sent)
        func lose(_ action: Action, _ cost: UInt8, isAccepted: Bool) {
            step(action) { process, world, _ in
                world.budget.lostAnswers -= cost
                if isAccepted { world.families[sent.family].version += 1 }
                world.families[sent.family].mayBeSentAgain = true
                process.leave(refresh, .failure(.unreachable), at: now)
            }
        }
        if before.isRefreshSuperseded {
            if isAccepted { lose(.isCancelled, 0, isAccepted: true) }
            return lose(.isCancelled, 0, isAccepted: false)
        }
        if isAccepted {
            step(.isAnswered) { process, world, _ in
                world.families[sent.family].version += 1
                world.families[sent.family].isAnswerRead = true
                let answer = world.session(sent.family, version: sent.version + 1)
                process.refresh = .storing(refresh, request, answer)
            }
            if world.budget.renewals > 0 {
                step(.isAnsweredWithoutRotation) { process, world, _ in
                    world.renewToken(of: sent.family)
                    world.families[sent.family].sent = sent.version
                    process.refresh = .storing(
                        refresh, request, world.session(sent.family, version: sent.version))
                }
            }
        } else {
            step(.isRefused) { process, _, _ in process.refresh = .refused(refresh, request) }
        }
        guard world.budget.lostAnswers > 0 else { return }
        if isAccepted { lose(.answerIsLost, 1, isAccepted: true) }
        lose(.requestIsLost, 1, isAccepted: false)
        step(.isNotSent) { process, world, _ in
            world.budget.lostAnswers -= 1
            world.families[sent.family].mayBeSentAgain = true
            process.requestWasNotSent(refresh, request, at: now)
        }
    }

    // MARK: Changes of the account

    private func changeSteps() {
        let now = world.now
        switch before.change {
        case .none:
            guard let session = before.machine.session, before.machine.currentToken != nil,
                case .token? = before.machine.tokenDecision(.valid, at: now.uptime),
                let tokens = TokenNumber(session.refreshToken)
            else { return }
            func begin(_ action: Action, isDeletion: Bool) {
                step(action) { process, world, _ in
                    if isDeletion { world.budget.deletions -= 1 } else { world.budget.changes -= 1 }
                    guard
                        let operation = process.machine.changeBegan(
                            isDeletion ? .deletion : .reload, with: nil, of: session.user.id, at: now.uptime)
                    else { return }
                    process.change = .waitingForLock(
                        .init(
                            operation: operation, user: world.families[tokens.family].user, isDeletion: isDeletion,
                            token: session.accessToken))
                }
            }
            if world.budget.changes > 0 { begin(.changeBegins, isDeletion: false) }
            if world.budget.deletions > 0 { begin(.deletionBegins, isDeletion: true) }
        case .waitingForLock(let change):
            takesLock { process, isPending in process.change = isPending ? .persisting(change) : .synchronizing(change)
            }
        case .ready(let change, let request):
            step(.sends) { process, _, _ in
                guard process.lock == .held, !process.isChangeInterrupted else { return process.leaveChange(at: now) }
                process.change = .sent(change, request)
            }
        case .sent(let change, let request): changeAnswers(change, request)
        case .persisting, .synchronizing, .storing, .persistingEnd, .persistingQueued: break
        }
    }

    private func changeAnswers(_ change: ExploredProcess.Change, _ request: RefreshRequest) {
        guard let tokens = TokenNumber(request.kept.refreshToken) else { return }
        let now = world.now
        func carryOut(_ world: inout SharedWorld) {
            if change.isDeletion {
                world.revokeAll(of: SharedWorld.user(change.user))
            } else {
                world.profiles[Int(change.user)] += 1
            }
        }
        if world.families[tokens.family].isRevoked {
            step(.isRefused) { process, _, _ in process.leaveChange(at: now) }
        } else if before.isChangeInterrupted {
            step(.isCancelled) { process, world, _ in
                carryOut(&world)
                world.isProfileUncertain = true
                process.leaveChange(at: now)
            }
        } else {
            if world.budget.renewals > 0, !change.isDeletion {
                step(.changeRenewsToken) { process, world, _ in
                    carryOut(&world)
                    world.renewToken(of: tokens.family)
                    process.change = .storing(change, request, world.session(tokens.family, version: tokens.version))
                }
            }
            step(.changeIsAnswered) { process, world, _ in
                carryOut(&world)
                guard change.isDeletion else {
                    process.change = .storing(change, request, world.session(tokens.family, version: tokens.version))
                    return
                }
                if process.machine.accountDeleted(by: change.operation) {
                    process.judged = before.judgedDeletion(of: SharedWorld.user(change.user), in: &world)
                    process.change = .persistingEnd(change)
                } else {
                    process.leaveChange(at: now)
                }
            }
        }
        guard before.isChangeInterrupted || world.budget.lostAnswers > 0 else { return }
        step(before.isChangeInterrupted ? .isCancelled : .requestIsLost) { process, world, _ in
            if !process.isChangeInterrupted { world.budget.lostAnswers -= 1 }
            process.leaveChange(at: now)
        }
    }

    // MARK: Withdrawn access

    private func withdrawalSteps() {
        switch before.withdrawal {
        case .none:
            guard world.budget.withdrawals > 0, let identity = before.machine.providerIdentity,
                let tokens = TokenNumber(before.machine.session?.refreshToken)
            else { return }
            step(.withdrawalIsReported) { process, world, _ in
                world.budget.withdrawals -= 1
                process.withdrawal = .synchronizing(identity, family: tokens.family)
            }
        case .synchronizing: break
        case .ending(let identity, let family):
            step(.endsWithdrawnSession) { process, world, _ in
                process.withdrawal = .none
                guard process.machine.accessRevoked(by: identity) != nil else { return }
                process.judged = before.judgedRevocation(of: family, in: &world)
                process.persists = true
            }
        }
    }

    // MARK: The store mutex

    /// Each task that waits for the mutex may be next. It begins with reading the record.
    private func sectionsToEnter() {
        switch before.launch {
        case .reading, .adopting, .showing:
            if !before.machine.isUnread {
                step(.restores) { process, _, _ in process.endLaunch() }
            } else if before.launch == .reading {
                enter(.restores, .restoring)
            } else if before.launch == .showing {
                enter(.showsRecord, .showing)
            } else if let adoptable = world.adoptable {
                enter(.adopts, .adopting(adoptable))
            }
        case .lookingForAdoptableSession:
            step(.looksForAdoptableSession) { process, _, _ in process.launch = .adopting }
        case .notStarted, .done: break
        }
        if case .synchronizing = before.withdrawal { enter(.synchronizes, .synchronizing(for: .withdrawal)) }
        if case .waiting(let request) = before.everywhere, before.machine.active?.refresh.operation == nil {
            enter(.synchronizes, .synchronizing(for: .everywhere)) { process, _ in
                process.everywhere = .synchronizing(request)
            }
        }
        if before.persists {
            if before.machine.storage.pending == nil {
                step(.persists) { process, _, _ in process.persists = false }
            } else {
                enter(.persists, .persisting(for: .person))
            }
        }
        if before.follows, !before.machine.isUnread { enter(.followsStore, .following) }
        if case .storing(let operation, let family) = before.signIn { storesSignIn(operation, family) }
        refreshSections()
        switch before.change {
        case .persisting, .persistingEnd: persists(for: .change)
        case .persistingQueued: persistsQueued(for: .change)
        case .synchronizing: enter(.synchronizes, .synchronizing(for: .change))
        case .storing(_, let request, let answer):
            commit(.changed(answer, request)) { process, world in
                if process.machine.answerArrived(answer, to: request, at: world.now) { return true }
                process.machine.answerIgnored(answer, to: request.stage)
                process.leaveChange(at: world.now)
                return false
            }
        case .none, .waitingForLock, .ready, .sent: break
        }
    }

    private func storesSignIn(_ operation: SignInOperation, _ family: Int) {
        commit(.signIn(operation), as: .storesSignIn) { process, world in
            let session = world.session(family, version: 0)
            guard
                process.machine.committed(operation, session, as: SharedWorld.id(of: family), at: world.now)
            else {
                process.signIn = .none
                return false
            }
            process.judged = before.judgedSignIn(in: &world)
            if before.everywhere != .none { process.committedSince = family }
            world.families[family].isDecided = true
            return true
        }
    }

    private func refreshSections() {
        switch before.refresh {
        case .persisting, .persistingRefusal: persists(for: .refresh)
        case .preparing, .persistingQueued: persistsQueued(for: .refresh)
        case .synchronizing: enter(.synchronizes, .synchronizing(for: .refresh))
        case .refused(_, let request): enter(.learnsOfRefusal, .refusal(request))
        case .marking(_, let request, let found):
            marksToken(request.stage, request.isRepeat, for: .refresh, over: found)
        case .clearingMark(_, let request): clearsMark(request.stage, request.markVersion, for: .refresh)
        case .storing(let refresh, let request, let answer):
            commit(.answer(answer, request)) { process, world in
                if process.machine.answerArrived(answer, to: request, at: world.now) { return true }
                process.machine.answerIgnored(answer, to: request.stage)
                process.judgeHandling(of: answer, in: &world)
                process.leave(refresh, .failure(.supersededHere), at: world.now)
                return false
            }
        case .none, .waitingForLock, .ready, .sent: break
        }
    }

    private func marksToken(
        _ stage: KeptSession.Stage, _ isRepeat: Bool, for task: ExploredProcess.Section.Task, over found: RecordSnapshot
    ) {
        step(.marksToken) { process, world, _ in process.mark(stage, isRepeat, for: task, over: found, at: world.now) }
    }

    private func persists(for task: ExploredProcess.Section.Task) {
        persists(for: task, if: before.machine.storage.pending != nil)
    }

    /// Writes what was not tried yet.
    private func persistsQueued(for task: ExploredProcess.Section.Task) {
        persists(for: task, if: before.machine.storage.isQueued)
    }

    private func persists(for task: ExploredProcess.Section.Task, if isPending: Bool) {
        if isPending { return enter(.persists, .persisting(for: task)) }
        // Another task has written it, or tried to.
        step(.persists) { process, world, _ in process.persisted(for: task, at: world.now) }
    }

    private func clearsMark(
        _ stage: KeptSession.Stage, _ version: RecordVersion?, for task: ExploredProcess.Section.Task
    ) {
        step(.clearsMark) { process, world, _ in
            if let (record, found) = process.machine.unmarkBegan(stage, at: version) {
                process.section = ExploredProcess.Section(
                    purpose: .unmark(for: task), stage: .writing(.mark(record, over: found)))
            } else {
                process.unmarked(task, at: world.now)
            }
        }
    }

    // MARK: Reading

    /// Begins with a decision, and writes it.
    private func commit(
        _ purpose: ExploredProcess.Section.Purpose, as action: Action = .storesAnswer,
        _ decide: (inout ExploredProcess, inout SharedWorld) -> Bool
    ) {
        var (process, world) = (before, world)
        if decide(&process, &world) {
            enter(action, purpose) { process, world in _ = decide(&process, &world) }
        } else {
            step(action) { process, world, _ in _ = decide(&process, &world) }
        }
    }

    private func enter(
        _ action: Action, _ purpose: ExploredProcess.Section.Purpose,
        _ first: (inout ExploredProcess, inout SharedWorld) -> Void = { _, _ in }
    ) {
        let found = records.snapshots[Int(world.disk)]
        step(action) { process, world, _ in
            first(&process, &world)
            process.begin(purpose, found)
        }
        guard world.budget.storeFailures > 0 else { return }
        step(.readFails) { process, world, _ in
            world.budget.storeFailures -= 1
            first(&process, &world)
            process.begin(purpose, nil)
        }
    }

    // MARK: Writing

    private func sectionSteps(_ section: ExploredProcess.Section) {
        switch section.stage {
        case .reading: enter(.readsAgain, section.purpose)
        case .read(let snapshot):
            step(.learnsWhatItRead) { process, world, _ in process.learn(snapshot, in: &world) }
        case .written(let write, let isStored):
            step(.learnsThatItWrote) { process, world, _ in process.wrote(write, isStored: isStored, in: &world) }
        case .removed(let attempt, let isRemoved):
            step(.learnsThatItRemoved) { process, world, _ in
                process.removed(insteadOf: attempt, isRemoved: isRemoved, in: &world)
            }
        case .writing(let write): writeSteps(write, section.purpose)
        case .removing(let attempt): removalSteps(attempt)
        }
    }

    /// Whether the store takes a write over that record.
    private func isPresent(_ found: RecordSnapshot) -> Bool {
        found.version == records.snapshots[Int(world.disk)].version
    }

    private func writeSteps(
        _ write: ExploredProcess.Section.Write, _ purpose: ExploredProcess.Section.Purpose
    ) {
        let isPresent = isPresent(write.found)
        func land(_ process: inout ExploredProcess, _ world: inout SharedWorld, _ broken: inout [String]) {
            if case .decision(let attempt) = write { process.judgeWrite(attempt) }
            Invariants.writes(
                records.number(ofNext: write.record), write, by: process.judged, in: &world, records, &broken)
            process.numberVersions(isWritten: true)
        }
        func fail(_ process: inout ExploredProcess, isStored: Bool) {
            if case .writing(let write)? = process.section?.stage {
                process.section?.stage = .written(write, isStored: isStored)
            }
        }
        if isPresent {
            step(.writes) { process, world, broken in
                land(&process, &world, &broken)
                fail(&process, isStored: true)
            }
        } else {
            step(.writeIsRefused) { process, world, _ in
                switch purpose {
                // A mark is cleared over its own version alone, and made over the one that was read.
                case .unmark(let task): return process.unmarked(task, at: world.now)
                case .mark(let task): return process.marked(task, .some(nil), at: world.now)
                default: break
                }
                process.section?.stage = .reading
            }
        }
        guard world.budget.storeFailures > 0 else { return }
        step(.writeFails) { process, world, _ in
            world.budget.storeFailures -= 1
            if case .decision(let attempt) = write { process.judgeWrite(attempt) }
            fail(&process, isStored: false)
        }
        guard isPresent else { return }
        step(.writeFailsAfterLanding) { process, world, broken in
            world.budget.storeFailures -= 1
            land(&process, &world, &broken)
            fail(&process, isStored: false)
        }
    }

    private func removalSteps(_ attempt: SessionStateMachine.WriteAttempt) {
        if isPresent(attempt.found) {
            step(.removes) { process, world, broken in
                process.judgeRemoval(attempt)
                Invariants.writes(
                    RecordTable.removed, .decision(attempt), by: process.judged, in: &world, records, &broken)
                process.numberVersions(isWritten: true)
                if case .removing(let attempt)? = process.section?.stage {
                    process.section?.stage = .removed(attempt, isRemoved: true)
                }
            }
        } else {
            step(.writeIsRefused) { process, _, _ in process.section?.stage = .removed(attempt, isRemoved: false) }
        }
        guard world.budget.storeFailures > 0 else { return }
        step(.removalFails) { process, world, _ in
            world.budget.storeFailures -= 1
            process.section?.stage = .removed(attempt, isRemoved: false)
        }
    }
}
