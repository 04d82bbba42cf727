import AuthStreamsTesting
import Foundation

@testable import AuthStreams

/// A store that tells when its lock of refreshes is asked for.
final class LockWatchingStore: SessionStore {
    private let base = MemorySessionStore()
    private let state = Lock((count: 0, waiting: [Int: Promise<Void>]()))

    /// Resolved when the lock has been asked for so many times.
    func asked(_ count: Int) -> Promise<Void> {
        state.withLock { state in
            let signal = state.waiting[count] ?? Promise<Void>()
            state.waiting[count] = signal
            if state.count >= count { signal.resolve(()) }
            return signal
        }
    }

    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock {
        if name == .refreshLock {
            let signal = state.withLock { state in
                state.count += 1
                return state.waiting[state.count]
            }
            signal?.resolve(())
        }
        return try await base.lock(name, waitingAtMost: limit)
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
