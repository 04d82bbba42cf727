import Foundation

/// What the store reports: writes of this process, and records of other processes.
extension SessionStateMachine {
    /// What was present in that generation is written.
    package mutating func written(in generation: UInt64) {
        if generation == self.generation { settle() }
    }

    /// A write failed.
    package mutating func writeFailed(_ error: AuthError, at now: Duration) {
        written(error, at: now)
    }

    /// The present session was written, or could not be.
    mutating func written(
        _ failure: AuthError?, at now: Duration,
        _ event: (AuthError) -> AuthEvent = { AuthEvent(.storageFailed, failure: $0) }
    ) {
        guard let failure else { return settle() }
        var event = event(failure)
        event.delay = storage.writeFailed(failure, spreadBy: session?.refreshToken, at: now)
        emit(event)
    }

    /// The store holds what is present.
    mutating func settle() {
        let wasWithheld = storage.withholdsToken
        if let lock = storage.settle() { add(.release(lock)) }
        // The server had confirmed the session; the store had failed.
        if wasWithheld { updateActive { $0.endOutage() } }
    }

    /// The record was read.
    package mutating func recordRead(_ snapshot: RecordSnapshot) {
        guard let landed = storage.read(snapshot) else { return }
        if landed == record(at: .distantPast) {
            settle()
        } else if landed == record(at: .distantPast, .sent) {
            // Another process may have written the same mark, so it is kept.
            setJournal(.sent)
        }
    }

    /// The record was read, to learn what other processes wrote.
    ///
    /// - Returns: Whether another process wrote it.
    package mutating func observed(_ snapshot: RecordSnapshot) -> Bool {
        recordRead(snapshot)
        return storage.isNews(snapshot)
    }

    /// The record is damaged. What has to be stored replaces it.
    package mutating func foundDamaged(_ snapshot: RecordSnapshot) {
        if hasSession {
            // Where another process wrote it since, that process may hold a newer session, and writes it again.
            if storage.accepted?.stored.version == snapshot.stored.version { storage.enqueue(.change) }
        } else if storage.pending == nil {
            storage.accept(snapshot)
        }
    }

    /// Another process wrote the record. It is taken over, unless something that was decided here replaces it.
    package mutating func recordObserved(_ snapshot: RecordSnapshot, at now: Timestamp) {
        // The session of another server is none here. It stays in the store for the process that wrote it.
        let record = snapshot.isOwned ? snapshot.record : nil
        // What another SDK left is older than the session here, whose record was lost.
        if case .adoptable? = record?.kept, active != nil { storage.enqueue(.change) }
        // Also for what was decided here while the store was read: that is not stored yet either.
        let yields =
            storage.pending?.yields(
                to: record, after: storage.accepted, adopting: migration?.legacy.refreshToken, at: now) ?? true
        guard yields else {
            // It is to be replaced. One that comes after it is another matter.
            return storage.accept(snapshot)
        }
        let before = session
        takeOver(record, at: now)
        settle()
        storage.accept(snapshot)
        guard session != before else { return }
        emit(AuthEvent(.sessionChangedElsewhere, provider: session?.provider))
        if let before, session == nil {
            emit(AuthEvent(.signedOut, provider: before.provider, reason: .elsewhere))
        }
    }

    private mutating func takeOver(_ record: SessionRecord?, at now: Timestamp) {
        switch record?.kept {
        case .established(let theirs)?:
            let next = ActiveSession(theirs, restoredFrom: record, at: now)
            // A refresh under way continues, also when this is a later sign-in: its answer replaces only the tokens that were sent.
            guard active?.session.user.id == theirs.user.id else { return enter(.signedIn(next)) }
            if storage.withholdsToken { settle() }
            updateActive { active in
                let isOnlyMarked =
                    active.session.accessToken == theirs.accessToken
                    && active.session.refreshToken == theirs.refreshToken
                active.session = theirs
                active.signedInAt = next.signedInAt
                active.journal = next.journal
                // That another process is about to send the token says nothing about the server yet.
                guard !isOnlyMarked else { return }
                active.lifetime = next.lifetime
                active.savedAt = next.savedAt
                active.endOutage()
            }
        case .adoptable(let theirs)?:
            // Both processes migrate the same session, and what one has sent concerns the other, too.
            if theirs.refreshToken == migration?.legacy.refreshToken {
                setJournal(RefreshJournal(isSent: record?.isUnanswered == true))
            }
        case nil:
            // A sign-in under way here is another session's.
            if hasSession { enter(.signedOut(session == nil ? endReason : .elsewhere)) }
        }
    }
}

extension ActiveSession {
    /// A session that was stored, by this process or another.
    init(_ session: Session, restoredFrom record: SessionRecord?, at now: Timestamp) {
        self.init(
            session: session, lifetime: TokenLifetime(of: session, storedAt: record?.savedAt, at: now),
            signedInAt: record?.signedInAt, savedAt: record?.savedAt, isConfirmed: false,
            journal: RefreshJournal(isSent: record?.isUnanswered == true))
    }
}
