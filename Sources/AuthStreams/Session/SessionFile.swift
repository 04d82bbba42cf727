import Foundation

extension SessionStoreKey {
    /// The lock of the process that sends the refresh token or replaces it.
    static let refreshLock = Self(rawValue: "refresh")
}

/// The record of the session: reading it, writing decisions, and marking what is sent.
///
/// What a reading means for a decision is in ``PendingWrite``. This file reads, asks the machine under its lock, and writes over
/// exactly the version that was read; once more where another process wrote in between.
extension SessionManager {
    /// Runs what writes the session's record: one section at a time, in order of arrival. Other processes are kept apart by
    /// the record's version.
    @inline(never)  // Not repeated in each of its callers.
    func writing<Value, Failure: Error>(
        _ section: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await storeMutex.run(section)
    }

    /// Reads the record of the session, and decodes it unless it is the one that is known.
    func readSession() async throws(AuthError) -> RecordSnapshot {
        let stored = try await store.read(.session)
        if let known = read({ $0.storage.known }), known.stored == stored { return known }
        let found = RecordSnapshot(stored, ownedIf: owns)
        if found.isDamaged, let data = stored.data, let problem = found.problem {
            // It stays where it is until a session takes its place: another process that has one writes it again.
            try await setAside(data, because: problem.error)
        }
        return found
    }

    // MARK: Decisions

    /// Persists the pending decision. Concurrent callers share one write, also one that fails.
    @inline(never)  // Not repeated in each of its callers.
    func persistPending() async throws(AuthError) {
        guard let failures = read({ $0.storage.pending?.backoff.failures }) else { return }
        try await writing { () async throws(AuthError) in
            if let error = read({ $0.storage.failure(after: failures) }) { throw error }
            try await writePending()
        }
    }

    /// Writes the pending decision that was not tried yet. Waits for a write that is under way, and does not repeat it.
    @inline(never)  // Not repeated in each of its callers.
    func persistQueued() async {
        guard read({ $0.storage.isUnderWay }) else { return }
        await writing { if read({ $0.storage.isQueued }) { try? await writePending() } }
    }

    /// Whether a write that failed is to be retried now.
    var isWriteDue: Bool {
        let now = clock.uptime
        return read { $0.storage.retryAt.map { $0 <= now } ?? false }
    }

    /// Writes the pending decision, unless another process decided later. Only inside ``writing(_:)``.
    ///
    /// A write that fails is retried automatically.
    ///
    /// - Parameter first: The reading by which it was decided in this turn, if there was one.
    func writePending(over first: Result<RecordSnapshot, AuthError>? = nil) async throws(AuthError) {
        var (first, refusals) = (first, 0)
        // What is decided during the write is written in the same turn.
        while first != nil || transition({ machine, _ in machine.storage.beginWriting() }) {
            let reading = if let first = first.take() { first } else { await sessionReading() }
            guard let attempt = try transition({ $0.writeBegan(over: reading, at: $1) }).get() else { continue }
            guard try await !write(attempt) else { continue }
            refusals += 1
            if refusals == StoredRecord.attempts {
                let error = AuthError.recordIsBusy(.session)
                transition { $0.nothingWritten(error, at: $1) }
                throw error
            }
        }
    }

    /// Writes a decision over the record that was read.
    ///
    /// - Returns: `false` if there has been another one since.
    private func write(_ attempt: SessionStateMachine.WriteAttempt) async throws(AuthError) -> Bool {
        do throws(AuthError) {
            let data = try attempt.record.data()
            let version = try await store.write(data, for: .session, replacing: attempt.found.version)
            guard let version else { return false }
            transition { $0.writeEnded(attempt, .success(version), as: data, at: $1) }
            return true
        } catch {
            let leavesNone = attempt.record.session == nil
            if leavesNone, await removeInstead(of: attempt) { return true }
            transition { $0.writeEnded(attempt, .failure(error), at: $1) }
            if !leavesNone { _ = await removeInstead(of: attempt) }
            throw error
        }
    }

    /// Reads the record to write over it.
    private func sessionReading() async -> Result<RecordSnapshot, AuthError> {
        do throws(AuthError) { return .success(try await readSession()) } catch { return .failure(error) }
    }

    /// Rule 9: where a decision could not be written, the record of a session that it ends is removed, so that a restart does not
    /// bring that session back.
    ///
    /// - Returns: Whether it is removed.
    private func removeInstead(of attempt: SessionStateMachine.WriteAttempt) async -> Bool {
        guard let version = read({ $0.removedInstead(of: attempt) }),
            let removed = try? await store.write(nil, for: .session, replacing: version)
        else { return false }
        transition { machine, _ in machine.removed(insteadOf: attempt, as: removed) }
        return true
    }

    // MARK: Commits

    /// Stores the session of a sign-in and makes it the present one: on disk before any reader sees it.
    ///
    /// A sign-in is committed before it is written. From then on another sign-in comes after it and does not supersede it, so the
    /// store never holds one that was superseded, and none has to be undone.
    ///
    /// - Throws: `superseded` when another sign-in or a sign-out took its place.
    func commit(_ session: AuthSession, by operation: SignInOperation) async throws(AuthError) {
        let id = SessionID.random()
        try await writing { () async throws(AuthError) in
            // Until it is committed, another sign-in supersedes it.
            let reading = await sessionReading()
            if transition({ $0.committed(operation, session, as: id, at: $1) }) {
                try? await writePending(over: reading)
            }
            // Otherwise the person signed in or out meanwhile, or another process decided later.
            guard read({ $0.operations.established == operation.id }) else {
                emit(operation.event(.answerIgnored, at: clock.uptime))
                throw .superseded
            }
        }
    }

    // MARK: Marks

    /// Marks in the record that its refresh token is sent, before each sending (rule 7).
    ///
    /// - Parameters:
    ///   - isRepeat: Whether the request counts as repeated.
    ///   - found: The record, which ``synchronizeToReplaceTokens()`` has read right before.
    /// - Returns: `nil` when another session, refresh token or mark is present by now.
    /// - Throws: `storage` or `storageLocked` when it could not be written.
    func mark(
        _ stage: KeptSession.Stage, isRepeat: Bool, over found: RecordSnapshot
    ) async throws(AuthError) -> SentMark? {
        try await writing { () async throws(AuthError) -> SentMark? in
            switch transition({ machine, _ in machine.markBegan(stage, isRepeat: isRepeat, over: found) }) {
            case .outdated: return nil
            case .inMemory: return SentMark(version: nil)
            case .impossible(let error): throw error
            case .write(let record): return try await write(record, over: found).map { SentMark(version: $0) }
            }
        }
    }

    /// A mark of this process.
    struct SentMark: Equatable {
        /// The version of the record with the mark; `nil` where the store does not hold the token.
        let version: RecordVersion?
    }

    /// Clears a mark, over its own version alone: a later one is another process's.
    ///
    /// - Parameter version: The version of the record with the mark; `nil` where the store does not hold the token.
    func unmark(_ stage: KeptSession.Stage, at version: RecordVersion?) async {
        await writing {
            guard let (record, found) = transition({ machine, _ in machine.unmarkBegan(stage, at: version) }) else {
                return
            }
            // A failure leaves the mark: then the next request counts as repeated.
            do throws(AuthError) { _ = try await write(record, over: found) } catch {
                emit(AuthEvent(.storageFailed, failure: .of(error)))
            }
        }
    }

    /// Writes a record that differs from the one that was read in a mark or a note alone. Only inside ``writing(_:)``.
    ///
    /// - Returns: Its version; `nil` if another process has written since.
    func write(_ record: SessionRecord, over found: RecordSnapshot) async throws(AuthError) -> RecordVersion? {
        let data = try record.data()
        let version = try await store.write(data, for: .session, replacing: found.version)
        if let version { transition { $0.markWritten(record, as: version, data, over: found, at: $1) } }
        return version
    }

    /// Stores the shape of a record that can't be decoded, for diagnosis. The caller replaces the record then.
    private func setAside(_ data: Data, because error: AuthError) async throws(AuthError) {
        let shape = DamagedRecord.shape(of: data)
        let isNew = try await store.update(.damagedSession) { kept in
            defer { kept = shape }
            return kept != shape
        }
        if isNew { emit(AuthEvent(.recordSetAside, failure: .of(error))) }
    }
}

/// Changes of the session by other processes, as the store reports them.
extension SessionManager {
    /// Takes over a change that another process made to the session, and writes what follows from it.
    ///
    /// - Throws: `storageLocked` or `storage` when the store cannot be read, and changes nothing then; `storage` when a newer
    ///   version of the library wrote the record, unless the person signed in or out here.
    func synchronize() async throws(AuthError) {
        _ = try await synchronize(toReplaceTokens: false)
        await persistQueued()
    }

    /// Takes over a change that another process made to the session. The caller writes what follows from it.
    ///
    /// - Parameter isNeeded: Whether the tokens are to be replaced now.
    /// - Returns: The record that was found; `nil` before the session is restored.
    /// - Throws: As ``synchronize()``.
    func synchronize(toReplaceTokens isNeeded: Bool) async throws(AuthError) -> RecordSnapshot? {
        try await writing { () async throws(AuthError) in
            guard !read({ $0.isUnread }) else { return nil }
            let found = try await readSession()
            try transition { $0.observed(found, toReplaceTokens: isNeeded, at: $1) }.get()
            return found
        }
    }

    /// Takes over a change that another process made to the session, before its tokens are replaced: under the refresh lock, or
    /// once the wait for it ended in vain. What was not tried to be written yet is written.
    ///
    /// - Returns: The record; `nil` before the session is restored.
    /// - Throws: As ``synchronize()``.
    func synchronizeToReplaceTokens() async throws(AuthError) -> RecordSnapshot? {
        while true {
            let found = try await synchronize(toReplaceTokens: true)
            guard read({ $0.storage.isUnderWay }) else { return found }
            await persistQueued()
        }
    }

    /// Follows the changes of other processes until the stream ends.
    func follow(_ changes: AsyncStream<Void>) async {
        for await _ in changes {
            // The store does not report a change again that could not be read.
            await retryingStore { () async throws(AuthError) in
                // The change may be that the store works now, or that the record has changed since it was read.
                if read({ $0.isUnread }) { _ = try? await restore(onFailure: .keepRestoring) }
                try await synchronize()
            }
        }
    }
}

/// What is repeated while the store fails.
extension SessionManager {
    /// Runs a section that needs the store, and repeats it until the store works: after an unlock, and with exponential
    /// backoff. Each failure is reported as an event.
    ///
    /// - Parameter limit: For how long it is repeated; without end unless given.
    /// - Returns: `nil` when the task was cancelled first, or the limit has passed.
    @discardableResult
    func retryingStore<Value>(
        for limit: Duration? = nil, _ section: () async throws(AuthError) -> Value
    ) async -> Value? {
        let begin = clock.uptime
        var backoff = Backoff(of: .store)
        while !Task.isCancelled, limit.map({ clock.uptime - begin <= $0 }) ?? true {
            do throws(AuthError) { return try await section() } catch {
                if Task.isCancelled { return nil }
                emit(AuthEvent(error.code == .storageLocked ? .storageLocked : .storageFailed, failure: .of(error)))
                if error.code == .storageLocked { await store.waitUntilUnlocked() }
                // Also after an unlock: what is locked may not be the store, which then does not wait.
                try? await clock.sleep(for: backoff.failed(error) ?? .zero)
            }
        }
        return nil
    }
}
