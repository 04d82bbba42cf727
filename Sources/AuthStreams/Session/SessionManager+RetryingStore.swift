/// What is repeated while the store fails.
extension SessionManager {
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
        var backoff = Backoff(of: .store)
        while !Task.isCancelled, limit.map({ clock.uptime - begin <= $0 }) ?? true {
            do throws(AuthError) { return try await section() } catch {
                if Task.isCancelled { return nil }
                emit(AuthEvent(error.code == .storageLocked ? .storageLocked : .storageFailed, failure: error))
                if error.code == .storageLocked { await store.waitUntilUnlocked() }
                // Also after an unlock: what is locked may not be the store, which then does not wait.
                try? await clock.sleep(for: backoff.failed(error) ?? .zero)
            }
        }
        return nil
    }
}
