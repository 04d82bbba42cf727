package import Foundation

/// What the store reports: writes of this process, and records of other processes.
extension SessionStateMachine {
    // MARK: Writing what is pending

    /// What the rules ask for besides the record.
    private var knowledge: PendingWrite.Knowledge {
        PendingWrite.Knowledge(version: storage.known?.version, history: storage.history, adopts: adopts)
    }

    /// One write of what is pending.
    package struct WriteAttempt: Hashable, Sendable {
        /// What is pending after this write, unless the store refuses it.
        package var decision: PendingWrite
        package var record: SessionRecord
        /// The record that it replaces.
        package var found: RecordSnapshot
    }

    /// The record was read, to write what is pending over it, or could not be.
    ///
    /// Where it could not be, what is pending is written over the record that was read last. The store refuses that if there has
    /// been another one since.
    ///
    /// - Returns: What to write; `nil` if nothing is pending, or it was decided since the reading began. A decision that yields
    ///   to the record is dropped, and the record taken over.
    /// - Throws: Why the record could not be read, if nothing is written without that; `storage` if the decision yields to a
    ///   record of a newer version, which cannot be taken over.
    package mutating func writeBegan(
        over reading: Result<RecordSnapshot, AuthError>, at now: Timestamp
    ) -> Result<WriteAttempt?, AuthError> {
        if case .success(let found) = reading { storage.recordRead(found) }
        guard let pending = storage.pending, !storage.isQueued else { return .success(nil) }
        if let found = storage.lastSeen,
            case .write(let record, let decision) = pending.outcome(over: found, knowing: knowledge)
        {
            storage.compared(with: found, by: decision)
            return .success(WriteAttempt(decision: decision, record: record, found: found))
        }
        switch reading {
        case .success(let found):
            storage.yielded()
            return yield(pending, to: found, at: now).map { nil }
        case .failure(let error):
            if pending.kind == .adoption {
                // What another process has decided is not known, and an adoption is older. It is looked for again.
                emit(AuthEvent(.storageFailed, failure: .of(error)))
                settle()
            } else {
                nothingWritten(error, at: now)
            }
            return .failure(error)
        }
    }

    /// Another process decided later.
    private mutating func yield(
        _ decision: PendingWrite, to found: RecordSnapshot, at now: Timestamp
    ) -> Result<Void, AuthError> {
        // At a launch, the record is shown as any other that is found.
        if isUnread, decision.kind == .adoption {
            settle()
            return .success(())
        }
        guard found.isNewer, let problem = found.problem else {
            takeOver(found, at: now)
            return .success(())
        }
        if decision.isSignIn || decision.kind == .adoption {
            operations.dropCommitted()
            settle()
        } else {
            // An answer is not lost: it is written once the record can be read again.
            nothingWritten(problem.error, at: now)
        }
        return .failure(problem.error)
    }

    /// The record was written, or could not be.
    ///
    /// - Parameters:
    ///   - result: The version of the record; or why the store failed. It may hold the record all the same.
    ///   - data: The bytes of the record.
    package mutating func writeEnded(
        _ attempt: WriteAttempt, _ result: Result<RecordVersion, AuthError>, as data: Data = Data(), at now: Timestamp
    ) {
        switch result {
        case .success(let version):
            let stored = StoredRecord(data: data, version: version)
            storage.written(RecordSnapshot(attempt.record, as: stored), over: attempt.found)
            guard update(to: attempt.decision) else { return }
            show(attempt.record.session, by: attempt.decision, isStored: true, at: now)
            settle()
        case .failure(let error):
            defer { storage.writeMayHaveLanded() }
            guard update(to: attempt.decision) else {
                return emit(AuthEvent(.storageFailed, failure: .of(error)))
            }
            writeFailed(error, at: now)
        }
    }

    /// The version of a record to remove, because a decision could not be written over it that ends its session.
    package func removedInstead(of attempt: WriteAttempt) -> RecordVersion? {
        guard let stage = attempt.found.stage, attempt.decision.ends.contains(stage.id) else { return nil }
        // The same user's is better than none: a restart brings them back, and the server says whether it is over.
        if let next = attempt.decision.next, next.userID == attempt.found.ownSession?.userID { return nil }
        return attempt.found.version
    }

    /// A record was removed, because a decision could not be written over it.
    package mutating func removed(insteadOf attempt: WriteAttempt, as version: RecordVersion) {
        storage.written(RecordSnapshot(nil, as: StoredRecord(data: nil, version: version)), over: attempt.found)
        storage.removed(ending: attempt.decision.ends)
        guard let pending = storage.beingWritten() else { return }
        // A decision that leaves no session has nothing more to write. Another one replaces this removal.
        if pending.next == nil { settle() } else { storage.pending?.reading?.version = version }
    }

    /// Nothing could be written: the record could not be read, or a newer version of the library wrote it, or the store refused
    /// every write. If the decision has had no first reading, that is still to come.
    package mutating func nothingWritten(_ error: AuthError, at now: Timestamp) {
        // What was decided since the reading began reads the record itself.
        if !storage.isQueued { writeFailed(error, at: now) }
    }

    private mutating func writeFailed(_ error: AuthError, at now: Timestamp) {
        guard let decision = storage.pending else { return }
        show(decision.next, by: decision, isStored: false, at: now)
        let delay = storage.writeFailed(error, spreadBy: kept?.refreshToken, at: now.uptime)
        emit(
            AuthEvent(
                .storageFailed, provider: decision.next?.provider, failure: .of(error),
                details: delay.map { .retry(in: $0) }))
    }

    /// Rule 10: a write settles only the decision that it was made of, which is what it was at the reading from then on. A later
    /// one waits for its turn.
    ///
    /// - Returns: Whether it is pending still.
    private mutating func update(to decision: PendingWrite) -> Bool {
        guard let pending = storage.beingWritten() else { return false }
        var decision = decision
        (decision.progress, decision.storedToken) = (pending.progress, pending.storedToken)
        storage.pending = decision
        return true
    }

    /// Shows what a decision brings, once it is stored or the store has failed.
    private mutating func show(
        _ kept: KeptSession?, by decision: PendingWrite, isStored: Bool, at now: Timestamp
    ) {
        guard let kept else { return }
        guard let session = kept.session else {
            guard active?.stage.id != kept.id else { return }
            show(kept, at: now)
            return emit(AuthEvent(.adoptionStarted, provider: kept.provider))
        }
        if let operation = operations.committed, decision.isSignIn {
            return signedIn(kept, session, by: operation, at: now)
        }
        // The answer that this process read, or what another process made of the same session meanwhile.
        let isOwn = decision.next?.session?.accessToken == session.accessToken
        if isOwn { answered(kept, session, isStored: isStored, at: now) } else { show(kept, at: now) }
    }

    /// The store holds what is present.
    mutating func settle() {
        let wasWithheld = storage.withholdsToken
        if let lock = storage.settle() { add(.release(lock)) }
        // The server had confirmed the session; the store had failed.
        if wasWithheld { updateActive { $0.endOutage() } }
    }

    // MARK: Records of other processes

    /// The record was read, to learn what other processes wrote. It is taken over, unless something that was decided here
    /// replaces it.
    ///
    /// - Parameter isNeeded: Whether the tokens are to be replaced now. Then a process that writes a damaged record again has had
    ///   the time for it.
    /// - Throws: `storage` when a newer version of the library wrote it, unless the person signed in or out here.
    package mutating func observed(
        _ found: RecordSnapshot, toReplaceTokens isNeeded: Bool = false, at now: Timestamp
    ) -> Result<Void, AuthError> {
        storage.recordRead(found)
        if let problem = found.problem, found.isNewer {
            return storage.pending?.isOfPerson == true ? .success(()) : .failure(problem.error)
        }
        if let pending = storage.pending {
            let known = knowledge
            storage.read(found)
            // It reads the record itself once it is its turn.
            guard !storage.isQueued else { return .success(()) }
            switch pending.outcome(over: found, knowing: known) {
            case .yield: takeOver(found, at: now)
            case .write(let record, _): takeOverTokens(of: record.session, at: now)
            }
            return .success(())
        }
        // An adoptable session is older than the session here, whose record was lost.
        if let kept, kept.session != nil, let other = found.session, other.isFoundAtLaunch, other.id != kept.id {
            storage.decide(PendingWrite(.signIn, ending: [other.id], next: kept), over: nil)
            return .success(())
        }
        // Rule 6. A damaged record that another process wrote since is left to it: it may hold a newer session. If it does not write
        // that again, what became of the tokens is not known, and they are not sent.
        if found.isDamaged, let kept, found.version == storage.known?.version {
            storage.read(found)
            storage.decide(PendingWrite(.tokens, ending: [], next: kept), over: nil)
        } else if found.stored != storage.known?.stored, !found.isDamaged || isNeeded {
            takeOver(found, at: now)
        }
        return .success(())
    }

    /// Rule 4: another process replaced the tokens of the session, of which something else is still to be written.
    ///
    /// - Parameter merged: What is to be written.
    private mutating func takeOverTokens(of merged: KeptSession?, at now: Timestamp) {
        guard let merged, let kept, merged.id == kept.id, merged.stage.tokens > kept.stage.tokens else { return }
        storage.pending?.next = merged
        if let lock = storage.tokenWasReplaced() { add(.release(lock)) }
        show(merged, at: now)
    }

    /// Rule 5: another process decided, and what was decided here is dropped.
    private mutating func takeOver(_ found: RecordSnapshot, at now: Timestamp) {
        let (before, dropped) = (kept, storage.pending)
        if storage.pending?.isSignIn == true { operations.dropCommitted() }
        storage.read(found)
        // The session of another server is none here. It stays in the store for the process that wrote it.
        if found.ownSession == nil, kept != nil { enter(.signedOut(before?.user == nil ? endReason : .elsewhere)) }
        show(found.ownSession, at: now)
        settle()
        // What this process wrote, and was told to have failed, is no news.
        guard kept?.stage != before?.stage else { return }
        emit(AuthEvent(.sessionChangedElsewhere, provider: kept?.provider))
        if let before, before.user != nil, user == nil {
            emit(AuthEvent(.signedOut, provider: before.provider, details: .signedOut(.elsewhere)))
        }
        // Rule 1a: where the same person signed in elsewhere, a user that was changed here is that session's.
        if let dropped, dropped.isUserUnread, let changed = dropped.next, var next = kept, next.session != nil,
            next.id != changed.id, next.userID == changed.userID
        {
            next.replaceUser(of: changed, edition: next.stage.edition + 1)
            replacePresent(by: next)
            storage.pending?.isUserUnread = true
        }
    }

    /// Shows a session that was read.
    mutating func show(_ found: KeptSession?, at now: Timestamp) {
        guard let found else { return }
        let next = ActiveSession(restored: found, at: now)
        // Rule 8: a refresh under way continues, also when this is a later sign-in.
        guard let active, active.stage.id == found.id || active.user != nil && active.user?.id == next.user?.id else {
            return enter(.signedIn(next))
        }
        updateActive { active in
            let hasSameToken = active.session?.accessToken == next.session?.accessToken
            let savedAt = active.kept.savedAt
            active.kept = next.kept
            if hasSameToken {
                active.kept.savedAt = savedAt
            } else {
                active.lifetime = next.lifetime
                active.endOutage()
            }
        }
    }
}

extension ActiveSession {
    /// A session that was stored, by this process or another.
    fileprivate init(restored kept: KeptSession, at now: Timestamp) {
        let lifetime = kept.session.map { TokenLifetime(of: $0, storedAt: kept.savedAt, at: now) }
        self.init(kept: kept, lifetime: lifetime ?? .noToken, isConfirmed: false)
    }
}
