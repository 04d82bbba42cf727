import Foundation

/// A record that was written and does not count, while the store may still hold it.
struct Rollback: Sendable {
    /// What was written.
    let written: Data
    /// What it replaced; `nil` for no record.
    let replaced: Data?

    /// What the store would hold without that write.
    func applied(to stored: StoredRecord) -> StoredRecord {
        StoredRecord(data: stored.data == written ? replaced : stored.data, version: stored.version)
    }
}

extension SessionKeeper.Rules {
    /// The session was restored from that record. Where it was put back in memory alone, the store still has to get it.
    mutating func restored(from stored: StoredRecord) {
        known = KnownRecord(stored: stored)
        if rollback.take() != nil { owe(.change) }
    }
}

extension SessionKeeper {
    /// Makes the store hold what it held before a write that does not count. Only inside ``writing(_:)``.
    func rollBack(_ writing: Writing) async {
        guard let replaced = writing.replaced else { return }
        guard look({ $0.isUnread }) else {
            // What is present is known, and is retried automatically.
            apply { rules, _ in rules.owe(.change) }
            try? await writePresent()
            return
        }
        apply { rules, _ in
            guard let written = rules.tried?.data ?? rules.known?.data else { return }
            rules.rollback = Rollback(written: written, replaced: replaced.data)
        }
        try? await rollBack()
    }

    /// Puts back what a write that does not count replaced, if the store still holds that write.
    ///
    /// A failure loses nothing while the process lives: restoring reads what was replaced.
    func rollBack() async throws(AuthError) {
        guard let rollback = apply({ rules, _ in rules.rollback }) else { return }
        for _ in 0..<StoredRecord.attempts {
            let stored = try await store.read(.session)
            let isDone =
                if stored.data == rollback.written {
                    try await store.write(rollback.replaced, for: .session, replacing: stored.version) != nil
                } else { true }
            guard isDone else { continue }
            apply { rules, _ in (rules.rollback, rules.tried, rules.known) = (nil, nil, nil) }
            return
        }
        throw .recordIsBusy(.session)
    }
}
