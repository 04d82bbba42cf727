public import Foundation

/// A session store that forgets everything with the process: for tests, previews and command line tools.
///
/// Never locked, never fails but for a name that no store takes, and safe to share.
public final class MemorySessionStore: SessionStore {
    private let records = Lock([SessionStoreKey: Data]())

    /// Makes an empty store.
    public init() {}

    /// The record of that name; `nil` when there is none.
    public func read(_ key: SessionStoreKey) async throws(AuthError) -> Data? {
        try key.validate()
        return records.withLock { $0[key] }
    }

    /// Keeps the record, in place of the one before.
    public func write(_ data: Data, for key: SessionStoreKey) async throws(AuthError) {
        try key.validate()
        records.withLock { $0[key] = data }
    }

    /// Forgets the record.
    public func remove(_ key: SessionStoreKey) async throws(AuthError) {
        try key.validate()
        records.withLock { $0[key] = nil }
    }

    /// Returns at once: memory is never locked.
    public func waitUntilUnlocked() async {}
}

extension MemorySessionStore: CustomReflectable {
    /// A mirror without children, because records hold tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
