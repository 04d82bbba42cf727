import Foundation

/// What other processes do to the session, as the store tells it.
extension SessionManager {
    /// How the store stands to what is present here.
    private enum Standing {
        /// It holds what this process knows, or what is present is to take its place.
        case ours
        /// Another process wrote what counts, which is present now.
        case overtaken
        /// It holds what nobody can read.
        case damaged(Data, AuthError)
    }

    /// Takes over what another process did to the session.
    ///
    /// - Throws: `storageLocked` or `storage` when the store cannot be read, and changes nothing then.
    func reread() async throws(AuthError) {
        try await writing { () async throws(AuthError) in
            guard !look({ $0.isUnread }) else { return }
            _ = try await isOvertaken(by: try await store.read(.session))
        }
    }

    /// Whether another process wrote what counts, which is present now. Only inside ``writing(_:)``.
    ///
    /// - Throws: `storage` when a newer version of the library wrote it, unless the person signed in or out here.
    func isOvertaken(by stored: StoredRecord) async throws(AuthError) -> Bool {
        switch try standing(of: stored) {
        case .ours: return false
        case .overtaken: return true
        case .damaged(let data, let error):
            try await setAside(data, because: error)
            apply { rules, _ in rules.foundDamaged(stored) }
            return false
        }
    }

    private func standing(of stored: StoredRecord) throws(AuthError) -> Standing {
        guard apply({ rules, _ in rules.isNews(stored) }) else { return .ours }
        let record: SessionRecord?
        do throws(SessionRecord.Problem) { record = try stored.data.map(SessionRecord.init(reading:)) } catch {
            if case .damaged = error, let data = stored.data { return .damaged(data, error.error) }
            // What the person decided takes the place of a session that cannot be read, too.
            guard apply({ rules, _ in rules.isDecisionOwed }) else { throw error.error }
            return .ours
        }
        return takeOver(record, in: stored) ? .overtaken : .ours
    }

    private func takeOver(_ record: SessionRecord?, in stored: StoredRecord) -> Bool {
        let now = clock.moment
        return apply { rules, effects in
            if case .adoptable? = record?.kept, rules.machine.session != nil, rules.machine.adoption == nil {
                // What another SDK left is older than the session here, whose record was lost.
                rules.owe(.change)
            }
            // Also for what was decided here while the store was read: that is not stored yet either.
            let adopting = rules.machine.adoption?.refreshToken
            guard rules.debt?.yields(to: record, after: rules.known, adopting: adopting, at: now) ?? true else {
                // It is to be replaced. One that comes after it is another matter.
                rules.known = KnownRecord(stored: stored)
                return false
            }
            let before = rules.machine.session
            rules.machine.changedElsewhere(record, at: now)
            rules.storeSettled()
            rules.known = KnownRecord(stored: stored)
            guard rules.machine.session != before else { return true }
            effects.events.append(AuthEvent(.sessionChangedElsewhere, provider: rules.machine.session?.provider))
            if let before, rules.machine.session == nil {
                effects.events.append(AuthEvent(.signedOut, provider: before.provider, reason: .elsewhere))
            }
            return true
        }
    }

    /// Follows what other processes do, until the stream is over.
    func follow(_ changes: AsyncStream<Void>) async {
        for await _ in changes {
            var failures = 0
            // News that cannot be read is not told again.
            while let error = await rereadOrTell(), !Task.isCancelled {
                failures += 1
                if error.code == .storageLocked { await store.waitUntilUnlocked() }
                try? await clock.sleep(for: RefreshRetry.delay(after: failures, spreadBy: nil))
            }
        }
    }

    /// - Returns: Why it could not be read.
    private func rereadOrTell() async -> AuthError? {
        do throws(AuthError) {
            // The news may be that the store works now, or that what is being restored has changed since it was read.
            if look({ $0.isUnread }) { _ = try? await restore(isTriedAgain: true) }
            try await reread()
            await writeDecisions()
            return nil
        } catch {
            if error.code == .cancelled { return nil }
            publish(AuthEvent(error.code == .storageLocked ? .storageLocked : .storageFailed, failure: error))
            return error
        }
    }
}

extension SessionManager.Rules {
    /// The record is damaged. What has to be stored takes its place.
    fileprivate mutating func foundDamaged(_ stored: StoredRecord) {
        if machine.hasSession {
            // Where another process wrote it since, that one may hold a newer session, and writes it anew.
            if known?.stored.version == stored.version { owe(.change) }
        } else if debt == nil {
            known = KnownRecord(stored: stored)
        }
    }
}
