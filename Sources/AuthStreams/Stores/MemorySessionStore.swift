public import Foundation

/// A session store that forgets everything with the process: for tests, previews and command line tools.
///
/// Never locked, never fails but for a name that no store takes, and safe to share: several services may have one, as
/// several processes may have one store of files.
public final class MemorySessionStore: SessionStore {
    private struct State {
        var records: [SessionStoreKey: StoredRecord] = [:]
        var readers: [SessionStoreKey: [UInt64: AsyncStream<Void>.Continuation]] = [:]
        var lastReader: UInt64 = 0

        func record(_ key: SessionStoreKey) -> StoredRecord {
            records[key] ?? StoredRecord(data: nil, version: .none)
        }
    }
    private let state = Lock(State())
    private let locks = AsyncMutexes()

    /// Makes an empty store.
    public init() {}

    /// Reads the record of that name.
    public func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        try key.validate()
        return state.withLock { $0.record(key) }
    }

    /// Keeps the record in place of the one before, or forgets it, unless another write came first.
    public func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        try key.validate()
        let readers = state.withLock { state -> [UInt64: AsyncStream<Void>.Continuation]? in
            guard state.record(key).version == version else { return nil }
            state.records[key] = StoredRecord(data: data, version: version.next)
            return state.readers[key] ?? [:]
        }
        guard let readers else { return nil }
        // Outside the lock: to wake a task takes its own lock, within which a cancelled reader leaves.
        for reader in readers.values { reader.yield() }
        return version.next
    }

    /// Returns at once: memory is never locked.
    public func waitUntilUnlocked() async {}

    /// Tells when the record was written or removed through this store. Changes that come faster than they are read
    /// are one element.
    public func changes(of key: SessionStoreKey) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard (try? key.validate()) != nil else { return continuation.finish() }
            let id = state.withLock { state in
                state.lastReader += 1
                state.readers[key, default: [:]][state.lastReader] = continuation
                return state.lastReader
            }
            // Weakly: a stream that a reader keeps does not keep the records.
            continuation.onTermination = { [weak self] _ in
                // Let go of outside the lock, because it may be the last reference.
                _ = self?.state.withLock { $0.readers[key]?.removeValue(forKey: id) }
            }
        }
    }

    /// Takes a lock that all users of this store share, in the order of asking. Memory has no other process, so the limit
    /// does not matter.
    ///
    /// - Throws: ``AuthError`` with code `cancelled` when the task is cancelled, also when the lock is free; `storage` for a
    ///   name that no store takes.
    public func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock
    {
        try name.validate()
        guard let lock = await locks[name].take() else { throw .cancelled }
        return lock
    }
}

extension MemorySessionStore: CustomReflectable {
    /// A mirror without children, because records hold tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
