import Foundation

extension SessionManager {
    /// Restores the session: reads the store, waiting while it is locked. If nothing was ever stored, a session of another SDK is
    /// taken over.
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
        guard try await restore(reading, adopting: nil) == .unwritten else { return }
        // The closure of the app is asked outside the mutex of the store, by one caller at a time.
        try await launchMutex.run { () async throws(AuthError) in
            guard read({ $0.isUnread }) else { return }
            let legacy = try await findLegacySession(reading)
            _ = try await restore(reading, adopting: .some(legacy))
        }
    }

    /// What a reading of the store leads to.
    private enum Restored { case known, unwritten }

    /// Reads the record, and shows what it holds.
    ///
    /// - Parameter legacy: What another SDK left; the outer `nil` if the app was not asked yet.
    /// - Returns: ``Restored/unwritten`` if the app is to be asked: nothing was ever stored.
    private func restore(_ reading: Reading, adopting legacy: LegacySession??) async throws(AuthError) -> Restored {
        try await writing { () async throws(AuthError) in
            guard read({ $0.isUnread }) else {
                // A sign-in or sign-out that came while the store could not be written is newer than the record.
                if read({ $0.storage.pending != nil }) { try await writePending() }
                return .known
            }
            return try await reportingFailure(reading) { () async throws(AuthError) in
                var found = try await readableSession()
                if found.isUnwritten, migration != nil {
                    guard let legacy else { return .unwritten }
                    if let legacy, transition({ machine, _ in machine.migrationDecided(legacy, after: found) }) {
                        try? await writePending(over: .success(found))
                        guard read({ $0.isUnread }) else { return .known }
                        // Another process decided meanwhile.
                        found = try await readableSession()
                    }
                }
                transition { $0.restored(found, at: $1, since: reading.begun) }
                // A session of another server is removed. If the store fails, the write is retried automatically.
                try? await writePending()
                return .known
            }
        }
    }

    /// - Throws: `storage` also if a newer version of the library wrote the record.
    private func readableSession() async throws(AuthError) -> RecordSnapshot {
        let found = try await readSession()
        if found.isNewer, let problem = found.problem { throw problem.error }
        return found
    }

    /// The session of another SDK.
    private func findLegacySession(_ reading: Reading) async throws(AuthError) -> LegacySession? {
        guard let migration else { return nil }
        // An error of the app's own code is not transient.
        let asking = Reading(begun: reading.begun, isRetry: false)
        let found = try await reportingFailure(asking) { () async throws(AuthError) in
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
        _ reading: Reading, _ section: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(AuthError) { return try await section() } catch {
            transition {
                $0.restoreFailed(error, isRetry: reading.isRetry, at: $1.uptime, since: reading.begun)
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
