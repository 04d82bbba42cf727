import Foundation

/// Stores the method of the last sign-in on this device beside the session, so that it survives the sign-out.
///
/// What is published is what the store holds, with the changes that it did not take yet. Those are repeated automatically.
struct LastSignIns: Sendable {
    let manager: SessionManager

    /// What is known of the last sign-in.
    final class State: Sendable {
        /// The method; `nil` until it is read.
        let broadcast = Broadcast<SignInMethod?>(nil)
        /// One reading or writing at a time, so that what is published is the newest.
        fileprivate let mutex = AsyncMutex()
        fileprivate let records = Lock(Records())
        /// An element for each change that the store did not take.
        fileprivate let failures = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    fileprivate struct Records: Sendable {
        var stored: Record?
        /// What the store did not take yet.
        var pending: [Change] = []

        /// The record with the changes.
        func present(at now: Date) -> Record? { pending.reduce(into: stored) { $1.apply(to: &$0, at: now) } }
    }

    /// The stored form.
    fileprivate struct Record: Codable, Sendable {
        let method: SignInMethod
        /// Tells whether it was that user, and does not name them.
        let user: String
        let date: Date

        init(_ method: SignInMethod, of user: AuthUser.ID, at date: Date) {
            (self.method, self.user, self.date) = (method, Self.hash(user), date)
        }

        static func hash(_ user: AuthUser.ID) -> String { String(user.utf8.stableHash, radix: 16) }
    }

    fileprivate enum Change: Sendable {
        case replace(Record)
        /// - provider: Only a sign-in with that one; any unless given.
        case forget(user: String, provider: ProviderID?)

        /// - Parameter now: A later date is one of a clock that was wrong.
        func apply(to record: inout Record?, at now: Date) {
            switch self {
            case .replace(let new):
                // Another process may have stored a later sign-in, while this one could not be stored.
                if let record, record.date > new.date, record.date <= now { return }
                record = new
            case .forget(let user, let provider):
                if record?.user == user, provider == nil || record?.method.provider == provider { record = nil }
            }
        }
    }

    private var state: State { manager.lastSignIn }

    /// Publishes and stores the method of a sign-in.
    func note(_ method: SignInMethod, of user: AuthUser.ID) async {
        await change(.replace(Record(method, of: user, at: manager.clock.date)))
    }

    /// Publishes a method without a wait. The next change stores it, too.
    func assume(_ method: SignInMethod, of user: AuthUser.ID) {
        state.records.withLock { $0.pending = [.replace(Record(method, of: user, at: manager.clock.date))] }
        publish()
    }

    /// Forgets the method, if it leads to that user no longer: the account does not exist any more, or an identity was removed.
    ///
    /// - Parameter provider: Of which the identity was; `nil` for the whole account.
    func forget(_ user: AuthUser.ID, by provider: ProviderID? = nil) async {
        await change(.forget(user: Record.hash(user), provider: provider))
    }

    /// A store that fails stops nothing: it is reported as an event, and the change is repeated by ``repeatFailedChanges()``.
    private func change(_ change: Change) async {
        await state.mutex.run {
            state.records.withLock { $0.pending.append(change) }
            publish()
            do throws(AuthError) { try await write() } catch {
                manager.emit(AuthEvent(.storageFailed, failure: error))
                state.failures.continuation.yield()
            }
        }
    }

    private func write() async throws(AuthError) {
        let (pending, now) = (state.records.withLock { $0.pending }, manager.clock.date)
        let stored = try await manager.change(.lastSignIn) { (stored: inout Record?) in
            for change in pending { change.apply(to: &stored, at: now) }
            return stored
        }
        state.records.withLock { $0 = Records(stored: stored) }
        publish()
    }

    private func publish() {
        let now = manager.clock.date
        let method = state.records.withLock { $0.present(at: now) }.flatMap { manager.offeredMethod($0.method) }
        if state.broadcast.value != .some(method) { state.broadcast.send(method) }
    }

    /// Writes the changes that the store did not take.
    ///
    /// - Returns: Whether the store holds all.
    func persistPending() async -> Bool {
        await state.mutex.run {
            guard !state.records.withLock({ $0.pending.isEmpty }) else { return true }
            return (try? await write()) != nil
        }
    }

    // MARK: In the background

    /// Reads the method once the session was read, so that the launch does not wait for it, and after each change.
    ///
    /// - Parameter changes: An element for each change by another process.
    func follow(_ changes: AsyncStream<Void>) async {
        guard await manager.wasRead.value() != nil else { return }
        await manager.retryingStore(synchronize)
        for await _ in changes { await manager.retryingStore(synchronize) }
    }

    /// Repeats the changes that the store did not take, until it does.
    func repeatFailedChanges() async {
        for await _ in state.failures.stream {
            await manager.store.waitUntilUnlocked()
            try? await manager.clock.sleep(for: RetryPolicy.delay(after: 1, spreadBy: nil))
            await manager.retryingStore(synchronize)
        }
    }

    /// Writes what is pending, and otherwise reads. Reading leaves a record that cannot be decoded, such as one of a newer version,
    /// as it is.
    private func synchronize() async throws(AuthError) {
        try await state.mutex.run { () async throws(AuthError) in
            guard state.records.withLock({ $0.pending.isEmpty }) else { return try await write() }
            let data = try await manager.store.read(.lastSignIn).data
            let stored = data.flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
            state.records.withLock { $0.stored = stored }
            publish()
        }
    }
}
