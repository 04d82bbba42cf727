import Foundation

/// What the store is known to hold, and what is still to be written.
///
/// ```
/// nothing pending ── decide ──▶ queued ── beginWriting ──▶ writing ── writeFailed ──▶ failed(retry at)
///        ▲                                   │  ▲                          │
///        ╰──────────────── settle ───────────╯  ╰────── beginWriting ──────╯
/// ```
package struct StorageStateMachine: Hashable, Sendable {
    /// A record that a sign-out replaced.
    private struct Removed: Hashable {
        let stage: KeptSession.Stage
        let isSent: Bool
    }

    /// The record that this process took over whole, or wrote, last.
    package var known: RecordSnapshot?
    /// The record that was read last, whole or damaged. It counts where reading fails; `nil` if none was read.
    package var lastSeen: RecordSnapshot?
    /// What the last record said of sessions that ended.
    package var history = SessionRecord.History()
    /// What was decided here and the store does not hold.
    package var pending: PendingWrite?
    /// Whether a write failed since the record was read. It may have landed all the same.
    private var isInDoubt = false
    /// The session whose record this process replaced by none, last.
    private var removed: Removed?
    /// The session that a sign-out before the first reading found and ended at once, until its caller tells the server.
    private var unseen: AuthSession?
    /// The refresh lock, retained while the store holds a token that no process must send again.
    private var retainedLock: SessionStoreLock?

    /// Whether the access token must not be handed out, because the refresh token that belongs to it is not stored.
    package var withholdsToken: Bool { pending?.storedToken == .replaced }

    /// Whether something was decided whose write has not begun.
    package var isQueued: Bool { if case .queued? = pending?.progress { true } else { false } }

    /// Whether something is being written, or was decided whose write has not begun.
    package var isUnderWay: Bool {
        switch pending?.progress {
        case .queued?, .writing?: true
        case .failed?, nil: false
        }
    }

    /// The uptime of the next automatic retry of a write; `nil` for none.
    package var retryAt: Duration? {
        if case .failed(let backoff, _)? = pending?.progress { backoff.notBefore } else { nil }
    }

    /// The error of the last write of what is pending, if it failed after the caller came.
    ///
    /// - Parameter count: How many writes had failed when the caller came.
    func failure(after count: Int) -> AuthError? {
        guard case .failed(let backoff, let error)? = pending?.progress, backoff.failures > count else { return nil }
        return error
    }

    /// Whether the store may hold this refresh token, so that another process or launch may send it.
    func mayHold(_ stage: KeptSession.Stage) -> Bool {
        // What a write was begun over was read, and is not taken over while the decision is pending.
        guard !isInDoubt, let found = lastSeen?.isDamaged == false ? lastSeen : known else { return true }
        return found.stage?.hasRefreshToken(of: stage) ?? false
    }

    /// Whether this process removed the record of these tokens before another process could send them.
    func removedUnsent(_ stage: KeptSession.Stage) -> Bool {
        removed.map { !$0.isSent && $0.stage.hasRefreshToken(of: stage) } ?? false
    }

    // MARK: What is to be written

    /// Something was decided that the store is to hold.
    ///
    /// - Parameters:
    ///   - present: The session that is present.
    ///   - isUnread: Whether it is not known what the store holds. A decision that takes the place of a pending one inherits that
    ///     one's, until its first reading.
    package mutating func decide(_ decision: PendingWrite, over present: SessionID?, isUnread: Bool = false) {
        var decision = decision
        decision.end([present])
        decision.isUnread = pending.map { $0.isUnread && $0.reading == nil } ?? isUnread
        if let pending {
            decision.end(pending.ends + [pending.next?.id].compactMap(\.self))
            decision.progress = .queued(after: pending.backoff)
            decision.storedToken = pending.storedToken
        }
        pending = decision
    }

    /// It is the turn of what is pending: the record is read for it from now on.
    ///
    /// - Returns: `false` if nothing is pending.
    @discardableResult
    package mutating func beginWriting() -> Bool {
        guard let backoff = pending?.backoff else { return false }
        pending?.progress = .writing(after: backoff)
        return true
    }

    /// What the store has just tried to write, or removed a record for; `nil` if a later decision took its place meanwhile.
    mutating func beingWritten() -> PendingWrite? {
        guard isQueued else { return pending }
        // The decision that it takes the place of has had its first reading by now.
        pending?.isUnread = false
        return nil
    }

    /// A write failed. It is retried automatically with exponential backoff, and before each refresh.
    ///
    /// - Parameter token: Spreads the retries of devices.
    /// - Returns: The time until the next automatic retry.
    mutating func writeFailed(_ error: AuthError, spreadBy token: Secret?, at uptime: Duration) -> Duration? {
        var backoff = pending?.backoff ?? Backoff(of: .store)
        let delay = backoff.failed(error, spreadBy: token, at: uptime)
        pending?.progress = .failed(backoff, error)
        return delay
    }

    /// The answer to the present refresh token was read. If the store still holds that token, no process must send it again.
    package mutating func tokenConsumed(_ stage: KeptSession.Stage) {
        if removed?.stage.hasRefreshToken(of: stage) ?? false { removed = nil }
        if pending?.storedToken == .usable { pending?.storedToken = .consumed }
    }

    /// The successor of a consumed refresh token could not be stored.
    mutating func tokenReplaced() { pending?.storedToken = .replaced }

    /// Another process replaced the refresh token that was consumed here, so the store holds one that may be sent.
    ///
    /// - Returns: The retained lock.
    mutating func tokenWasReplaced() -> SessionStoreLock? {
        pending?.storedToken = .usable
        return takeLock()
    }

    /// The session that was withheld is present no longer, or need not be withheld.
    mutating func tokenReleased() { if withholdsToken { pending?.storedToken = .consumed } }

    /// The store holds what is present.
    ///
    /// - Returns: The retained lock, for which there is no reason any more.
    mutating func settle() -> SessionStoreLock? {
        pending = nil
        return takeLock()
    }

    /// What is pending has been compared with the record that it is to replace.
    ///
    /// - Parameter decision: What is pending from then on, unless the store refuses it.
    mutating func compared(with found: RecordSnapshot, by decision: PendingWrite) {
        // What was found is older also than what is decided during the write.
        pending?.ends = decision.ends
        if case .signOut? = pending?.kind, isBeforeFirstReading { unseen = found.ownSession?.ended }
    }

    /// What is pending yields to the record.
    mutating func yielded() { if isBeforeFirstReading { unseen = nil } }

    /// Whether what is pending was decided before the store was read, and is compared with a record for the first time since. One
    /// that could not be read at once ends here alone.
    private var isBeforeFirstReading: Bool {
        pending.map { $0.isUnread && $0.reading == nil && $0.backoff.failures == 0 } ?? false
    }

    /// Returns, once, the session that ended before this process had shown it.
    mutating func takeUnseen() -> AuthSession? { unseen.take() }

    // MARK: What the store holds

    /// The record was read, and is taken over unless it is damaged.
    package mutating func read(_ record: RecordSnapshot) {
        recordRead(record)
        guard !record.isDamaged else { return }
        known = record
        // A record that was removed says nothing of the sessions that ended.
        if record.stored.data != nil { history = record.history }
    }

    /// The record was read. So it is known what became of the writes that failed, unless it is damaged.
    package mutating func recordRead(_ record: RecordSnapshot) {
        isInDoubt = isInDoubt && record.isDamaged
        lastSeen = record
    }

    /// A record was written over another one.
    package mutating func written(_ record: RecordSnapshot, over found: RecordSnapshot) {
        if !record.hasSession, let session = found.session {
            removed = Removed(stage: session.stage, isSent: session.isSent)
        }
        read(record)
    }

    /// A record was removed instead of being replaced, so that this process alone knows which sessions ended.
    mutating func removed(ending ids: [SessionID]) { history.end(ids) }

    /// A write failed, and may have landed all the same.
    package mutating func writeMayHaveLanded() { isInDoubt = true }

    // MARK: The refresh lock

    /// Retains the lock of a refresh, if the store holds a token that no process must send again.
    ///
    /// - Returns: Whether it is retained.
    package mutating func retain(_ lock: SessionStoreLock) -> Bool {
        guard let pending, pending.storedToken != .usable else { return false }
        retainedLock = lock
        return true
    }

    /// The retained lock, for the next refresh.
    package mutating func takeLock() -> SessionStoreLock? { retainedLock.take() }

    package var retainsLock: Bool { retainedLock != nil }

    /// Whether the lock is retained without a reason, which never is so.
    package var retainsLockInVain: Bool { retainsLock && pending?.storedToken ?? .usable == .usable }
}
