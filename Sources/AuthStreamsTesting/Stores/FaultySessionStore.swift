public import AuthStreams
public import Foundation

/// A store around another one that can be locked, fail, damage a record, or hold a call.
///
/// ```swift
/// let store = FaultySessionStore()
/// store.lock()                                   // every call: storageLocked, until unlock()
/// store.fail(.write, times: 1)                   // the next write: storage
/// let hold = store.hold(.write, .after)          // the next write is done, but does not return …
/// await hold.reached()
/// hold.release()                                 // … until now
/// ```
public final class FaultySessionStore: SessionStore {
    /// The kinds of calls.
    public enum Call: Hashable, Sendable {
        /// `SessionStore.read(_:)`.
        case read
        /// Writing a record with `SessionStore.write(_:for:replacing:)`.
        case write
        /// Removing a record with `SessionStore.write(_:for:replacing:)`.
        case remove
    }

    /// A recorded call.
    package struct Operation: Hashable, Sendable {
        /// The kind of call.
        package var call: Call
        /// The record's name.
        package var key: SessionStoreKey

        /// Makes an operation, to compare with.
        package init(_ call: Call, _ key: SessionStoreKey) {
            self.call = call
            self.key = key
        }
    }

    /// When something happens, relative to the call of the underlying store.
    public enum Moment: Hashable, Sendable {
        /// The underlying store is not called yet; if the call fails, it never is.
        case before
        /// The underlying store has carried out the call.
        case after
    }

    private struct State {
        var operations: [Operation] = []
        var faults = StoreFaults()
        var unlocked: Promise<Void>?
        var damage: [SessionStoreKey: Data] = [:]
    }
    private let base: any SessionStore
    private let state = Lock(State())

    /// Makes a store that behaves like the given one until a fault is set.
    public init(_ base: any SessionStore = MemorySessionStore()) {
        self.base = base
    }

    /// The calls so far, in the order in which they began, including those that failed.
    package var operations: [Operation] { state.withLock { $0.operations } }

    // MARK: Telling it to misbehave

    /// Makes every call fail with `storageLocked` from now on.
    public func lock() {
        state.withLock { $0.unlocked = $0.unlocked ?? Promise() }
    }

    /// Unlocks the store: calls work again, and tasks that wait for the unlock are resumed.
    public func unlock() {
        _ = state.withLock { $0.unlocked.take() }?.resolve(())
    }

    /// Makes calls of one kind fail.
    ///
    /// - Parameters:
    ///   - call: The kind of call.
    ///   - moment: Whether they fail before or after they have taken effect.
    ///   - key: The record's name; any unless given.
    ///   - error: The error they fail with; `storage` unless given.
    ///   - times: The number of calls that fail; all until ``heal()`` unless given.
    public func fail(
        _ call: Call, _ moment: Moment = .before, of key: SessionStoreKey? = nil,
        with error: AuthError = AuthError(.storage, "The store was told to fail."), times: Int? = nil
    ) {
        let failure = StoreFaults.Failure(call: call, key: key, moment: moment, error: error, remaining: times)
        state.withLock { $0.faults.failures.append(failure) }
    }

    /// Holds the next call of one kind.
    ///
    /// Like a real disk it does so even if its task is cancelled meanwhile.
    ///
    /// - Parameters:
    ///   - call: The kind of call.
    ///   - moment: Whether it is held before or after it has taken effect.
    ///   - key: The record's name; any unless given.
    public func hold(_ call: Call, _ moment: Moment = .before, of key: SessionStoreKey? = nil) -> Hold {
        let hold = Hold()
        state.withLock { $0.faults.holds.append(.init(call: call, key: key, moment: moment, gate: hold.gate)) }
        return hold
    }

    /// Damages a record: until it is written again, a read returns these bytes. Its version stays.
    public func damage(_ key: SessionStoreKey, with data: Data = Data("{".utf8)) {
        state.withLock { $0.damage[key] = data }
    }

    /// Removes every failure. Locks and holds stay.
    public func heal() {
        state.withLock { $0.faults.failures = [] }
    }

    // MARK: The store

    /// Reads from the underlying store, unless a fault is set.
    public func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        try await begin(.read, key)
        let record = try await base.read(key)
        try await pass(.read, key, .after)
        return state.withLock { $0.damage[key] }.map { StoredRecord(data: $0, version: record.version) } ?? record
    }

    /// Writes to the underlying store, or removes from it, unless a fault is set.
    public func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        let call: Call = data == nil ? .remove : .write
        try await begin(call, key)
        let written = try await base.write(data, for: key, replacing: version)
        if written != nil { state.withLock { $0.damage[key] = nil } }
        try await pass(call, key, .after)
        return written
    }

    /// Waits for ``unlock()`` while locked, then for the underlying store.
    public func waitUntilUnlocked() async {
        if let unlocked = state.withLock({ $0.unlocked }) { _ = await unlocked.value() }
        if !Task.isCancelled { await base.waitUntilUnlocked() }
    }

    /// Returns the changes of the underlying store.
    public func changes(of key: SessionStoreKey) -> AsyncStream<Void> { base.changes(of: key) }

    /// Takes the lock of the underlying store; `storageLocked` after ``lock()`` until ``unlock()``. It is not recorded,
    /// and only the underlying store makes it fail.
    public func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock
    {
        try requireUnlocked(state.withLock { $0.unlocked != nil })
        return try await base.lock(name, waitingAtMost: limit)
    }

    private func begin(_ call: Call, _ key: SessionStoreKey) async throws(AuthError) {
        let isLocked = state.withLock { state in
            state.operations.append(Operation(call, key))
            return state.unlocked != nil
        }
        try requireUnlocked(isLocked)
        try await pass(call, key, .before)
    }

    private func requireUnlocked(_ isLocked: Bool) throws(AuthError) {
        if isLocked { throw AuthError(.storageLocked, "The store was told to be locked.") }
    }

    private func pass(_ call: Call, _ key: SessionStoreKey, _ moment: Moment) async throws(AuthError) {
        if let gate = state.withLock({ $0.faults.takeHold(call, key, moment) }) { await gate.pass() }
        if let error = state.withLock({ $0.faults.takeFailure(call, key, moment) }) { throw error }
    }
}

extension FaultySessionStore {
    /// A call that is or will be held. Releasing the last reference releases the call.
    public final class Hold: Sendable {
        let gate = StoreGate()

        deinit { gate.release() }

        /// Waits until a call is held, or until the task is cancelled.
        public func reached() async { _ = await gate.arrived.value() }

        /// Releases the call; a later one is not held.
        public func release() { gate.release() }
    }
}

extension SessionStore {
    /// Writes a record with any version, to prepare or damage a store in a test.
    package func write(_ data: Data, for key: SessionStoreKey) async throws(AuthError) {
        try await overwrite(key, with: data)
    }

    /// Removes a record with any version, to prepare a store in a test.
    package func remove(_ key: SessionStoreKey) async throws(AuthError) { try await overwrite(key, with: nil) }

    private func overwrite(_ key: SessionStoreKey, with data: Data?) async throws(AuthError) {
        for _ in 0..<1000 {
            let version = try await read(key).version
            if try await write(data, for: key, replacing: version) != nil { return }
        }
        throw AuthError(
            .storage, "The store refused every write of '\(key.rawValue)' as stale, also of the version it read.")
    }

    /// Takes a lock, with a time limit that no test reaches.
    package func lock(_ name: SessionStoreKey) async throws(AuthError) -> SessionStoreLock {
        try await lock(name, waitingAtMost: .seconds(3600))
    }
}
