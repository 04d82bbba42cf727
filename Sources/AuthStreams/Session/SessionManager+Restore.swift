import Foundation

extension SessionManager {
    /// Restores the session: reads the store, waiting while it is locked. If it is empty, a session of another SDK is taken
    /// over.
    ///
    /// - Returns: The user who is signed in afterwards.
    /// - Throws: `storage` when the record cannot be read, which leaves it as it is and the state signed out until it is
    ///   read; `cancelled` while waiting, which leaves the state at restoring.
    @discardableResult
    public func restore() async throws(AuthError) -> AuthUser? { try await restore(isRetry: false) }

    /// - Parameter isRetry: Whether an earlier reading failed, so that the state stays at restoring.
    func restore(isRetry: Bool) async throws(AuthError) -> AuthUser? {
        if isInsideMigrationClosure { throw .calledFromMigrationClosure }
        let reading = Reading(begun: clock.uptime, isRetry: isRetry)
        var fruitlessWaits = 0
        while true {
            do throws(AuthError) {
                try await readStore(reading)
                return session?.user
            } catch {
                guard error.code == .storageLocked else { throw error }
            }
            await store.waitUntilUnlocked()
            if Task.isCancelled { throw .cancelled }
            // The other SDK's storage may be locked, of which the store knows nothing and returns at once.
            if fruitlessWaits > 0 {
                do { try await clock.sleep(for: .seconds(min(fruitlessWaits, 5))) } catch { throw .cancelled }
            }
            fruitlessWaits += 1
        }
    }

    /// One reading of the store, from its beginning until the contents are known.
    private struct Reading {
        let begun: Duration
        let isRetry: Bool
    }

    /// The number of failures after which the state is signed out. Until then, for some seconds, the failure may be transient,
    /// and the state stays at restoring.
    private static let toleratedFailures = 3

    /// Restores, and retries with exponential backoff until it is known who is signed in.
    func restoreUntilRead() async {
        var failures = 0
        while read({ $0.isUnread }) {
            do throws(AuthError) { _ = try await restore(isRetry: failures < Self.toleratedFailures) } catch {
                if Task.isCancelled { return }
                failures += 1
                let delay = RetryPolicy.delay(after: failures, spreadBy: nil)
                await clock.sleep(for: delay, unless: wasRead)
            }
        }
    }

    /// Returns the session, once it is known who is signed in: not before the store was read, nor while the server is asked for
    /// the first time about a session of another SDK.
    ///
    /// - Throws: `storage` when the store could not be read; the error of the last request that asked the server whose session it
    ///   is that another SDK left; `cancelled`.
    func waitUntilKnown() async throws(AuthError) -> Session? {
        if read({ $0.isUnread }) { _ = try await restore(isRetry: true) }
        await adoptOnDemand()
        guard await waitUntilDecided(), !Task.isCancelled else { throw .cancelled }
        let now = clock.uptime
        return try read { $0.decidedSession(at: now) }.get()
    }

    private func readStore(_ reading: Reading) async throws(AuthError) {
        while let generation = try await readRecord(reading) {
            let isKnown = try await launchMutex.run { () async throws(AuthError) in
                let legacy = try await findLegacySession(in: generation, reading)
                if let legacy {
                    let hasBegun = try await reportingFailure(in: generation, reading) { () async throws(AuthError) in
                        try await beginMigration(of: legacy, in: generation, isFoundAtLaunch: true) != nil
                    }
                    if hasBegun { return true }
                }
                return try await restoreSignedOut(in: generation, reading)
            }
            if isKnown { return }
        }
    }

    /// - Returns: Whether it is known who is signed in: not when another process stored a session meanwhile.
    private func restoreSignedOut(in generation: UInt64, _ reading: Reading) async throws(AuthError) -> Bool {
        try await writing { () async throws(AuthError) in
            guard read({ $0.isUnread && $0.generation == generation }) else { return true }
            let snapshot = try await reportingFailure(in: generation, reading) { () async throws(AuthError) in
                try await readSession()
            }
            guard try await !isSession(snapshot) else { return false }
            transition { $0.restored(snapshot, of: generation, at: $1, since: reading.begun) }
            return true
        }
    }

    /// Reads the record.
    ///
    /// - Returns: `nil` once it is known who is signed in; the generation in which there was no record.
    private func readRecord(_ reading: Reading) async throws(AuthError) -> UInt64? {
        try await writing { () async throws(AuthError) in
            let generation = read { $0.generation }
            guard read({ $0.isUnread }) else {
                // A sign-in or sign-out that came while the store could not be written is newer than the record.
                if read({ $0.storage.pending != nil }) { try await writePending() }
                return nil
            }
            return try await reportingFailure(in: generation, reading) { () async throws(AuthError) -> UInt64? in
                let snapshot = try await readSession()
                guard try await isSession(snapshot) else { return generation }
                transition { $0.restored(snapshot, of: generation, at: $1, since: reading.begun) }
                // A session of another server is removed. If the store fails, the write is retried automatically.
                try? await writePending()
                return nil
            }
        }
    }

    /// Whether there is a session's record. The shape of one that is damaged is set aside for diagnosis.
    ///
    /// - Throws: `storage` when a newer version of the library wrote it.
    private func isSession(_ snapshot: RecordSnapshot) async throws(AuthError) -> Bool {
        guard let data = snapshot.data, let problem = snapshot.problem else { return snapshot.hasSession }
        guard case .damaged = problem else { throw problem.error }
        // It stays where it is until a session takes its place: another process that has one writes it again.
        try await setAside(data, because: problem.error)
        return false
    }

    /// The session of another SDK, unless it was taken over before, or a sign-in or sign-out was decided meanwhile.
    private func findLegacySession(
        in generation: UInt64, _ reading: Reading
    ) async throws(AuthError) -> LegacySession? {
        guard let migration, read({ $0.isUnread }) else { return nil }
        let status = try await reportingFailure(in: generation, reading) {
            () async throws(AuthError) -> MigrationStatus? in
            try await migrationStatus()
        }
        guard status == nil else { return nil }
        // An error of the app's own code is not transient.
        let asking = Reading(begun: reading.begun, isRetry: false)
        let found = try await reportingFailure(in: generation, asking) { () async throws(AuthError) in
            try await legacySession(from: migration)
        }
        guard let legacy = found else { return nil }
        do throws(AuthError) { try legacy.validate() } catch {
            emit(AuthEvent(.adoptionRefused, failure: error))
            return nil
        }
        return legacy
    }

    /// Reports a failure to read: the store is then not taken for empty.
    private func reportingFailure<Value>(
        in generation: UInt64, _ reading: Reading, _ section: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(AuthError) { return try await section() } catch {
            transition {
                $0.restoreFailed(
                    error, of: generation, isRetry: reading.isRetry, at: $1.uptime, since: reading.begun)
            }
            throw error
        }
    }
}

extension AuthError {
    fileprivate static var calledFromMigrationClosure: Self {
        AuthError(
            .misconfigured,
            """
            A closure of `migration` asked for who is signed in, which is known only once the closure has returned. Return \
            the session from `find`, and use the service afterwards.
            """)
    }
}
