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
        /// What the store holds, as far as it is known.
        var notes = Notes(nil)
        /// What those say of the last sign-in.
        var stored: Record?
        /// What the store did not take yet.
        var pending: [Change] = []
        /// Over which it could not be written; `nil` before that.
        var reading: Notes?

        /// The record with the changes.
        var present: Record? { pending.reduce(into: stored) { $1.apply(to: &$0) } }

        /// The notes were read, to write the changes over them. Where another sign-in was noted since they were made, they are
        /// dropped.
        mutating func read(_ notes: Notes) {
            if !notes.agrees(with: self.notes, on: .lastSignIn) { stored = notes.part(.lastSignIn) }
            self.notes = notes
            if let reading, !reading.agrees(with: notes, on: .lastSignIn) { (pending, self.reading) = ([], nil) }
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
    ///
    /// - Parameter file: What has read the record already. It is used where it found what is known here.
    func note(_ method: SignInMethod, of user: AuthUser.ID, in file: NotesFile? = nil) async {
        let known = state.records.withLock { $0.notes }
        let isPresent = file?.notes.map { $0.agrees(with: known, on: .lastSignIn) } ?? false
        await change(.replace(Record(method, of: user)), in: isPresent ? file : nil)
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
    private func change(_ change: Change, in file: NotesFile? = nil) async {
        await state.mutex.run {
            // It is newer than what is read next, also where an earlier one could not be written.
            state.records.withLock { records in
                records.pending.append(change)
                records.reading = nil
            }
            publish()
            do throws(AuthError) { try await write(in: file) } catch {
                manager.emit(AuthEvent(.storageFailed, failure: .of(error)))
                state.failures.continuation.yield()
            }
        }
    }

    private func write(in given: NotesFile? = nil) async throws(AuthError) {
        var file = given ?? NotesFile(manager)
        do throws(AuthError) {
            try await file.change { notes throws(AuthError) in
                let (stored, next) = state.records.withLock { records in
                    records.read(notes)
                    return (records.stored, records.present)
                }
                if next != stored { try notes.set(.lastSignIn, to: next) }
            }
            state.records.withLock { [file] in $0 = Records(notes: file.notes ?? $0.notes, stored: $0.present) }
            publish()
        } catch {
            if let unwritten = file.unwritten { state.records.withLock { $0.reading = unwritten } }
            throw error
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
    /// - Parameters:
    ///   - changes: An element for each change by another process.
    ///   - wasRead: Called once it was read.
    func follow(_ changes: AsyncStream<Void>, onceRead wasRead: () -> Void) async {
        guard await manager.wasRead.value() != nil, await manager.retryingStore(synchronize) != nil else { return }
        wasRead()
        for await _ in changes { await manager.retryingStore(synchronize) }
    }

    /// Repeats the changes that the store did not take, until it does.
    func repeatFailedChanges() async {
        for await _ in state.failures.stream {
            await manager.store.waitUntilUnlocked()
            try? await manager.clock.sleep(for: .seconds(1))
            await manager.retryingStore(synchronize)
        }
    }

    /// Writes what is pending, and otherwise reads.
    private func synchronize() async throws(AuthError) {
        try await state.mutex.run { () async throws(AuthError) in
            guard state.records.withLock({ $0.pending.isEmpty }) else { return try await write() }
            let notes = try await manager.readNotes().notes
            state.records.withLock { $0.read(notes) }
            publish()
        }
    }
}
