import AuthStreams
import Foundation

/// What the manager and the use cases do in memory between two steps that take time.
extension ExploredProcess {
    mutating func launch(in world: SharedWorld) {
        machine = SessionStateMachine(adopts: world.adoptable != nil)
        launch = .reading
    }

    /// Performs what the last facts asked for.
    mutating func performEffects() {
        var hasNextEnded = false
        let effects = machine.takeEffects()
        for action in effects.actions {
            switch action {
            case .interrupt(let interruption, _):
                if signIn.operation?.interruption === interruption { signIn = .none }
                if change.change?.operation.interruption === interruption {
                    if case .waitingForLock = change { change = .none } else { isChangeInterrupted = true }
                }
            case .supersede(let operation):
                if nextRefresh === operation {
                    (nextRefresh, hasNextEnded) = (nil, true)
                    continue
                }
                guard refresh.operation === operation else {
                    broken.append("A refresh was superseded that is not under way.")
                    continue
                }
                if case .waitingForLock = refresh { refresh = .none } else { isRefreshSuperseded = true }
            case .finish(let operation, _):
                if refresh.operation !== operation || isRefreshSuperseded {
                    broken.append("A refresh was finished that is not under way.")
                }
            case .release:
                if lock == .none { broken.append("A lock was released that is not held.") }
                lock = .none
            case .ask, .endQuestion: broken.append("The person is asked, and there is no gate.")
            }
        }
        for event in effects.events {
            if hasNextEnded, event.kind == .refreshFailed {
                // The refresh that was not sent yet; what was reported is of the one before.
                hasNextEnded = false
            } else {
                report(event)
            }
        }
    }

    private mutating func report(_ event: AuthEvent) {
        events.append(event)
        switch event.kind {
        case .refreshStarted, .refreshResent:
            if reported != .nothing { broken.append("A refresh is reported twice.") }
            reported = .sent
        case .refreshSucceeded, .refreshRefused:
            if reported != .sent { broken.append("The end of a refresh is reported that was not sent.") }
            reported = .ended
        case .refreshFailed:
            if reported == .ended { broken.append("The end of a refresh is reported twice.") }
            reported = refresh == .none ? .nothing : .ended
        default: break
        }
    }

    // MARK: Reading

    /// Reads the record. Where the section writes a decision, that is being written from then on.
    ///
    /// - Parameter found: `nil` when the reading fails.
    mutating func begin(_ purpose: Section.Purpose, _ found: RecordSnapshot?) {
        section = Section(purpose: purpose, stage: .read(found))
        if purpose.writesDecision { machine.storage.beginWriting() }
    }

    /// - Parameter snapshot: `nil` when the reading failed.
    mutating func learn(_ snapshot: RecordSnapshot?, in world: inout SharedWorld) {
        guard let section else { return }
        let now = world.now
        switch section.purpose {
        case .restoring, .adopting, .showing: restore(snapshot, section.purpose, in: &world)
        case .following:
            self.section = nil
            guard let snapshot else { return }
            follows = false
            takeOver(snapshot, at: now)
            if machine.storage.isQueued { persists = true }
        case .synchronizing(let task):
            self.section = nil
            if let snapshot { takeOver(snapshot, for: task, at: now) }
            if [.withdrawal, .everywhere].contains(task), machine.storage.isQueued { persists = true }
            synchronized(task, snapshot, at: now)
        case .refusal(let request):
            self.section = nil
            if let snapshot { takeOver(snapshot, at: now) }
            refused(request, isRead: snapshot != nil, in: &world)
        case .persisting, .signIn, .adoption, .answer, .changed: write(over: snapshot, in: &world)
        case .mark, .unmark: break
        }
    }

    private mutating func restore(
        _ snapshot: RecordSnapshot?, _ purpose: Section.Purpose, in world: inout SharedWorld
    ) {
        let now = world.now
        guard let snapshot else {
            section = nil
            launch = .reading
            return machine.restoreFailed(.storeFailed, .showSignedOut, at: now.uptime, since: .zero)
        }
        if snapshot.version == .none {
            switch purpose {
            case .restoring where world.adoptable != nil && machine.isUnread:
                section = nil
                launch = .lookingForAdoptableSession
                return
            case .adopting(let adoptable) where machine.adoptionDecided(adoptable, after: snapshot):
                section = Section(purpose: .adoption)
                return write(over: snapshot, in: &world)
            default: break
            }
        }
        section = nil
        machine.restored(snapshot, at: now, since: .zero)
        endLaunch()
    }

    /// It is known what the store held, or what was decided meanwhile.
    mutating func endLaunch() {
        launch = .done
        if machine.storage.pending != nil { persists = true }
    }

    mutating func takeOver(_ snapshot: RecordSnapshot, for task: Section.Task? = nil, at now: Timestamp) {
        // These hold the lock by now.
        let isNeeded = [.refresh, .change].contains(task)
        if !machine.isUnread { _ = machine.observed(snapshot, toReplaceTokens: isNeeded, at: now) }
    }

    /// Another process's changes are known now, unless the store could not be read.
    private mutating func synchronized(_ task: Section.Task, _ found: RecordSnapshot?, at now: Timestamp) {
        switch task {
        case .refresh:
            guard let refresh = refresh.operation else { return }
            guard let found else { return leave(refresh, .failure(.storeFailed), at: now) }
            if machine.storage.isQueued {
                self.refresh = .preparing(refresh)
            } else {
                prepare(refresh, over: found, at: now)
            }
        case .change: synchronizedChange(found != nil, at: now)
        case .withdrawal:
            if case .synchronizing(let identity, let family) = withdrawal {
                withdrawal = .ending(identity, family: family)
            }
        case .everywhere: if case .synchronizing(let request) = everywhere { everywhere = .ending(request) }
        case .person: break
        }
    }

    // MARK: The refresh

    private mutating func prepare(_ operation: RefreshOperation, over found: RecordSnapshot, at now: Timestamp) {
        if let token = machine.replacement(of: operation, at: now.uptime) {
            return leave(operation, .token(token), at: now)
        }
        guard let request = machine.request(for: operation) else {
            return leave(operation, .failure(.supersededHere), at: now)
        }
        refresh = .marking(operation, request, over: found)
    }

    private mutating func refused(_ request: RefreshRequest, isRead: Bool, in world: inout SharedWorld) {
        let now = world.now
        guard let refresh = refresh.operation,
            let reason = AuthError.refused.classification.sessionEnd(afterRepeat: request.isRepeat)
        else { return }
        if lock == .lost,
            machine.mayBeUsedElsewhere(request, refused: reason, isRead: isRead)
        {
            return leave(refresh, .failure(.storeFailed), at: now)
        }
        let before = machine
        if machine.refreshRejected(request, reason, because: .refused, at: now.uptime) {
            judgeRefusal(before, in: &world)
            judgeRefusal(of: request, in: world)
            self.refresh = .persistingRefusal(refresh)
        } else {
            leave(refresh, .failure(.refused), at: now)
        }
    }

    /// The request did not leave the device.
    mutating func requestWasNotSent(_ refresh: RefreshOperation, _ request: RefreshRequest, at now: Timestamp) {
        if request.isRepeat {
            leave(refresh, .failure(.unreachable), at: now)
        } else {
            self.refresh = .clearingMark(refresh, request)
        }
    }

    // MARK: Marks

    /// Begins to mark a token over the record that was read right before.
    mutating func mark(
        _ stage: KeptSession.Stage, _ isRepeat: Bool, for task: Section.Task, over found: RecordSnapshot,
        at now: Timestamp
    ) {
        section = Section(purpose: .mark(task), stage: .reading)
        switch machine.markBegan(stage, isRepeat: isRepeat, over: found) {
        case .write(let record): section?.stage = .writing(.mark(record, over: found))
        case .inMemory: marked(task, .some(.some(nil)), at: now)
        case .outdated: marked(task, .some(nil), at: now)
        case .impossible: marked(task, nil, at: now)
        }
    }

    /// - Parameter mark: As the manager's `mark` returns it; the outermost `nil` for a failure.
    mutating func marked(_ task: Section.Task, _ mark: RecordVersion???, at now: Timestamp) {
        section = nil
        guard case .marking(let refresh, var request, _) = refresh else { return }
        switch mark {
        case nil: leave(refresh, .failure(.storeFailed), at: now)
        case .some(nil): self.refresh = .synchronizing(refresh)
        case .some(.some(let version)):
            request.markVersion = version
            self.refresh = .ready(refresh, request)
        }
    }

    mutating func unmarked(_ task: Section.Task, at now: Timestamp) {
        section = nil
        if case .clearingMark(let refresh, _) = refresh, task == .refresh {
            leave(refresh, .failure(.unreachable), at: now)
        }
    }

    // MARK: Writing

    /// Writes what is pending over what was read; over what was seen last if reading failed.
    mutating func write(over snapshot: RecordSnapshot?, in world: inout SharedWorld) {
        switch machine.writeBegan(over: snapshot.map { .success($0) } ?? .failure(.storeFailed), at: world.now) {
        case .success(var attempt?):
            if world.budget.damages == 0, !world.wasDamaged {
                // Without a damage, every older session has ended or is in `ends`, so that its first version says nothing new.
                attempt.record.history.firstVersion = nil
                attempt.decision.reading?.first = .none
            } else if attempt.found.version == .none, attempt.record.session != nil {
                // The record of the next version is numbered as every other one.
                attempt.record.history.firstVersion = RecordTable.present.next
            }
            section?.stage = .writing(.decision(attempt))
        case .success(nil): continueWriting(in: &world)
        case .failure(let error): finish(error, in: &world)
        }
    }

    /// What was decided during the write is written in the same turn.
    private mutating func continueWriting(in world: inout SharedWorld) {
        if machine.storage.pending == nil { finish(nil, in: &world) } else { section?.stage = .reading }
    }

    /// A write has ended.
    mutating func wrote(_ write: Section.Write, isStored: Bool, in world: inout SharedWorld) {
        guard let section else { return }
        let now = world.now
        switch (write, section.purpose) {
        case (.decision(let attempt), _):
            machine.writeEnded(
                attempt, isStored ? .success(RecordTable.present) : .failure(.storeFailed), at: now)
            if isStored { return continueWriting(in: &world) }
            if machine.removedInstead(of: attempt) != nil {
                self.section?.stage = .removing(attempt)
            } else {
                finish(.storeFailed, in: &world)
            }
        case (.mark(let record, let found), .mark(let task)):
            if isStored { machine.markWritten(record, as: RecordTable.present, over: found, at: now) }
            marked(task, isStored ? .some(.some(RecordTable.present)) : nil, at: now)
        case (.mark(let record, let found), .unmark(let task)):
            if isStored { machine.markWritten(record, as: RecordTable.present, over: found, at: now) }
            unmarked(task, at: now)
        case (.mark, _): break
        }
    }

    mutating func removed(
        insteadOf attempt: SessionStateMachine.WriteAttempt, isRemoved: Bool, in world: inout SharedWorld
    ) {
        if isRemoved { machine.removed(insteadOf: attempt, as: RecordTable.present) }
        finish(.storeFailed, in: &world)
    }

    /// What was to be written was, or the store failed.
    private mutating func finish(_ failure: AuthError?, in world: inout SharedWorld) {
        guard let section else { return }
        let now = world.now
        self.section = nil
        switch section.purpose {
        case .persisting(let task):
            persisted(for: task, at: now)
        // Stored, or another process was first, or the store failed.
        case .adoption: if machine.isUnread { launch = .showing } else { endLaunch() }
        case .signIn(let operation): if signIn.operation == operation { signIn = .none }
        case .answer(let answer, let request):
            guard let refresh = refresh.operation else { return }
            judgeHandling(of: answer, in: &world)
            switch machine.answerSettled(answer, to: request, failure, at: now) {
            case .success(let session): leave(refresh, .token(session.accessToken), at: now)
            case .failure(let error): leave(refresh, .failure(error), at: now)
            }
        case .changed(let answer, let request):
            _ = machine.answerSettled(answer, to: request, failure, at: now)
            leaveChange(at: now)
        case .restoring, .adopting, .showing, .following, .synchronizing, .refusal, .mark, .unmark:
            break
        }
    }

    /// What was pending is written, or the store failed.
    mutating func persisted(for task: Section.Task, at now: Timestamp) {
        switch task {
        // What was decided after a failure has its own caller.
        case .person: persists = machine.storage.isQueued
        case .refresh: persistedForRefresh(at: now)
        case .change: persistedForChange(at: now)
        case .withdrawal, .everywhere: break
        }
    }

    private mutating func persistedForRefresh(at now: Timestamp) {
        switch refresh {
        case .persisting(let refresh): self.refresh = .synchronizing(refresh)
        case .preparing(let refresh): self.refresh = .synchronizing(refresh)
        case .persistingRefusal(let refresh): leave(refresh, .failure(.refused), at: now)
        case .persistingQueued(let refresh, let result): releaseLock(refresh, result, at: now)
        default: break
        }
    }

    // MARK: The end of a refresh

    /// Leaves the section that the refresh lock guards: first writes what was decided and not written yet.
    mutating func leave(_ operation: RefreshOperation, _ result: RefreshResult, at now: Timestamp) {
        if machine.storage.isUnderWay {
            refresh = .persistingQueued(operation, result)
        } else {
            releaseLock(operation, result, at: now)
        }
    }

    private mutating func releaseLock(_ operation: RefreshOperation, _ result: RefreshResult, at now: Timestamp) {
        retainLock()
        refreshEnds(operation, result, at: now)
    }

    mutating func retainLock() { if !machine.storage.retain(StepList.lock) { lock = .none } }

    mutating func refreshEnds(_ operation: RefreshOperation, _ result: RefreshResult, at now: Timestamp) {
        machine.refreshEnded(operation, result.result, at: now)
        performEffects()
        refresh = nextRefresh.take().map { .waitingForLock($0) } ?? .none
        isRefreshSuperseded = false
        if reported == .sent { broken.append("The end of a refresh is not reported.") }
        reported = .nothing
    }
}

extension AuthError {
    static let storeFailed = AuthError(.storage, "The store failed.")
    static let unreachable = AuthError(.network, "No answer was read.")
    static let lockTimedOut = AuthError(.timedOut, "Another process held the lock.")
    static let refused = AuthError(.sessionExpired, "The server refused the refresh token.")
    static let supersededHere = AuthError(.superseded, "The session is over.")
}
