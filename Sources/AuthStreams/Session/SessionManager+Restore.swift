extension SessionManager {
    /// Restores the session: reads the store, waiting while it is locked. If nothing was ever stored, the session of another SDK is
    /// adopted.
    ///
    /// - Returns: The user who is signed in afterwards.
    /// - Throws: `storage` when the record cannot be read, which leaves it as it is and the state signed out until it is
    ///   read; `cancelled` while waiting, which leaves the state at restoring.
    @discardableResult
    public func restore() async throws(AuthError) -> AuthUser? { try await restore(onFailure: .showSignedOut) }

    func restore(onFailure policy: ReadFailurePolicy) async throws(AuthError) -> AuthUser? {
        if isInsideAdoptionClosure { throw .calledFromAdoptionClosure }
        let reading = Reading(begun: clock.uptime, policy: policy)
        var backoff = Backoff(of: .unlock)
        while true {
            do throws(AuthError) {
                try await readStore(reading)
                return user
            } catch {
                guard error.code == .storageLocked else { throw error }
                await store.waitUntilUnlocked()
                if Task.isCancelled { throw .cancelled }
                // The other SDK's storage may be locked, of which the store knows nothing and returns at once.
                guard let wait = backoff.failed(error), wait > .zero else { continue }
                do { try await clock.sleep(for: wait) } catch { throw .cancelled }
            }
        }
    }

    /// One reading of the store, from its beginning until the contents are known.
    private struct Reading {
        let begun: Duration
        let policy: ReadFailurePolicy
    }

    /// The number of failures after which the state is signed out. Until then, for some seconds, the failure may be transient,
    /// and the state stays at restoring.
    private static let toleratedFailures = 3

    /// Restores, and retries with exponential backoff until it is known who is signed in.
    func restoreUntilRead() async {
        var backoff = Backoff(of: .store)
        while read({ $0.isUnread }) {
            let policy: ReadFailurePolicy =
                backoff.failures < Self.toleratedFailures ? .keepRestoring : .showSignedOut
            do throws(AuthError) { _ = try await restore(onFailure: policy) } catch {
                guard !Task.isCancelled, let delay = backoff.failed(error) else { return }
                await clock.sleep(for: delay, unless: wasRead)
            }
        }
    }

    /// Waits until the store was read.
    ///
    /// - Throws: `storage` when it could not be read; `cancelled`.
    func waitUntilRead() async throws(AuthError) {
        if read({ $0.isUnread }) { _ = try await restore(onFailure: .keepRestoring) }
    }

    private func readStore(_ reading: Reading) async throws(AuthError) {
        try await readUnlessKnown(reading) { () async throws(AuthError) in
            let found = try await readableSession()
            // If nothing was ever stored, the app is asked first.
            if !found.isUnwritten || adoption == nil { await show(found, reading) }
        }
        guard let adoption, read({ $0.isUnread }) else { return }
        // The closure of the app is asked outside the mutex of the store, by one caller at a time.
        try await launchMutex.run { () async throws(AuthError) in
            guard read({ $0.isUnread }) else { return }
            let adoptable = try await findAdoptableSession(by: adoption, reading)
            try await readUnlessKnown(reading) { () async throws(AuthError) in
                var found = try await readableSession()
                if let adoptable, found.isUnwritten,
                    transition({ machine, _ in machine.adoptionDecided(adoptable, after: found) })
                {
                    try? await writePending(over: .success(found))
                    guard read({ $0.isUnread }) else { return }
                    // Another process decided meanwhile.
                    found = try await readableSession()
                }
                await show(found, reading)
            }
        }
    }

    /// Runs a section that reads the record, in the turn of the store, and reports its failure. If it is known already who is signed
    /// in, writes what the person decided instead.
    private func readUnlessKnown(
        _ reading: Reading, _ section: () async throws(AuthError) -> Void
    ) async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            if read({ $0.isUnread }) { return try await reportingFailure(reading, section) }
            // A sign-in or sign-out that came while the store could not be written is newer than the record.
            // An adoption that could not be is not, and its write is retried automatically.
            if read({ $0.storage.pending.map { $0.kind != .adoption } ?? false }) { try await writePending() }
        }
    }

    /// Shows what the record holds.
    private func show(_ found: RecordSnapshot, _ reading: Reading) async {
        transition { $0.restored(found, at: $1, since: reading.begun) }
        // A session of another server is removed. If the store fails, the write is retried automatically.
        try? await writePending()
    }

    /// - Throws: `storage` also if a newer version of the library wrote the record.
    private func readableSession() async throws(AuthError) -> RecordSnapshot {
        let found = try await readSession()
        if found.isNewer, let problem = found.problem { throw problem.error }
        return found
    }

    /// The session of another SDK.
    private func findAdoptableSession(
        by adoption: SessionAdoption, _ reading: Reading
    ) async throws(AuthError) -> AdoptableSession? {
        // An error of the app's own code is not transient.
        let asking = Reading(begun: reading.begun, policy: .showSignedOut)
        let found = try await reportingFailure(asking) { () async throws(AuthError) in
            try await adoptableSession(from: adoption)
        }
        guard let adoptable = found else { return nil }
        do throws(AuthError) { try adoptable.validate() } catch {
            emit(AuthEvent(.adoptionRefused, failure: .of(error)))
            return nil
        }
        return adoptable
    }

    /// Reports a failure to read: the store is then not taken for empty.
    private func reportingFailure<Value>(
        _ reading: Reading, _ section: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(AuthError) { return try await section() } catch {
            transition { $0.restoreFailed(error, reading.policy, at: $1.uptime, since: reading.begun) }
            throw error
        }
    }
}

extension AuthError {
    fileprivate static var calledFromAdoptionClosure: Self {
        AuthError(
            .misconfigured,
            """
            A closure of `adoption` asked for who is signed in, which is known only once the closure has returned. Return \
            the session from `find`, and use the service afterwards.
            """)
    }
}
