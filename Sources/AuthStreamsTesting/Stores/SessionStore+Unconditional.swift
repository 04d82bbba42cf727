package import AuthStreams
package import Foundation

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
