import Foundation

/// Changes of the session by other processes, as the store reports them.
extension SessionManager {
    /// How the record relates to what is present here.
    private enum RecordStatus {
        /// This process knows it, or what is present replaces it.
        case current
        /// Another process wrote it, and it is present now.
        case replaced
        /// It cannot be decoded.
        case damaged(Data, AuthError)
    }

    /// Takes over a change that another process made to the session.
    ///
    /// - Throws: `storageLocked` or `storage` when the store cannot be read, and changes nothing then.
    func synchronize() async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            guard !look({ $0.isUnread }) else { return }
            _ = try await isReplaced(by: try await readSession())
        }
    }

    /// Whether another process wrote a record that takes precedence, which is present now. Only inside ``writing(_:)``.
    ///
    /// - Throws: `storage` when a newer version of the library wrote it, unless the person signed in or out here.
    func isReplaced(by snapshot: RecordSnapshot) async throws(AuthError) -> Bool {
        switch try status(of: snapshot) {
        case .current: return false
        case .replaced: return true
        case .damaged(let data, let error):
            try await setAside(data, because: error)
            foundDamaged(snapshot)
            return false
        }
    }

    private func status(of snapshot: RecordSnapshot) throws(AuthError) -> RecordStatus {
        guard observed(snapshot) else { return .current }
        if let problem = snapshot.problem {
            if case .damaged = problem, let data = snapshot.data { return .damaged(data, problem.error) }
            // A sign-in or sign-out also replaces a record that cannot be read.
            guard look({ $0.storage.isDecisionPending }) else { throw problem.error }
            return .current
        }
        return recordObserved(snapshot) ? .replaced : .current
    }

    /// Follows the changes of other processes until the stream ends.
    func follow(_ changes: AsyncStream<Void>) async {
        for await _ in changes {
            var failures = 0
            // The store does not report a change again that could not be read.
            while let error = await synchronizeOrReport(), !Task.isCancelled {
                failures += 1
                if error.code == .storageLocked { await store.waitUntilUnlocked() }
                try? await clock.sleep(for: RetryPolicy.delay(after: failures, spreadBy: nil))
            }
        }
    }

    /// - Returns: Why it could not be read.
    private func synchronizeOrReport() async -> AuthError? {
        do throws(AuthError) {
            // The change may be that the store works now, or that the record has changed since it was read.
            if look({ $0.isUnread }) { _ = try? await restore(isRetry: true) }
            try await synchronize()
            await persistQueued()
            return nil
        } catch {
            if error.code == .cancelled { return nil }
            emit(AuthEvent(error.code == .storageLocked ? .storageLocked : .storageFailed, failure: error))
            return error
        }
    }
}
