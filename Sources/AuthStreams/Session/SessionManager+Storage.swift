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

    /// What takes the place of a record.
    enum NextRecord: Sendable {
        case record(SessionRecord)
        case removal
    }

    /// What became of a write.
    enum Writing {
        /// It was not wanted any longer, and nothing was written.
        case unwanted
        /// The store holds it.
        case done
        /// The store failed. It may hold it all the same.
        case failed(AuthError)

        /// Why the store does not hold it, as far as this process knows.
        var failure: AuthError? { if case .failed(let error) = self { error } else { nil } }

        var isUnwanted: Bool { if case .unwanted = self { true } else { false } }
    }

    /// Writes the record of the session: reads the present one, decides, and writes over that; once more where another
    /// process wrote in between. Only inside ``writing(_:)``.
    ///
    /// - Parameters:
    ///   - follows: Whether what another process wrote is taken over first, where that counts more.
    ///   - next: Decides what is written, by what is present at that moment; `nil` to write nothing. Told whether something
    ///     was taken over. May be called several times.
    func write(following follows: Bool, _ next: (_ hasFollowed: Bool) async -> NextRecord?) async -> Writing {
        var hasBegun = false
        var hasFollowed = false
        do throws(AuthError) {
            for _ in 0..<StoredRecord.attempts {
                let (present, isNew) = try await present(following: follows)
                hasFollowed = hasFollowed || isNew
                guard let next = await next(hasFollowed) else { return .unwanted }
                hasBegun = true
                if try await put(next, over: present) { return .done }
            }
            throw .recordIsBusy(.session)
        } catch {
            if !hasBegun, await next(hasFollowed) == nil { return .unwanted }
            return .failed(error)
        }
    }

    /// The record to write over. A store that can't be read tells of no other process: then it is the record that this process
    /// saw last, and the store refuses the write if there has been another since.
    private func present(
        following follows: Bool
    ) async throws(AuthError) -> (record: StoredRecord, hasFollowed: Bool) {
        let stored: StoredRecord
        do throws(AuthError) { stored = try await store.read(.session) } catch {
            guard let known = look({ $0.storage.accepted?.stored }) else { throw error }
            return (known, false)
        }
        if follows, !look({ $0.isUnread }) { return (stored, try await isReplaced(by: stored)) }
        recordRead(stored)
        return (stored, false)
    }

    /// - Returns: `false` when another process wrote in between.
    private func put(_ next: NextRecord, over base: StoredRecord) async throws(AuthError) -> Bool {
        guard case .record(let record) = next else { return try await forget(over: base) }
        return try await put(record.data(), over: base)
    }

    private func put(_ data: Data?, over base: StoredRecord) async throws(AuthError) -> Bool {
        let isFirst = writeBegan(data)
        guard let version = try await store.write(data, for: .session, replacing: base.version) else {
            writeRefused(data, isFirst: isFirst)
            return false
        }
        wrote(StoredRecord(data: data, version: version))
        return true
    }

    /// Removes the record. What another SDK left is older than what ends here, so it is not taken up after it either.
    private func forget(over base: StoredRecord) async throws(AuthError) -> Bool {
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

    /// Writes what is present and not stored yet: the session, or nothing. Many callers that ask for it write once.
    func persistPending() async throws(AuthError) {
        guard look({ $0.storage.pending != nil }) else { return }
        try await writing { () async throws(AuthError) in try await writePending() }
    }

    /// Writes what was decided and not tried yet.
    func persistQueued() async {
        if look({ $0.storage.isQueued }) { try? await persistPending() }
    }

    /// Whether a write that failed is to be retried now.
    var isWriteDue: Bool {
        let now = clock.uptime
        return look { $0.storage.retryAt.map { $0 <= now } ?? false }
    }

    /// Writes what is present and not stored yet, unless another process wrote what counts more. Only inside ``writing(_:)``.
    ///
    /// A write that fails is retried automatically.
    func writePending() async throws(AuthError) {
        var generation: UInt64 = 0
        // What is decided while this writes is written in the same turn.
        while look({ $0.storage.pending != nil }) {
            let now = clock.date
            let outcome = await write(following: true) { _ in
                let next = look { machine in
                    machine.storage.pending.map { _ in (machine.generation, machine.record(at: now)) }
                }
                guard let next else { return nil }
                generation = next.0
                return next.1.map { .record($0) } ?? .removal
            }
            if let failure = outcome.failure {
                writeFailed(failure)
                throw failure
            }
            if case .done = outcome { written(in: generation) }
        }
    }

    // MARK: What is committed

    /// Stores the session of a sign-in and makes it the present one: on disk before any reader sees it.
    ///
    /// A sign-in is committed before it is written. From then on another sign-in comes after it and does not supersede it, so the
    /// store never holds one that was superseded, and none has to be taken back.
    ///
    /// - Throws: `superseded` when another sign-in or a sign-out took its place.
    func commit(_ session: Session, by operation: SignInOperation) async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            var begun = clock.moment
            let writing = await write(following: false) { _ in
                guard committed(operation) else { return nil }
                // Right before the write: where another process signs in as well, the order is that of the writes.
                begun = clock.moment
                return .record(
                    SessionRecord(
                        .established(session), isUnanswered: false, signedInAt: begun.date, savedAt: begun.date))
            }
            // Otherwise the person signed out meanwhile, and that write follows.
            guard !writing.isUnwanted, signedIn(session, by: operation, begun: begun, writing.failure) else {
                emit(operation.event(.answerIgnored, at: clock.uptime))
                throw .superseded
            }
            if writing.failure != nil { await removeReplacedUser() }
        }
    }

    /// Stores the session that the server gave for a migration, and makes it the present one.
    ///
    /// - Throws: `superseded` when the migration is over.
    func commit(_ session: Session, migrating request: MigrationRequest) async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            // What is taken over from another SDK is older than what another process stored.
            let writing = await write(following: true) { _ in
                guard look({ $0.isMigrating(in: request.generation) }) else { return nil }
                return .record(SessionRecord(.established(session), isUnanswered: false, savedAt: clock.date))
            }
            guard !writing.isUnwanted, migrated(to: session, request, writing.failure) else {
                migrationSuperseded(request)
                throw .superseded
            }
        }
    }

    /// Stores the answer to a request, and makes it the present session.
    ///
    /// - Parameters:
    ///   - request: The session that the request began with. Where another process stored newer tokens of the same user since,
    ///     those stay.
    ///   - isRefresh: Whether it answers a refresh, and not a change.
    /// - Returns: The present session.
    /// - Throws: `superseded` when the session is over, here or by another process; nothing of the answer is kept then.
    ///   `storage` or `storageLocked` when a new refresh token could not be stored: it is kept in memory, and its access token
    ///   is handed out once it is stored.
    func commit(
        _ answer: Session, to request: RefreshRequest, isRefresh: Bool
    ) async throws(AuthError) -> Session {
        try await writing { () async throws(AuthError) in
            var replacement: SessionStateMachine.Replacement?
            // What another process stored meanwhile is taken over first; that may end the generation.
            let writing = await write(following: true) { _ in
                let now = clock.date
                let next = look { $0.replacement(by: answer, to: request, isRefresh: isRefresh, at: now) }
                replacement = next ?? replacement
                return next.map { .record($0.record) }
            }
            if !writing.isUnwanted, let replacement {
                switch replaced(by: replacement, to: request, isRefresh: isRefresh, writing.failure) {
                case .present: return replacement.session
                case .withheld: throw writing.failure ?? .superseded
                // The session ended meanwhile, and that write follows.
                case .superseded: break
                }
            }
            answerIgnored(answer, consuming: request.session.refreshToken)
            throw .superseded
        }
    }

    /// Removes the record of a user whom another replaced, while that one's could not be written: at the next launch the user
    /// before must not be signed in. Only inside ``writing(_:)``.
    private func removeReplacedUser() async {
        _ = await write(following: true) { _ in
            look { machine in
                // A record that this version of the library can't read may be the same user's.
                guard let found = machine.storage.observed.map(KnownRecord.init), found.hasSession else { return nil }
                return found.userID == machine.session?.user.id ? nil : .removal
            }
        }
    }

    /// Keeps the shape of a record that can't be decoded, for diagnosis. The caller replaces the record then.
    func setAside(_ data: Data, because error: AuthError) async throws(AuthError) {
        let shape = DamagedRecord.shape(of: data)
        let isNew = try await store.update(.damagedSession) { kept in
            defer { kept = shape }
            return kept != shape
        }
        if isNew { emit(AuthEvent(.recordSetAside, failure: error)) }
    }
}
