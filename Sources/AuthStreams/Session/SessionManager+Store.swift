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
        try await storeGate.run(section)
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
            guard let known = apply({ rules, _ in rules.known?.stored }) else { throw error }
            return (known, false)
        }
        if follows, !look({ $0.isUnread }) { return (stored, try await isOvertaken(by: stored)) }
        apply { rules, _ in rules.noteRead(stored) }
        return (stored, false)
    }

    /// - Returns: `false` when another process wrote in between.
    private func put(_ next: NextRecord, over base: StoredRecord) async throws(AuthError) -> Bool {
        guard case .record(let record) = next else { return try await forget(over: base) }
        return try await put(record.data(), over: base)
    }

    private func put(_ data: Data?, over base: StoredRecord) async throws(AuthError) -> Bool {
        let isFirst = apply { rules, _ in rules.tried.insert(data).inserted }
        let version = try await store.write(data, for: .session, replacing: base.version)
        return apply { rules, _ in
            guard let version else {
                if isFirst { rules.tried.remove(data) }
                return false
            }
            rules.tried = []
            let stored = StoredRecord(data: data, version: version)
            (rules.known, rules.found) = (KnownRecord(stored: stored), stored)
            return true
        }
    }

    /// Removes the record. What another SDK left is older than what ends here, so it is not taken up after it either.
    private func forget(over base: StoredRecord) async throws(AuthError) -> Bool {
        var failure: AuthError?
        if leftBehind != nil {
            // First, or a crash in between would leave an empty store without it. A failure keeps no session stored.
            do throws(AuthError) { try await markTaken() } catch { failure = error }
        }
        guard try await put(nil, over: base) else { return false }
        if let failure { throw failure }
        return true
    }

    // MARK: What is present

    /// Writes what is present and not stored yet: the session, or nothing. A crowd that asks for it writes once.
    func persist() async throws(AuthError) {
        guard isOwing else { return }
        try await writing { () async throws(AuthError) in try await writePresent() }
    }

    /// Persists what was decided and not tried yet.
    func writeDecisions() async {
        if apply({ rules, _ in rules.debt?.hasFailed == false }) { try? await persist() }
    }

    var isOwing: Bool { apply { rules, _ in rules.debt != nil } }

    /// Whether a write that failed is to be tried again now.
    var isWriteDue: Bool {
        let now = clock.uptime
        return apply { rules, _ in rules.storeDue.map { $0 <= now } ?? false }
    }

    /// Writes what is present and not stored yet, unless another process wrote what counts more. Only inside ``writing(_:)``.
    ///
    /// A write that fails is retried automatically.
    func writePresent() async throws(AuthError) {
        var generation: UInt64 = 0
        // What is decided while this writes is written in the same turn.
        while isOwing {
            let now = clock.date
            let outcome = await write(following: true) { _ in
                apply { rules, _ -> (UInt64, NextRecord)? in
                    guard rules.debt != nil else { return nil }
                    return (rules.machine.generation, rules.machine.record(at: now).map(NextRecord.record) ?? .removal)
                }.map { (present: UInt64, next: NextRecord) in
                    generation = present
                    return next
                }
            }
            if let failure = outcome.failure {
                storeFailed(failure)
                throw failure
            }
            if case .done = outcome { settle(in: generation) }
        }
    }

    /// The store holds what was present in that generation.
    func settle(in generation: UInt64) {
        apply { rules, _ in
            if rules.machine.generation == generation { rules.storeSettled() }
        }
    }

    func storeFailed(_ error: AuthError) {
        let now = clock.uptime
        apply { rules, effects in
            let delay = rules.storeFailed(error, at: now)
            effects.events.append(AuthEvent(.storageFailed, failure: error, delay: delay))
        }
    }

    /// Removes the record of a user whose place another took, while that one's could not be written: at the next launch the
    /// user before must not be signed in. Only inside ``writing(_:)``.
    func forgetReplacedUser() async {
        _ = await write(following: true) { _ in
            apply { rules, _ -> NextRecord? in
                // A record that this version of the library can't read may be the same user's.
                guard let found = rules.found.map(KnownRecord.init), found.hasSession else { return nil }
                return found.userID == rules.machine.session?.user.id ? nil : .removal
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
        if isNew { publish(AuthEvent(.recordSetAside, failure: error)) }
    }
}
