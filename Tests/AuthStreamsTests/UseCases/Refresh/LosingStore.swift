import AuthStreamsTesting
import Foundation

@testable import AuthStreams

/// The store of one process, which can lose its locks, as when the system suspends the process. Another process gets them then.
final class LosingStore: SessionStore {
    private struct State {
        var isLosing = false
        var held: [SessionStoreLock] = []
    }
    private let base: any SessionStore
    private let state = Lock(State())

    init(_ base: any SessionStore = MemorySessionStore()) {
        self.base = base
    }

    /// Loses the locks that are held, and each that is taken until ``keepLocks()``.
    func loseLocks() {
        let lost = state.withLock { state in
            state.isLosing = true
            defer { state.held = [] }
            return state.held
        }
        for lock in lost { lock.release() }
    }

    func keepLocks() { state.withLock { $0.isLosing = false } }

    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock {
        let lock = try await base.lock(name, waitingAtMost: limit)
        let isLost = state.withLock { state in
            if !state.isLosing { state.held.append(lock) }
            return state.isLosing
        }
        if isLost { lock.release() }
        return SessionStoreLock(isHeld: { lock.isHeld }, release: { lock.release() })
    }

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord { try await base.read(key) }
    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        try await base.write(data, for: key, replacing: version)
    }
    func waitUntilUnlocked() async {}
    func changes(of key: SessionStoreKey) -> AsyncStream<Void> { base.changes(of: key) }
}
