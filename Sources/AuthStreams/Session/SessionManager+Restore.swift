import Foundation

extension SessionManager {
    /// Restores the session: reads the store, waiting while it is locked. If nothing was ever stored, the session of another SDK is
    /// adopted.
    ///
    /// - Returns: The user who is signed in afterwards.
    /// - Throws: `storage` when the record cannot be read, which leaves it as it is and the state signed out until it is
    ///   read; `cancelled` while waiting, which leaves the state at restoring.
    @discardableResult
    public func restore() async throws(AuthError) -> AuthUser? { try await restore(isRetry: false) }

    /// - Parameter isRetry: Whether an earlier reading failed, so that the state stays at restoring.
    func restore(isRetry: Bool) async throws(AuthError) -> AuthUser? {
        if isInsideAdoptionClosure { throw .calledFromAdoptionClosure }
        let reading = Reading(begun: clock.uptime, isRetry: isRetry)
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
        let isRetry: Bool
    }

    /// The number of failures after which the state is signed out. Until then, for some seconds, the failure may be transient,
    /// and the state stays at restoring.
    private static let toleratedFailures = 3

    /// Restores, and retries with exponential backoff until it is known who is signed in.
    func restoreUntilRead() async {
        var backoff = Backoff(of: .store)
        while read({ $0.isUnread }) {
            do throws(AuthError) { _ = try await restore(isRetry: backoff.failures < Self.toleratedFailures) } catch {
                guard !Task.isCancelled, let delay = backoff.failed(error) else { return }
                await clock.sleep(for: delay, unless: wasRead)
            }
        }
    }

    /// Waits until the store was read.
    ///
    /// - Throws: `storage` when it could not be read; `cancelled`.
    func waitUntilRead() async throws(AuthError) {
        if read({ $0.isUnread }) { _ = try await restore(isRetry: true) }
    }

    private func readStore(_ reading: Reading) async throws(AuthError) {
        guard try await restore(reading, adopting: nil) == .unwritten else { return }
        // The closure of the app is asked outside the mutex of the store, by one caller at a time.
        try await launchMutex.run { () async throws(AuthError) in
            guard read({ $0.isUnread }) else { return }
            let adoptable = try await findAdoptableSession(reading)
            _ = try await restore(reading, adopting: .some(adoptable))
        }
    }

    /// What a reading of the store leads to.
    private enum Restored { case known, unwritten }

    /// Reads the record, and shows what it holds.
    ///
    /// - Parameter adoptable: The session of another SDK; the outer `nil` if the app was not asked yet.
    /// - Returns: ``Restored/unwritten`` if the app is to be asked: nothing was ever stored.
    private func restore(_ reading: Reading, adopting adoptable: AdoptableSession??) async throws(AuthError) -> Restored
    {
        try await writing { () async throws(AuthError) in
            guard read({ $0.isUnread }) else {
                // A sign-in or sign-out that came while the store could not be written is newer than the record.
                // An adoption that could not be is not, and its write is retried automatically.
                if read({ $0.storage.pending.map { $0.kind != .adoption } ?? false }) { try await writePending() }
                return .known
            }
            return try await reportingFailure(reading) { () async throws(AuthError) in
                var found = try await readableSession()
                if found.isUnwritten, adoption != nil {
                    guard let adoptable else { return .unwritten }
                    if let adoptable, transition({ machine, _ in machine.adoptionDecided(adoptable, after: found) }) {
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
    private func findAdoptableSession(_ reading: Reading) async throws(AuthError) -> AdoptableSession? {
        guard let adoption else { return nil }
        // An error of the app's own code is not transient.
        let asking = Reading(begun: reading.begun, isRetry: false)
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
            transition {
                $0.restoreFailed(error, isRetry: reading.isRetry, at: $1.uptime, since: reading.begun)
            }
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

extension SessionManager {
    /// Begins to adopt the session of another SDK, unless a user is signed in here.
    ///
    /// It is on disk before any reader sees it. If that fails, the write is retried automatically.
    ///
    /// - Returns: The session to wait for: this one, or that of the user who is signed in; `nil` for none.
    @discardableResult
    func beginAdoption(of session: AdoptableSession) async -> SessionID? {
        await writing {
            if transition({ machine, _ in machine.adoptionDecided(session) }) { try? await writePending() }
            return read { $0.user != nil || $0.kept?.refreshToken == session.refreshToken ? $0.kept?.id : nil }
        }
    }

    /// Makes the other SDK discard its copy, in a task of its own.
    func startDiscarding() {
        if adoption != nil { outstanding.start { await self.discardAdopted() } }
    }

    /// Makes the other SDK discard its copy of a session that is stored here, or is over.
    package func discardAdopted() async {
        guard let adoption, !isInsideAdoptionClosure else { return }
        await launchMutex.run {
            // A failure is retried at the next launch.
            guard let found = try? await readSession() else { return }
            // A record that was removed says nothing of it.
            let history = found.record?.history ?? read { $0.storage.history }
            guard history.isAdopted, !history.isDiscarded, (try? await calling(adoption.discard)) != nil else {
                return
            }
            // Not during a request: over a record that was written since, its mark could not be cleared.
            await refreshMutex.run { await writing { await noteDiscarded() } }
            await persistQueued()
        }
    }

    /// Notes it in the record. A failure is retried at the next launch.
    private func noteDiscarded() async {
        // What was decided before it is stored first: a store that takes the note takes that, too.
        if read({ $0.storage.pending != nil }), (try? await writePending()) == nil { return }
        for _ in 0..<StoredRecord.attempts {
            guard let found = try? await readSession(),
                let record = transition({ $0.copyDiscarded(over: found, at: $1) })
            else { return }
            do throws(AuthError) { if try await write(record, over: found) != nil { return } } catch { return }
        }
    }

    // MARK: Calling the app

    /// Asks the app for the session of another SDK.
    func adoptableSession(from adoption: SessionAdoption) async throws(AuthError) -> AdoptableSession? {
        do throws(AuthError) { return try await AuthError.wrapping { try await calling(adoption.find) } } catch {
            // A cancellation without a cancelled task is a failure: otherwise the restoration would not be retried.
            guard error.code == .cancelled, !Task.isCancelled else { throw error }
            throw AuthError(
                .storage, "The closure for the session of another SDK threw a cancellation. It is called again.")
        }
    }

    /// Whether the calling task runs a closure of `adoption`, or was started by one. Restoring waits for those closures, so
    /// they can't wait for it.
    var isInsideAdoptionClosure: Bool { SessionAdoption.caller == ObjectIdentifier(self) }

    /// Runs a closure of `adoption`.
    func calling<Value>(_ closure: @Sendable () async throws -> Value) async throws -> Value {
        try await SessionAdoption.$caller.withValue(ObjectIdentifier(self)) { try await closure() }
    }
}

extension AdoptableSession {
    /// Checks the token's form: visible characters and spaces, at least one visible (RFC 6749 appendix A.17).
    ///
    /// - Throws: `invalidCredential`.
    func validate() throws(AuthError) {
        let bytes = refreshToken.reveal().utf8
        guard bytes.contains(where: { $0 != 0x20 }), bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AuthError(
                .invalidCredential,
                "The refresh token to adopt is empty or has characters that no token has. Pass it as the other SDK stored it.",
                provider: provider)
        }
    }
}
