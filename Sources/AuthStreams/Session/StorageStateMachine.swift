import Foundation

/// What the store is known to hold, and what is still to be written.
///
/// ```
/// nothing pending ── enqueue ──▶ queued ── writeFailed ──▶ failed(retry at)
///        ▲                          │                          │
///        ╰──────── settle ──────────┴──────────────────────────╯
/// ```
package struct StorageStateMachine: Hashable, Sendable {
    /// The record as this process last wrote it or took it over. A record that differs is another process's.
    package private(set) var accepted: RecordSnapshot?
    /// The records of writes that failed since the record was last read: the store may hold any of them.
    private(set) var unconfirmed: [RecordSnapshot] = []
    /// The record as this process last read it.
    package private(set) var observed: RecordSnapshot?
    /// Counts the records of other processes that were read. What was decided before one of them is decided again.
    package var foreignRecords: UInt64 = 0
    /// What is present and not in the store.
    package private(set) var pending: PendingWrite?
    /// The refresh token of the record that this process removed last, if no process was about to send it.
    private var removedToken: Secret?
    /// The refresh lock, retained while the store holds a token that no process must send again.
    private var retainedLock: SessionStoreLock?

    /// Whether the access token must not be handed out, because the refresh token that belongs to it is not stored.
    package var withholdsToken: Bool { if case .replaced? = pending?.storedToken { true } else { false } }

    /// Whether the person signed in or out, and the store does not say so yet.
    var isDecisionPending: Bool {
        switch pending?.reason {
        case .signIn?, .signOut?: true
        case .change?, .terminalRejection?, nil: false
        }
    }

    /// Whether there is something to write that was not tried yet.
    package var isQueued: Bool { if case .queued? = pending?.progress { true } else { false } }

    /// The uptime of the next automatic retry of a write; `nil` for none.
    package var retryAt: Duration? {
        if case .failed(let backoff)? = pending?.progress { backoff.notBefore } else { nil }
    }

    /// Whether the store may hold this refresh token, so that another process or launch may send it.
    func mayHold(_ token: Secret?) -> Bool {
        guard pending != nil else { return true }
        return accepted?.refreshToken == token || observed?.refreshToken == token
            || unconfirmed.contains { $0.refreshToken == token }
    }

    /// Whether this process removed the record of that refresh token before another process could send it.
    func removedUnsent(_ token: Secret?) -> Bool { token != nil && removedToken == token }

    // MARK: What is to be written

    /// Something was decided that the store is to hold.
    mutating func enqueue(_ reason: PendingWrite.Reason) {
        guard let pending else {
            pending = PendingWrite(reason: reason)
            return
        }
        var reason = reason
        switch (reason, pending.reason) {
        // What was changed is not in the store at all, so the older reason says more.
        case (.change, _): return
        // A repeated sign-out is of the same user, and counts from when it was repeated.
        case (.signOut(nil, let later, _), .signOut(let user, _, let signIn)):
            reason = .signOut(of: user, at: later, signedIn: signIn)
        // A sign-out without a session adds nothing to the server's own end of one.
        case (.signOut(nil, _, _), .terminalRejection): return
        // A sign-in that was never stored ends. The user before does not come back by it.
        case (.terminalRejection, .signIn(let user, let signIn)): reason = .signOut(of: user, at: signIn)
        case (.signOut(let user, let signOut, _), .signIn(_, let signIn)):
            reason = .signOut(of: user, at: signOut, signedIn: signIn)
        default: break
        }
        self.pending = PendingWrite(
            reason: reason, progress: .queued(after: pending.backoff), storedToken: pending.storedToken)
    }

    /// A write failed. It is retried automatically with exponential backoff, and before each refresh.
    ///
    /// - Parameter token: Spreads the retries of devices.
    /// - Returns: The time until the next automatic retry.
    mutating func writeFailed(_ error: AuthError, spreadBy token: Secret?, at uptime: Duration) -> Duration {
        enqueue(.change)
        var backoff = pending?.backoff ?? RetryPolicy(of: .store)
        let delay = backoff.failed(error, spreadBy: token, at: uptime)
        pending?.progress = .failed(backoff)
        return delay
    }

    /// The answer to a refresh token was read. If the store still holds that token, no process must send it again.
    package mutating func tokenConsumed(_ token: Secret?) {
        guard let token else { return }
        if removedToken == token { removedToken = nil }
        let stored = withholdsToken ? PendingWrite.StoredToken.replaced(token) : .consumed(token)
        pending?.storedToken = stored
    }

    /// The successor of a consumed refresh token could not be stored.
    mutating func tokenReplaced(_ token: Secret?) {
        let consumed = token ?? pending?.storedToken.consumed
        pending?.storedToken = .replaced(consumed)
    }

    /// The session that was withheld is present no longer, or need not be withheld.
    mutating func tokenReleased() {
        guard withholdsToken else { return }
        let consumed = pending?.storedToken.consumed
        pending?.storedToken = consumed.map { .consumed($0) } ?? .usable
    }

    /// The store holds what is present.
    ///
    /// - Returns: The retained lock, for which there is no reason any more.
    mutating func settle() -> SessionStoreLock? {
        pending = nil
        return takeLock()
    }

    // MARK: What the store holds

    package mutating func accept(_ record: RecordSnapshot) { accepted = record }

    /// Before the first reading succeeded, the last record that was seen at all counts as accepted.
    mutating func acceptObserved() { if let observed { accept(observed) } }

    /// A record is about to be written.
    ///
    /// - Returns: Whether no earlier write of the same record is unconfirmed.
    package mutating func writeBegan(_ next: RecordSnapshot) -> Bool {
        guard !isUnconfirmed(next) else { return false }
        unconfirmed.append(next)
        return true
    }

    private func isUnconfirmed(_ record: RecordSnapshot) -> Bool { unconfirmed.contains { $0.data == record.data } }

    /// The store refused the write, because another process wrote in between.
    package mutating func writeRefused(_ next: RecordSnapshot, isFirst: Bool) {
        if isFirst { unconfirmed.removeAll { $0.data == next.data } }
    }

    package mutating func written(_ record: RecordSnapshot) {
        // A removal that is repeated finds no record.
        if record.data == nil, let observed, observed.data != nil { removedToken = observed.unsentToken }
        unconfirmed = []
        observed = record
        accept(record)
    }

    /// The record was read.
    ///
    /// - Returns: What it holds, where that is a write of this process which failed and landed all the same.
    mutating func read(_ record: RecordSnapshot) -> SessionRecord? {
        let isKnown = observed?.stored == record.stored
        observed = record
        defer { unconfirmed = [] }
        guard isUnconfirmed(record) else {
            if !isKnown { foreignRecords += 1 }
            return nil
        }
        // What another process does afterwards is not undone by writing again.
        accept(record)
        // A removal may lack its mark for other SDKs, and is repeated.
        return record.record
    }

    /// Whether a record that was read is another process's.
    mutating func isNews(_ record: RecordSnapshot) -> Bool {
        // Two processes may write the same bytes. By its version an empty store is one from which another process removed a session,
        // and a mark is that of another process, which is about to send the token.
        let isOfAnyProcess = record.record.map { !$0.isUnanswered } ?? false
        guard record.data == accepted?.data,
            isOfAnyProcess || record.stored.version == accepted?.stored.version ?? record.stored.version
        else { return true }
        accept(record)
        return false
    }

    // MARK: The refresh lock

    /// Retains the lock of a refresh, if the store holds a token that no process must send again.
    ///
    /// - Returns: Whether it is retained.
    package mutating func retain(_ lock: SessionStoreLock) -> Bool {
        guard pending?.storedToken.consumed != nil else { return false }
        retainedLock = lock
        return true
    }

    /// The retained lock, for the next refresh.
    package mutating func takeLock() -> SessionStoreLock? { retainedLock.take() }

    package var retainsLock: Bool { retainedLock != nil }

    /// Whether the lock is retained without a reason, which never is so.
    package var retainsLockInVain: Bool { retainsLock && pending?.storedToken.consumed == nil }
}

/// A write that is still to be made: what was decided here and the store does not hold.
///
/// Another process may write in between. The reason of the write decides whose record counts then.
package struct PendingWrite: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The session that the store holds was refreshed or changed, or one is to be adopted.
        case change
        /// This user signed in at that time.
        case signIn(of: AuthUser.ID, at: Timestamp)
        /// The person signed out at that time, who was signed in as that user. If the store does not hold that sign-in,
        /// `signedIn` is when it was: it superseded every session stored until then, and none stored later.
        case signOut(of: AuthUser.ID?, at: Timestamp, signedIn: Timestamp? = nil)
        /// The server ended the session.
        case terminalRejection
    }

    enum Progress: Hashable, Sendable {
        /// The write waits for its turn, and earlier writes have failed as often as the backoff says.
        case queued(after: RetryPolicy)
        /// The store failed.
        case failed(RetryPolicy)
    }

    /// The refresh token that the store holds meanwhile.
    enum StoredToken: Hashable, Sendable {
        case usable
        /// Its answer was read here, so no process must send it again.
        case consumed(Secret)
        /// Its successor is in memory alone, so the access token is withheld until it is stored.
        case replaced(Secret?)

        /// The token that no process must send again.
        var consumed: Secret? {
            switch self {
            case .usable: nil
            case .consumed(let token): token
            case .replaced(let token): token
            }
        }
    }

    package var reason: Reason
    var progress = Progress.queued(after: RetryPolicy(of: .store))
    var storedToken = StoredToken.usable

    fileprivate var backoff: RetryPolicy {
        switch progress {
        case .queued(let backoff), .failed(let backoff): backoff
        }
    }

    /// Whether what another process wrote counts, and not what is present here.
    ///
    /// - Parameters:
    ///   - theirs: What they wrote; `nil` for nothing.
    ///   - known: What the store held before that, where this process has seen it.
    ///   - adopting: The refresh token of the session to adopt, if one is present here.
    ///   - now: The present.
    func yields(
        to theirs: SessionRecord?, after known: RecordSnapshot?, adopting: Secret? = nil, at now: Timestamp
    ) -> Bool {
        guard let theirs else { return reason == .change }
        guard case .established(let session)? = theirs.kept else {
            // A session to adopt is older than every decision. Another process adopts the same one, and may have noted a request.
            return reason == .change && adopting != nil && theirs.kept?.refreshToken == adopting
        }
        // Newer tokens of a sign-in that the store was seen to hold are no later sign-in, even if the clock was set since.
        let isKnown = known?.holds(signIn: theirs.signedInAt, of: session.user.id) ?? false
        func isLater(than moment: Timestamp) -> Bool { !isKnown && theirs.beganAfter(moment, by: now) }
        return switch reason {
        // Another process may write what it holds anew, which is older than what the consumed token brought.
        case .change: storedToken.consumed.map { $0 != session.refreshToken } ?? true
        // Newer tokens of this sign-in, or a later sign-in.
        case .signIn(let user, let signIn):
            theirs.signedInAt == signIn.date && user == session.user.id || isLater(than: signIn)
        // The sign-out ends the session of the user who was seen to be signed in, also with newer tokens.
        case .signOut(let user, let signOut, let signIn):
            isLater(than: signOut)
                // A session that was taken over from another SDK, and was not signed in to since, is older than every sign-out.
                || theirs.signedInAt != nil && user != session.user.id
                    && (signIn.map(isLater(than:)) ?? false
                        || known.map { $0.namesUser && $0.userID != session.user.id } ?? false)
        // The server's no is about one session alone.
        case .terminalRejection: known.map { !$0.holds(session) } ?? false
        }
    }
}

extension SessionRecord {
    fileprivate func beganAfter(_ moment: Timestamp, by now: Timestamp) -> Bool {
        moment.precedes(signInAt: signedInAt, savedAt: savedAt, by: now)
    }
}

extension ActiveSession {
    /// Whether the user signed in after a moment.
    func beganAfter(_ moment: Timestamp, by now: Timestamp) -> Bool {
        moment.precedes(signInAt: signedInAt, savedAt: savedAt, by: now)
    }
}

extension Timestamp {
    /// Whether a sign-in came after this moment, by the device's clock, which may have been set since either.
    fileprivate func precedes(signInAt: Date?, savedAt: Date?, by now: Timestamp) -> Bool {
        guard let signInAt else { return false }
        // This moment's date as the clock has it now. A date in the future is one of a clock that was wrong.
        return signInAt > now.date.addingTimeInterval(-((now.uptime - uptime) / .seconds(1)))
            && max(signInAt, savedAt ?? signInAt) <= now.date
    }
}
