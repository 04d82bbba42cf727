import Foundation

extension SessionStoreKey {
    /// The lock of the process that sends the refresh token or replaces it.
    static let refreshLock = Self(rawValue: "refresh")
}

extension SessionManager {
    /// Runs what writes the session's record: one section at a time, in order of arrival. Other processes are kept apart by
    /// the record's version.
    func writing<Value, Failure: Error>(
        _ section: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await storeMutex.run(section)
    }

    // MARK: One write

    /// The replacement of a record.
    enum NextRecord: Sendable {
        case record(SessionRecord)
        case removal
    }

    /// The result of a write.
    ///
    /// A plan is what was decided together with the replacement.
    enum Writing<Plan> {
        /// Nothing was to be written.
        case unwanted
        /// The store holds the replacement.
        case done(Plan)
        /// The store failed. It may still hold the replacement.
        case failed(AuthError, Plan)

        /// The plan, and why the store does not hold the replacement, as far as this process knows; `nil` if nothing was to be
        /// written.
        var decided: (plan: Plan, failure: AuthError?)? {
            switch self {
            case .unwanted: nil
            case .done(let plan): (plan, nil)
            case .failed(let error, let plan): (plan, error)
            }
        }
    }

    /// Replaces the record of the session: reads the present one, lets the machine decide by it, and writes over it; once more
    /// where another process wrote in between. Only inside ``writing(_:)``.
    ///
    /// - Parameters:
    ///   - follows: Whether what another process wrote is taken over first, where that counts more.
    ///   - isWanted: Asked before each decision.
    ///   - decide: Decides under the lock, once for each reading that succeeded, and once if the first fails, too: the replacement
    ///     and a plan; `nil` to write nothing.
    func replaceRecord<Plan>(
        following follows: Bool, if isWanted: () async -> Bool = { true },
        _ decide: (inout SessionStateMachine, _ now: Timestamp) -> (NextRecord, Plan)?
    ) async -> Writing<Plan> {
        var decision: (next: NextRecord, plan: Plan)?
        do throws(AuthError) {
            for _ in 0..<StoredRecord.attempts {
                let present = try await present(following: follows)
                decision = await isWanted() ? transition(decide) : nil
                guard let decision else { return .unwanted }
                if try await put(decision.next, over: present) { return .done(decision.plan) }
            }
            throw .recordIsBusy(.session)
        } catch {
            if decision == nil, await isWanted() { decision = transition(decide) }
            return decision.map { .failed(error, $0.plan) } ?? .unwanted
        }
    }

    /// Reads the record of the session, and decodes it unless it is the one that is known.
    func readSession() async throws(AuthError) -> RecordSnapshot {
        let stored = try await store.read(.session)
        if let known = read({ $0.storage.accepted }), known.stored == stored { return known }
        return RecordSnapshot(stored, ownedIf: owns)
    }

    /// The record to write over. If the store can't be read, it is the record that this process
    /// saw last, and the store refuses the write if there has been another since.
    private func present(following follows: Bool) async throws(AuthError) -> RecordSnapshot {
        let snapshot: RecordSnapshot
        do throws(AuthError) { snapshot = try await readSession() } catch {
            guard let known = read({ $0.storage.accepted }) else { throw error }
            return known
        }
        if follows, !read({ $0.isUnread }) {
            try await takeOver(snapshot)
        } else {
            transition { machine, _ in machine.recordRead(snapshot) }
        }
        return snapshot
    }

    /// - Returns: `false` when another process wrote in between.
    private func put(_ next: NextRecord, over base: RecordSnapshot) async throws(AuthError) -> Bool {
        guard case .record(let record) = next else { return try await forget(over: base) }
        return try await put(record, over: base)
    }

    private func put(_ record: SessionRecord?, over base: RecordSnapshot) async throws(AuthError) -> Bool {
        let data = try record?.data()
        let next = RecordSnapshot(record, as: StoredRecord(data: data, version: base.stored.version.next))
        let isFirst = transition { machine, _ in machine.storage.writeBegan(next) }
        guard let version = try await store.write(data, for: .session, replacing: base.stored.version) else {
            transition { machine, _ in machine.storage.writeRefused(next, isFirst: isFirst) }
            return false
        }
        transition { machine, _ in
            machine.storage.written(RecordSnapshot(record, as: StoredRecord(data: data, version: version)))
        }
        return true
    }

    /// Removes the record. The session of another SDK is older than the one that ends here, so it is not taken over afterwards.
    private func forget(over base: RecordSnapshot) async throws(AuthError) -> Bool {
        var failure: AuthError?
        if migration != nil {
            // First, or a crash in between would leave an empty store without it. A failure keeps no session stored.
            do throws(AuthError) { try await markAdopted() } catch { failure = error }
        }
        guard try await put(nil, over: base) else { return false }
        if let failure { throw failure }
        return true
    }

    // MARK: What is pending

    /// Persists the pending change: the session, or its removal. Concurrent callers share one write.
    func persistPending() async throws(AuthError) {
        guard read({ $0.storage.pending != nil }) else { return }
        try await writing { () async throws(AuthError) in try await writePending() }
    }

    /// Writes the pending change that was not tried yet.
    func persistQueued() async {
        if read({ $0.storage.isQueued }) { try? await persistPending() }
    }

    /// Whether a write that failed is to be retried now.
    var isWriteDue: Bool {
        let now = clock.uptime
        return read { $0.storage.retryAt.map { $0 <= now } ?? false }
    }

    /// Persists the pending change, unless another process wrote a record that takes precedence. Only inside ``writing(_:)``.
    ///
    /// A write that fails is retried automatically.
    func writePending() async throws(AuthError) {
        // A change that is decided during the write is written in the same turn.
        while read({ $0.storage.pending != nil }) {
            let writing: Writing<UInt64> = await replaceRecord(following: true) { machine, now in
                guard machine.storage.pending != nil else { return nil }
                return (machine.record(at: now.date).map { .record($0) } ?? .removal, machine.generation)
            }
            switch writing {
            case .unwanted: break
            case .done(let generation): transition { machine, _ in machine.written(in: generation) }
            case .failed(let error, _):
                transition { $0.writeFailed(error, at: $1.uptime) }
                throw error
            }
        }
    }

    // MARK: What is committed

    /// Stores the session of a sign-in and makes it the present one: on disk before any reader sees it.
    ///
    /// A sign-in is committed before it is written. From then on another sign-in comes after it and does not supersede it, so the
    /// store never holds one that was superseded, and none has to be undone.
    ///
    /// - Throws: `superseded` when another sign-in or a sign-out took its place.
    func commit(_ session: Session, by operation: SignInOperation) async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            let writing = await replaceRecord(following: false) { machine, now -> (NextRecord, Timestamp)? in
                guard machine.committed(operation) else { return nil }
                // Where another process signs in as well, the order is that of the writes.
                let record = SessionRecord(
                    .established(session), isUnanswered: false, signedInAt: now.date, savedAt: now.date)
                return (.record(record), now)
            }
            // Otherwise the person signed out meanwhile, and that write follows.
            guard case (let begun, let failure)? = writing.decided,
                transition({ $0.signedIn(session, by: operation, begun: begun, at: $1, failure: failure) })
            else {
                emit(operation.event(.answerIgnored, at: clock.uptime))
                throw .superseded
            }
            if failure != nil { await removeReplacedUser() }
        }
    }

    /// Stores the session that the server gave for a migration, and makes it the present one.
    ///
    /// - Throws: `superseded` when the migration is over.
    func commit(_ session: Session, migrating request: MigrationRequest) async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            // The session of another SDK is older than a record of another process.
            let writing = await replaceRecord(following: true) { machine, now -> (NextRecord, Date)? in
                guard machine.isMigrating(in: request.generation) else { return nil }
                let record = SessionRecord(.established(session), isUnanswered: false, savedAt: now.date)
                return (.record(record), now.date)
            }
            guard case (let savedAt, let failure)? = writing.decided,
                transition({ $0.migrated(to: session, savedAt: savedAt, request, failure, at: $1) })
            else {
                transition { $0.migrationSuperseded(request, at: $1.uptime) }
                throw .superseded
            }
        }
    }

    /// Stores the answer to a request, and makes it the present session.
    ///
    /// - Parameters:
    ///   - request: The session that the request began with. Where another process stored newer tokens of the same user since,
    ///     those stay.
    /// - Returns: The present session.
    /// - Throws: `superseded` when the session is over, here or by another process; nothing of the answer is kept then.
    ///   `storage` or `storageLocked` when a new refresh token could not be stored: it is kept in memory, and its access token
    ///   is handed out once it is stored.
    func commit(_ answer: Session, to request: RefreshRequest) async throws(AuthError) -> Session {
        try await writing { () async throws(AuthError) in
            // A record that another process stored meanwhile is taken over first; that may end the generation.
            let writing = await replaceRecord(following: true) { machine, now in
                machine.replacement(by: answer, to: request, at: now.date).map { (NextRecord.record($0.record), $0) }
            }
            if case (let replacement, let failure)? = writing.decided {
                switch transition({ $0.replaced(by: replacement, to: request, failure, at: $1) }) {
                case .present: return replacement.session
                case .withheld: throw failure ?? .superseded
                // The session ended meanwhile, and that write follows.
                case .superseded: break
                }
            }
            transition { machine, _ in machine.answerIgnored(answer, consuming: request.session.refreshToken) }
            throw .superseded
        }
    }

    /// Removes the record of the previous user, while that of the new user could not be written: the next launch must not sign
    /// in the previous user. Only inside ``writing(_:)``.
    private func removeReplacedUser() async {
        _ = await replaceRecord(following: true) { machine, _ -> (NextRecord, Void)? in
            // A record that this version of the library can't read may be the same user's.
            guard let found = machine.storage.observed, found.hasSession else { return nil }
            return found.userID == machine.session?.user.id ? nil : (.removal, ())
        }
    }

    /// Stores the shape of a record that can't be decoded, for diagnosis. The caller replaces the record then.
    func setAside(_ data: Data, because error: AuthError) async throws(AuthError) {
        let shape = DamagedRecord.shape(of: data)
        let isNew = try await store.update(.damagedSession) { kept in
            defer { kept = shape }
            return kept != shape
        }
        if isNew { emit(AuthEvent(.recordSetAside, failure: error)) }
    }
}

/// Changes of the session by other processes, as the store reports them.
extension SessionManager {
    /// Takes over a change that another process made to the session.
    ///
    /// - Throws: `storageLocked` or `storage` when the store cannot be read, and changes nothing then.
    func synchronize() async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            guard !read({ $0.isUnread }) else { return }
            try await takeOver(try await readSession())
        }
    }

    /// Takes over a record that another process wrote, where it takes precedence. Only inside ``writing(_:)``.
    ///
    /// - Throws: `storage` when a newer version of the library wrote it, unless the person signed in or out here.
    private func takeOver(_ snapshot: RecordSnapshot) async throws(AuthError) {
        guard transition({ machine, _ in machine.observed(snapshot) }) else { return }
        guard let problem = snapshot.problem else { return transition { $0.recordObserved(snapshot, at: $1) } }
        if case .damaged = problem, let data = snapshot.data {
            try await setAside(data, because: problem.error)
            transition { machine, _ in machine.foundDamaged(snapshot) }
        } else if !read({ $0.storage.isDecisionPending }) {
            // A sign-in or sign-out also replaces a record that cannot be read.
            throw problem.error
        }
    }

    /// Follows the changes of other processes until the stream ends.
    func follow(_ changes: AsyncStream<Void>) async {
        for await _ in changes {
            // The store does not report a change again that could not be read.
            await retryingStore { () async throws(AuthError) in
                // The change may be that the store works now, or that the record has changed since it was read.
                if read({ $0.isUnread }) { _ = try? await restore(isRetry: true) }
                try await synchronize()
                await persistQueued()
            }
        }
    }
}
