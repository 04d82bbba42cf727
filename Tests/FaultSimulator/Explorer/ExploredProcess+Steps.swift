import AuthStreams
import Foundation

/// What the manager and the use cases do in memory between two steps that take time.
extension ExploredProcess {
    /// Performs what the last facts asked for.
    mutating func performEffects() {
        var hasNextEnded = false
        let effects = machine.takeEffects()
        for action in effects.actions {
            switch action {
            case .interrupt(let interruption, _):
                guard signIn.operation?.interruption === interruption else { continue }
                // A session that is about to be stored finds that it does not count any more.
                if case .signIn(let operation, _)? = section?.purpose, operation == signIn.operation { continue }
                signIn = .none
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
                if !holdsLock { broken.append("A lock was released that is not held.") }
                holdsLock = false
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

    mutating func die(in world: inout SharedWorld, _ records: RecordTable) {
        self = ExploredProcess()
        if let tokens = records.tokens[Int(world.disk)], world.families[tokens.family].version > tokens.version {
            world.families[tokens.family].isAnswerLost = true
        }
        // What another SDK left is found again.
        if world.legacy != nil, !world.isAdopted, world.families[0].version > 0 {
            world.families[0].isAnswerLost = true
        }
    }

    // MARK: After reading

    mutating func learn(_ snapshot: RecordSnapshot?, in world: inout SharedWorld, _ records: RecordTable) {
        guard let section else { return }
        let now = world.now
        switch section.purpose {
        case .restoring(let confirmed): restore(snapshot, confirmed, section, in: world)
        case .following:
            self.section = nil
            guard let snapshot else { return }
            takeOver(snapshot, at: now)
            follows = false
            if machine.storage.isQueued { persists = true }
        case .refreshSynchronizing:
            self.section = nil
            guard let refresh = refresh.operation else { return }
            guard let snapshot else { return leave(refresh, .failure(.storeFailed), at: now) }
            takeOver(snapshot, at: now)
            prepare(refresh, at: now)
        case .refusal(let request):
            self.section = nil
            guard let refresh = refresh.operation else { return }
            if let snapshot { takeOver(snapshot, at: now) }
            let error = AuthError.refused
            guard let reason = error.classification.sessionEnd(afterRepeat: request.isRepeat) else { return }
            let isEnded = machine.refreshRejected(request, reason, because: error, at: now.uptime)
            if isEnded, machine.storage.pending != nil {
                self.refresh = .persistingRefusal(refresh)
            } else {
                leave(refresh, .failure(error), at: now)
            }
        case .migrationSynchronizing(let request):
            self.section = nil
            synchronizedMigration(request, snapshot, at: now)
        case .withdrawalSynchronizing:
            self.section = nil
            if let snapshot { takeOver(snapshot, at: now) }
            if case .synchronizing(let withdrawal) = withdrawal { self.withdrawal = .ending(withdrawal) }
        case .persisting, .signIn, .removingReplacedUser, .mark, .refreshAnswer, .beginningMigration, .migrationMark,
            .migrated:
            beginWriting(over: snapshot, in: &world, records)
        }
    }

    private mutating func restore(
        _ snapshot: RecordSnapshot?, _ confirmed: UInt64?, _ section: Section, in world: SharedWorld
    ) {
        let now = world.now
        self.section = nil
        let generation = confirmed ?? section.generation
        guard let snapshot else {
            machine.restoreFailed(.storeFailed, of: generation, isRetry: false, at: now.uptime, since: .zero)
            launch = .reading
            return
        }
        switch (snapshot.record, confirmed) {
        case (nil, nil):
            let next: Launch =
                world.legacy == nil
                ? .confirming(generation: generation) : .lookingForLegacySession(generation: generation)
            launch = machine.isUnread ? next : .done
        case (.some, .some): launch = .reading
        case (.some, nil), (nil, .some):
            machine.restored(snapshot, of: generation, at: now, since: .zero)
            launch = machine.isUnread ? .reading : .done
            resumeMigration()
        }
        if launch == .done, machine.storage.pending != nil { persists = true }
    }

    mutating func takeOver(_ snapshot: RecordSnapshot, at now: Timestamp) {
        guard !machine.isUnread, machine.observed(snapshot) else { return }
        machine.recordObserved(snapshot, at: now)
    }

    private mutating func prepare(_ operation: RefreshOperation, at now: Timestamp) {
        if let token = machine.replacement(of: operation, at: now.uptime) {
            return leave(operation, .token(token), at: now)
        }
        guard let request = machine.request(for: operation) else {
            return leave(operation, .failure(.supersededHere), at: now)
        }
        if request.isStored {
            refresh = .marking(operation, request)
        } else {
            machine.markInMemory(.sent, in: request.generation)
            refresh = .ready(operation, request)
        }
    }

    // MARK: Writing

    private mutating func beginWriting(
        over snapshot: RecordSnapshot?, in world: inout SharedWorld, _ records: RecordTable
    ) {
        guard var section else { return }
        let now = world.now
        var base = machine.storage.accepted
        if let snapshot {
            base = snapshot
            if case .signIn = section.purpose {
                machine.recordRead(snapshot)
            } else if machine.isUnread {
                machine.recordRead(snapshot)
            } else {
                takeOver(snapshot, at: now)
            }
        }
        guard let base, let next = next(&section, in: &world, at: now) else {
            // Where the store cannot be read, and what it held was never known, a write that is wanted has failed.
            let isFailed = base == nil && (section.hasBegun || self.next(&section, in: &world, at: now) != nil)
            self.section = section
            return wrote(isFailed ? .failed : .unwanted, 0, in: &world, records)
        }
        // Before the removal, or a crash in between would leave an empty store that is not marked.
        if next.record == nil, world.legacy != nil { world.isAdopted = true }
        let number = records.number(of: next.record)
        section.hasBegun = true
        let isFirst = machine.storage.writeBegan(records.snapshots[Int(number)])
        section.stage = .writing(number, over: base.stored.version, isFirst: isFirst)
        self.section = section
    }

    private struct Next { let record: SessionRecord? }

    /// What is to be written, by what is present at this moment; `nil` for nothing.
    private mutating func next(_ section: inout Section, in world: inout SharedWorld, at now: Timestamp) -> Next? {
        switch section.purpose {
        case .persisting:
            guard machine.storage.pending != nil else { return nil }
            section.generation = machine.generation
            section.reason = machine.storage.pending?.reason
            return Next(record: machine.record(at: now.date))
        case .signIn(let operation, let session):
            guard machine.operations.commit(operation) else { return nil }
            if let tokens = TokenNumber(session.refreshToken) { world.families[tokens.family].bornAt = world.uptime }
            section.begun = now
            world.tick()
            return Next(
                record: SessionRecord(
                    .established(session), isUnanswered: false, signedInAt: now.date, savedAt: now.date))
        case .removingReplacedUser:
            guard case .established(let found)? = machine.storage.observed?.record?.kept,
                found.user.id != machine.session?.user.id
            else { return nil }
            section.reason = machine.storage.pending?.reason
            return Next(record: nil)
        case .mark(let journal, let request, _):
            return machine.mark(
                journal, of: request.session.refreshToken, in: request.generation, after: request.foreignRecords,
                at: now.date
            ).map { Next(record: $0) }
        case .refreshAnswer(let answer, let request):
            let next = machine.replacement(by: answer, to: request, at: now.date)
            section.replacement = next ?? section.replacement
            return next.map { Next(record: $0.record) }
        case .beginningMigration(let legacy, let generation):
            guard !world.isAdopted else { return nil }
            return machine.migrationRecord(of: legacy, in: generation, at: now.date)
                .map { Next(record: $0) }
        case .migrationMark(let journal, let request, _):
            return machine.mark(
                journal, of: nil, in: request.generation, after: request.foreignRecords, at: now.date
            ).map { Next(record: $0) }
        case .migrated(let session, let request):
            guard machine.isMigrating(in: request.generation) else { return nil }
            return Next(record: SessionRecord(.established(session), isUnanswered: false, savedAt: now.date))
        case .restoring, .following, .refreshSynchronizing, .refusal, .migrationSynchronizing,
            .withdrawalSynchronizing:
            return nil
        }
    }

    /// A write has ended.
    mutating func wrote(
        _ outcome: Section.Outcome, _ record: RecordTable.Number, in world: inout SharedWorld, _ records: RecordTable
    ) {
        guard let section else { return }
        let now = world.now
        self.section = nil
        if outcome == .done { machine.storage.written(records.snapshots[Int(record)]) }
        let failure: AuthError? = outcome == .failed ? .storeFailed : nil
        switch section.purpose {
        case .persisting(let caller):
            if let failure { machine.writeFailed(failure, at: now.uptime) }
            if outcome == .done { machine.written(in: section.generation) }
            // What was decided while this wrote is written in the same turn.
            if outcome == .done, machine.storage.pending != nil {
                self.section = Section(purpose: section.purpose)
                return
            }
            switch caller {
            case .person: persists = false
            case .refresh: persistedForRefresh(at: now)
            case .migration: persistedForMigration(at: now)
            }
        case .signIn(let operation, let session):
            var counts = false
            if outcome != .unwanted, let begun = section.begun {
                counts = machine.signedIn(session, by: operation, begun: begun, at: now, failure: failure)
            }
            if signIn.operation == operation { signIn = .none }
            if outcome != .unwanted, !counts, let tokens = TokenNumber(session.refreshToken) {
                world.families[tokens.family].isSuperseded = true
            }
            if counts, failure != nil { self.section = Section(purpose: .removingReplacedUser) }
        case .mark(let journal, let request, let before):
            guard let refresh = refresh.operation else { return }
            if outcome == .done { machine.written(in: request.generation) }
            if let failure {
                machine.markFailed(journal, before: before, in: request.generation, failure, at: now.uptime)
            }
            switch (journal, outcome) {
            case (.sent, .done): self.refresh = .ready(refresh, request)
            case (.sent, .unwanted): self.refresh = .synchronizing(refresh)
            case (.sent, .failed): leave(refresh, .failure(.storeFailed), at: now)
            case (.clear, _): leave(refresh, .failure(.unreachable), at: now)
            }
        case .refreshAnswer(let answer, let request): stored(answer, to: request, section, outcome, failure, at: now)
        case .beginningMigration(let legacy, let generation):
            beganMigration(legacy, in: generation, outcome, isBaseStale: section.isBaseStale, in: &world)
        case .migrationMark(let journal, let request, let before):
            markedMigration(journal, request, before, outcome, in: &world)
        case .migrated(let session, let request): storedMigration(session, request, outcome, at: now)
        case .removingReplacedUser, .restoring, .following, .refreshSynchronizing, .refusal, .migrationSynchronizing,
            .withdrawalSynchronizing:
            break
        }
    }

    private mutating func stored(
        _ answer: Session, to request: RefreshRequest, _ section: Section, _ outcome: Section.Outcome,
        _ failure: AuthError?, at now: Timestamp
    ) {
        guard let refresh = refresh.operation else { return }
        if outcome != .unwanted, let replacement = section.replacement {
            switch machine.replaced(by: replacement, to: request, failure, at: now) {
            case .present: return leave(refresh, .token(replacement.session.accessToken), at: now)
            case .withheld: return leave(refresh, .failure(.storeFailed), at: now)
            case .superseded: break
            }
        }
        machine.answerIgnored(answer, consuming: request.session.refreshToken)
        leave(refresh, .failure(.supersededHere), at: now)
    }

    private mutating func persistedForRefresh(at now: Timestamp) {
        switch refresh {
        case .persisting(let refresh): self.refresh = .synchronizing(refresh)
        case .persistingRefusal(let refresh): leave(refresh, .failure(.refused), at: now)
        case .persistingQueued(let refresh, let result): releaseLock(refresh, result, at: now)
        default: break
        }
    }

    // MARK: The end of a refresh

    /// Leaves the section that the refresh lock guards: first writes what was decided and not written yet.
    mutating func leave(_ operation: RefreshOperation, _ result: RefreshResult, at now: Timestamp) {
        if machine.storage.isQueued {
            refresh = .persistingQueued(operation, result)
        } else {
            releaseLock(operation, result, at: now)
        }
    }

    private mutating func releaseLock(_ operation: RefreshOperation, _ result: RefreshResult, at now: Timestamp) {
        holdsLock = machine.storage.retain(StepList.lock)
        refreshEnds(operation, result, at: now)
    }

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
