public import Foundation

/// A session store that forgets everything with the process: for tests, previews and command line tools.
///
/// Never locked, never fails but for a name that no store takes, and safe to share: several services may have one, and stand
/// to it as several processes to a store of files.
public final class MemorySessionStore: SessionStore {
    private struct State {
        var records: [SessionStoreKey: Data] = [:]
        var readers: [SessionStoreKey: [UInt64: AsyncStream<Void>.Continuation]] = [:]
        var lastReader: UInt64 = 0
    }
    private let state = Lock(State())
    private let locks = TaskLocks()

    /// Makes an empty store.
    public init() {}

    /// The record of that name; `nil` when there is none.
    public func read(_ key: SessionStoreKey) async throws(AuthError) -> Data? {
        try key.validate()
        return state.withLock { $0.records[key] }
    }

    /// Keeps the record, in place of the one before.
    public func write(_ data: Data, for key: SessionStoreKey) async throws(AuthError) {
        try change(key, to: data)
    }

    /// Forgets the record.
    public func remove(_ key: SessionStoreKey) async throws(AuthError) {
        try change(key, to: nil)
    }

    /// Returns at once: memory is never locked.
    public func waitUntilUnlocked() async {}

    /// Tells when the record was written or removed, by whoever has this store. Changes that come faster than they are read
    /// are one element.
    public func changes(of key: SessionStoreKey) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard (try? key.validate()) != nil else { return continuation.finish() }
            let id = state.withLock { state in
                state.lastReader += 1
                state.readers[key, default: [:]][state.lastReader] = continuation
                return state.lastReader
            }
            // Weakly: a stream that somebody keeps does not keep the records.
            continuation.onTermination = { [weak self] _ in
                // Let go of outside the lock, because it may be the last reference.
                _ = self?.state.withLock { $0.readers[key]?.removeValue(forKey: id) }
            }
        }
    }

    /// Takes a lock that all share who have this store, in the order of asking.
    ///
    /// - Throws: ``AuthError`` with code `cancelled` when the task is cancelled, also when the lock is free; `storage` for a
    ///   name that no store takes.
    public func lock(_ name: SessionStoreKey) async throws(AuthError) -> SessionStoreLock {
        try name.validate()
        guard let lock = await locks[name].take() else { throw .cancelled }
        return lock
    }

    private func change(_ key: SessionStoreKey, to record: Data?) throws(AuthError) {
        try key.validate()
        state.withLock { state in
            state.records[key] = record
            for reader in (state.readers[key] ?? [:]).values { reader.yield() }
        }
    }
}

extension MemorySessionStore: CustomReflectable {
    /// A mirror without children, because records hold tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
