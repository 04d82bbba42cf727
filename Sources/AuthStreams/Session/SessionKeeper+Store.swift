import Foundation

extension SessionStoreKey {
    /// The lock of whoever sends the refresh token, or replaces it.
    static let refreshLock = Self(rawValue: "refresh")
    /// The lock of whoever writes, for as long as reading, comparing and writing take.
    static let writeLock = Self(rawValue: "write")
}

extension SessionKeeper {
    /// Runs what writes to the store: one at a time, in order, in all processes.
    ///
    /// A lock that cannot be had stops nobody: a person who signs out is signed out.
    func writing<Value, Failure: Error>(
        _ section: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await storeGate.run { () async throws(Failure) in
            let lock = await writeLock()
            defer { lock?.release() }
            return try await section()
        }
    }

    private func writeLock() async -> SessionStoreLock? {
        if let lock = try? await store.lock(.writeLock) { return lock }
        guard Task.isCancelled else { return nil }
        // What is written by a task that was cancelled is written all the same, so somebody else waits for its turn.
        let taken = OneShot<SessionStoreLock?>()
        await OwnTask.start { [store] in taken.resolve(try? await store.lock(.writeLock)) }.value
        return taken.current ?? nil
    }

    /// Writes what is present to the store: the session, or nothing.
    ///
    /// Whoever comes last writes the present, so a write that was decided earlier cannot come after it.
    func persist() async throws(AuthError) {
        try await writing { () async throws(AuthError) in try await writePresent() }
    }

    /// Writes what is owed to the store: a crowd that asks for it writes once.
    func persistWhatIsOwed() async throws(AuthError) {
        guard isOwing else { return }
        try await writing { () async throws(AuthError) in
            if isOwing { try await writePresent() }
        }
    }

    /// Has written what was decided and waits for its turn.
    func writeDecisions() async {
        if apply({ rules, _ in rules.debt?.hasFailed == false }) { try? await persistWhatIsOwed() }
    }

    private var isOwing: Bool { apply { rules, _ in rules.debt != nil } }

    /// Writes what is owed to the store, if that works by now. A failure leaves the debt open, and is told as an event.
    func catchUp() async { try? await persistWhatIsOwed() }

    /// Whether a write that failed is to be tried again now.
    var isWriteDue: Bool {
        let now = clock.uptime
        return apply { rules, _ in rules.storeDue.map { $0 <= now } ?? false }
    }

    /// Writes what is present, unless another process wrote what counts more. Only inside ``writing(_:)``.
    ///
    /// After a failure it is owed to the store.
    func writePresent() async throws(AuthError) {
        // A store that cannot be read tells of no other process.
        if (try? await isOvertaken()) == true { return }
        let now = clock.now
        let (record, isUnread, generation) = apply { rules, _ in
            (rules.machine.record(at: now), rules.machine.isUnread, rules.machine.generation)
        }
        do throws(AuthError) {
            if let record { try await write(record) } else if !isUnread { try await forget() }
            settle(in: generation)
        } catch {
            let uptime = clock.uptime
            apply { rules, effects in
                let delay = rules.storeFailed(error, at: uptime)
                effects.events.append(AuthEvent(.storageFailed, error: error.code, delay: delay))
            }
            throw error
        }
    }

    /// The store holds what was present in that generation: what was decided since is owed still.
    func settle(in generation: UInt64) {
        apply { rules, _ in
            if rules.machine.generation == generation { rules.storeSettled() }
        }
    }

    /// Writes a record. Only inside ``writing(_:)``.
    func write(_ record: SessionRecord) async throws(AuthError) {
        let data = try record.data()
        apply { rules, _ in rules.tried = data }
        try await store.write(data, for: .session)
        apply { rules, _ in rules.known = KnownRecord(data: data) }
    }

    /// Writes what is about to be the present. Only inside ``writing(_:)``.
    ///
    /// On disk before anyone sees it. A store that fails is no reason to turn a person away who just signed in.
    ///
    /// - Parameter isUnanswered: Whether an answer to its refresh token is owed still.
    func write(_ kept: KeptSession, isUnanswered: Bool = false) async -> AuthError? {
        do throws(AuthError) {
            try await write(SessionRecord(kept, isUnanswered: isUnanswered, savedAt: clock.now))
            return nil
        } catch {
            return error
        }
    }

    /// Removes the record. What another SDK left is older than what ends here, so it is not taken up after it either.
    ///
    /// Only inside ``writing(_:)``.
    func forget() async throws(AuthError) {
        var failure: AuthError?
        if leftBehind != nil {
            // First, or a crash in between would leave an empty store without it. A failure keeps no session stored.
            do throws(AuthError) { try await markTaken() } catch { failure = error }
        }
        try await store.remove(.session)
        apply { rules, _ in rules.known = KnownRecord(data: nil) }
        if let failure { throw failure }
    }

    /// Keeps the bytes of a record that nobody can read, for whoever wants to know what became of it.
    ///
    /// Only inside ``writing(_:)``; something else takes its place then.
    func setAside(_ data: Data, because error: AuthError) async throws(AuthError) {
        try await store.write(data, for: .damagedSession)
        publish(AuthEvent(.recordSetAside, error: error.code))
    }
}
