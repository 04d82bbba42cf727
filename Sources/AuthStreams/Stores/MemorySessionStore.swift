public import Foundation

/// A session store in memory, for tests, previews and command line tools. Its records end with the process.
///
/// Never locked, and fails only for an invalid name. Several services may share one, as several processes may share a
/// store of files.
public final class MemorySessionStore: SessionStore {
    private struct State {
        var records: [SessionStoreKey: StoredRecord] = [:]
        var readers: [SessionStoreKey: [UInt64: AsyncStream<Void>.Continuation]] = [:]
        var lastReader: UInt64 = 0

        func record(_ key: SessionStoreKey) -> StoredRecord {
            records[key] ?? StoredRecord(data: nil, version: .none)
        }
    }
    private let state: Lock<State>
    private let locks = AsyncMutexes()

    /// Makes an empty store.
    public init() { state = Lock(State()) }

    /// Makes a store that holds a record.
    init(_ record: StoredRecord, for key: SessionStoreKey) { state = Lock(State(records: [key: record])) }

    /// Reads a record.
    public func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        try key.validate()
        return state.withLock { $0.record(key) }
    }

    /// Writes or removes a record, unless another write came first.
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
        // Outside the lock: resuming a task takes the stream's own lock, under which a cancelled reader is removed.
        for reader in readers.values { reader.yield() }
        return version.next
    }

    /// Returns at once: memory is never locked.
    public func waitUntilUnlocked() async {}

    /// Returns a stream with an element when the record was written or removed through this store. Changes that come
    /// faster than they are read are one element.
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
                // Released outside the lock, because it may be the last reference.
                _ = self?.state.withLock { $0.readers[key]?.removeValue(forKey: id) }
            }
        }
    }

    /// Takes a lock that all users of this store share, in order of arrival. No other process can hold it, so the limit
    /// is ignored.
    ///
    /// - Throws: ``AuthError`` with code `cancelled` if the task is cancelled, even if the lock is free; `storage` for
    ///   an invalid name.
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
