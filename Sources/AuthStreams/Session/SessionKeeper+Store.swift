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

    /// Has a sign-out written that waits for its turn.
    func writeSignOut() async {
        if apply({ rules, _ in rules.isSignOutUnwritten }) { try? await persist() }
    }

    /// Writes what is owed to the store, if that works by now.
    func catchUp() async {
        // A failure keeps the store behind, and is told as an event.
        if apply({ rules, _ in rules.isStoreBehind }) { try? await persist() }
    }

    /// Writes what is present. Only inside ``writing(_:)``.
    ///
    /// After a failure the store is behind, and the next chance to read it is used to write it instead.
    func writePresent() async throws(AuthError) {
        let now = clock.now
        let (record, isUnread) = apply { rules, _ in (rules.machine.record(at: now), rules.machine.isUnread) }
        do throws(AuthError) {
            if let record {
                try await write(record)
            } else if !isUnread {
                try await forget()
            }
            apply { rules, _ in
                rules.isStoreBehind = false
                rules.isSignOutUnwritten = false
                rules.machine.wasStored()
            }
        } catch {
            let uptime = clock.uptime
            apply { rules, effects in
                rules.isStoreBehind = true
                rules.isSignOutUnwritten = false
                rules.machine.storingFailed(error, at: uptime)
                effects.events.append(AuthEvent(.storageFailed, error: error.code))
            }
            throw error
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
        if !(await foundSomebodyElse()) {
            try await store.remove(.session)
            apply { rules, _ in rules.known = KnownRecord(data: nil) }
        }
        if let failure { throw failure }
    }

    // MARK: Other processes

    /// Takes over what another process did to the session.
    ///
    /// - Throws: `storageLocked` or `storage` when the store cannot be read, and changes nothing then.
    func reread() async throws(AuthError) {
        try await storeGate.run { () async throws(AuthError) in _ = try await rereadInside() }
    }

    /// - Returns: Whether the store held what this process knows.
    func rereadInside() async throws(AuthError) -> Bool {
        // What this process could not write yet is newer than what is there; what it has not read yet, it will.
        guard apply({ rules, _ in !rules.machine.isUnread && rules.isStoreUpToDate }) else { return true }
        let data = try await store.read(.session)
        guard data != apply({ rules, _ in rules.known?.data }) else { return true }
        let record: SessionRecord?
        do throws(SessionRecord.Problem) { record = try data.map(SessionRecord.init(reading:)) } catch {
            throw error.error
        }
        // A sign-out that came while the store was read is newer than what was read.
        return !takeOver(record, in: data) { $0.isStoreUpToDate }
    }

    private func takeOver(
        _ record: SessionRecord?, in data: Data?, where counts: @Sendable (borrowing Rules) -> Bool
    ) -> Bool {
        let now = clock.moment
        return apply { rules, effects in
            guard counts(rules) else { return false }
            rules.isSignOutUnwritten = false
            rules.known = KnownRecord(data: data)
            let before = rules.machine.session
            rules.machine.changedElsewhere(record, at: now)
            guard rules.machine.session != before else { return true }
            effects.events.append(AuthEvent(.sessionChangedElsewhere, provider: rules.machine.session?.provider))
            if let before, rules.machine.session == nil {
                effects.events.append(AuthEvent(.signedOut, provider: before.provider, reason: .elsewhere))
            }
            return true
        }
    }

    /// Whether another process has signed in another person since this one looked: who signs out here is not them.
    private func foundSomebodyElse() async -> Bool {
        guard let known = apply({ rules, _ in rules.isStoreBehind ? nil : rules.known }),
            let data = try? await store.read(.session), data != known.data, data != apply({ rules, _ in rules.tried }),
            let record = try? SessionRecord(reading: data), case .established(let theirs)? = record.kept,
            // The server's no is about one session alone; a person who signs out ends theirs, whichever it is by now.
            theirs.user.id != known.user?.id
                || !apply({ rules, _ in rules.isSignOutUnwritten || rules.machine.attempt != nil })
        else { return false }
        return takeOver(record, in: data) { _ in true }
    }

    /// Follows what other processes do, until the stream is over.
    func follow(_ changes: AsyncStream<Void>) async {
        for await _ in changes {
            // News that cannot be read yet is not told again.
            while !(await rereadOrTell()), !Task.isCancelled {
                await store.waitUntilUnlocked()
                try? await clock.sleep(for: .seconds(1))
            }
        }
    }

    /// - Returns: `false` while the store is locked.
    private func rereadOrTell() async -> Bool {
        do throws(AuthError) { try await reread() } catch {
            publish(AuthEvent(error.code == .storageLocked ? .storageLocked : .storageFailed, error: error.code))
            return error.code != .storageLocked
        }
        return true
    }
}

extension SessionKeeper.KnownRecord {
    /// Whose session it was, if it was one.
    fileprivate var user: AuthUser? {
        guard let data, let record = try? SessionRecord(reading: data) else { return nil }
        return switch record.kept {
        case .established(let session)?: session.user
        case .adoptable(let session)?: session.user
        case nil: nil
        }
    }
}
