import Foundation

/// Stores the method of the last sign-in on this device beside the session, so that it survives the sign-out.
///
/// What is published is what the store holds, with the changes that it did not take yet. Those are repeated automatically. A
/// change is made when the record was read before a write that the store did not refuse, as that of a session is (rule 0 of
/// ``PendingWrite``): what another process writes afterwards stays.
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
        /// The version over which it could not be written; `nil` before that.
        var reading: RecordVersion?

        /// The record with the changes.
        var present: Record? { pending.reduce(into: stored) { $1.apply(to: &$0) } }

        /// The record was read, to write the changes over it. Where another one was written since they were made, they are dropped.
        mutating func read(_ record: StoredRecord) {
            if let reading, reading != record.version { (pending, self.reading) = ([], nil) }
            stored = record.data.flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
        }
    }

    /// The stored form.
    fileprivate struct Record: Codable, Hashable, Sendable {
        let method: SignInMethod
        /// Tells whether it was that user, and does not name them.
        let user: String

        init(_ method: SignInMethod, of user: AuthUser.ID) { (self.method, self.user) = (method, Self.hash(user)) }

        static func hash(_ user: AuthUser.ID) -> String { String(user.utf8.stableHash, radix: 16) }
    }

    fileprivate enum Change: Sendable {
        case replace(Record)
        /// - provider: Only a sign-in with that one; any unless given.
        case forget(user: String, provider: ProviderID?)

        func apply(to record: inout Record?) {
            switch self {
            case .replace(let new): record = new
            case .forget(let user, let provider):
                if record?.user == user, provider == nil || record?.method.provider == provider { record = nil }
            }
        }
    }

    private var state: State { manager.lastSignIn }

    /// Publishes and stores the method of a sign-in.
    func note(_ method: SignInMethod, of user: AuthUser.ID) async {
        await change(.replace(Record(method, of: user)))
    }

    /// Publishes a method without a wait. The next change stores it, too.
    func assume(_ method: SignInMethod, of user: AuthUser.ID) {
        state.records.withLock { $0.pending = [.replace(Record(method, of: user))] }
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
            // It is newer than what is read next, also where an earlier one could not be written.
            state.records.withLock { records in
                records.pending.append(change)
                records.reading = nil
            }
            publish()
            do throws(AuthError) { try await write() } catch {
                manager.emit(AuthEvent(.storageFailed, failure: error))
                state.failures.continuation.yield()
            }
        }
    }

    private func write() async throws(AuthError) {
        for _ in 0..<StoredRecord.attempts {
            let found = try await manager.store.read(.lastSignIn)
            let (stored, next) = state.records.withLock { records in
                records.read(found)
                return (records.stored, records.present)
            }
            if next != stored {
                let data = try next.map(encode)
                do throws(AuthError) {
                    guard try await manager.store.write(data, for: .lastSignIn, replacing: found.version) != nil else {
                        continue
                    }
                } catch {
                    state.records.withLock { $0.reading = found.version }
                    throw error
                }
            }
            state.records.withLock { $0 = Records(stored: next) }
            return publish()
        }
        throw .recordIsBusy(.lastSignIn)
    }

    private func encode(_ record: Record) throws(AuthError) -> Data {
        do { return try JSONEncoder().encode(record) } catch {
            throw AuthError(.storage, "The record of the last sign-in could not be encoded.", cause: error)
        }
    }

    private func publish() {
        let method = state.records.withLock { $0.present }.flatMap { manager.offeredMethod($0.method) }
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
            let found = try await manager.store.read(.lastSignIn)
            state.records.withLock { $0.read(found) }
            publish()
        }
    }
}
