import Foundation

/// The records that are no session's, and what is repeated while the store fails.
extension SessionManager {
    /// Changes a record that is no session's. A store that fails stops nothing: it is reported as an event.
    ///
    /// - Parameter kind: The change of the account that the event belongs to.
    /// - Returns: The result of the last call; `nil` when the store failed.
    @discardableResult
    func update<Content: Codable, Value>(
        _ key: SessionStoreKey, in kind: AuthEvent.Change? = nil, _ change: (inout Content?) -> Value
    ) async -> Value? {
        do throws(AuthError) { return try await self.change(key, change) } catch {
            emit(AuthEvent(.storageFailed, failure: error, change: kind))
            return nil
        }
    }

    /// Runs a section that needs the store, and repeats it until the store works: after an unlock, and with exponential
    /// backoff. Each failure is reported as an event.
    ///
    /// - Parameter limit: For how long it is repeated; without end unless given.
    /// - Returns: `nil` when the task was cancelled first, or the limit has passed.
    @discardableResult
    func retryingStore<Value>(
        for limit: Duration? = nil, _ section: () async throws(AuthError) -> Value
    ) async -> Value? {
        let begin = clock.uptime
        var failures = 0
        while !Task.isCancelled, limit.map({ clock.uptime - begin <= $0 }) ?? true {
            do throws(AuthError) { return try await section() } catch {
                if Task.isCancelled { return nil }
                failures += 1
                emit(AuthEvent(error.code == .storageLocked ? .storageLocked : .storageFailed, failure: error))
                if error.code == .storageLocked { await store.waitUntilUnlocked() }
                // Also after an unlock: what is locked may not be the store, which then does not wait.
                try? await clock.sleep(for: RetryPolicy.delay(after: failures, spreadBy: nil))
            }
        }
        return nil
    }

    /// Changes a record that is no session's.
    ///
    /// - Parameter change: Receives what the record holds, `nil` if that is nothing or cannot be decoded, and changes it. May be
    ///   called several times.
    /// - Returns: The result of the last call.
    func change<Content: Codable, Value>(
        _ key: SessionStoreKey, _ change: (inout Content?) -> Value
    ) async throws(AuthError) -> Value {
        // Equal contents must encode to equal bytes, or every reading would write.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try await store.update(key) { data throws(AuthError) in
            var content = data.flatMap { try? JSONDecoder().decode(Content.self, from: $0) }
            let value = change(&content)
            do { data = try content.map(encoder.encode) } catch {
                throw AuthError(.storage, "The record '\(key.rawValue)' could not be encoded.", cause: error)
            }
            return value
        }
    }
}
