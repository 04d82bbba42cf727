import Foundation

/// A decision that the store does not hold yet: which sessions it ends, and what comes next.
///
/// Another process may decide, too. The order is that of the writes, not that of clocks: a decision is made at its **first
/// reading**, the last one before a write that the store did not refuse. What that reading finds is older than the decision. What
/// comes after it is newer, except a session that another process writes again over the damaged record that was found; its
/// ``SessionRecord/History/firstVersion`` tells.
///
/// The rules 0 to 5 are numbered in the order in which ``outcome(over:knowing:)`` applies them; 6 is part of 2. Of the others, 7
/// (marks) is in `SessionStateMachine+Refresh`, and what a refusal says of one in `SessionStateMachine+Answer`; 1a and 8 (taking a
/// record over), 9 (removals) and 10 (settling) are in `SessionStateMachine+Storage`. `SessionFile` carries out 7 and 9.
package struct PendingWrite: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case signIn
        /// A sign-in that an earlier process began, when that user was signed in, or none was.
        case resumedSignIn(replacing: AuthUser.ID?)
        /// The person signed out as that user; or the account was deleted, or signed out on all devices. Of no user: also a
        /// sign-in or an adoption that the server refused, or whose access was revoked, before it was stored.
        case signOut(of: AuthUser.ID?)
        /// The access was revoked at the provider, which concerns one session alone.
        case revocation
        /// The server refused the refresh token of that revision, which had replaced every earlier one.
        case refusal(revision: Int)
        case adoption
        /// New tokens, or a changed user, of a session that the store holds.
        case tokens
    }

    /// What was found before the writes that the store did not refuse.
    package struct Reading: Hashable, Sendable {
        /// The version of the first reading.
        package var first: RecordVersion
        /// The version that the last of them was to replace.
        package var version: RecordVersion
        /// How many sessions had ended at the first reading, as far as the process knows.
        package let endedCount: Int

        package init(_ found: RecordSnapshot, knowing history: SessionRecord.History = .init()) {
            (first, version) = (found.version, found.version)
            endedCount = found.saysWhatEnded ? found.history.endedCount : history.endedCount
        }
    }

    enum Progress: Hashable, Sendable {
        /// The write waits for its turn, and earlier writes have failed as often as the backoff says. A reading that began before
        /// the turn says nothing about the decision.
        case queued(after: Backoff)
        /// It is its turn: the record is read and written.
        case writing(after: Backoff)
        /// The store failed, last with that error.
        case failed(Backoff, AuthError)
    }

    /// The refresh token that the store holds meanwhile.
    enum StoredToken: Hashable, Sendable {
        case usable
        /// Its answer was read here, so no process must send it again.
        case consumed
        /// Its successor is in memory alone, so the access token is withheld until it is stored.
        case replaced
    }

    package var kind: Kind
    /// The sessions that it ends, in the order in which they were found.
    package var ends: [SessionID]
    /// The session that comes next; `nil` for none.
    package var next: KeptSession?
    /// Whether it was decided while it was not known what the store holds. A decision that takes the place of a pending one
    /// inherits that, until that one's first reading. A sign-in or a sign-out ends what its first reading finds, then.
    package var isUnread = false
    /// Whether a change of the user has had no first reading. It is newer than what that finds.
    package var isUserUnread = false
    /// The version of the record with the mark of the request whose answer `next` holds. The answer clears that mark, and no later
    /// one (rule 7).
    package var answeredMark: RecordVersion?
    /// `nil` before the first reading.
    package var reading: Reading?
    var progress = Progress.queued(after: Backoff(of: .store))
    var storedToken = StoredToken.usable

    package init(_ kind: Kind, ending ends: [SessionID], next: KeptSession? = nil) {
        (self.kind, self.next, self.ends) = (kind, next, [])
        end(ends)
    }

    var backoff: Backoff {
        switch progress {
        case .queued(let backoff), .writing(let backoff), .failed(let backoff, _): backoff
        }
    }

    /// Whether it is a decision of the person, who may replace a record that cannot be read.
    var isOfPerson: Bool {
        switch kind {
        case .signIn, .resumedSignIn, .signOut: true
        case .revocation, .refusal, .adoption, .tokens: false
        }
    }

    var isSignIn: Bool {
        switch kind {
        case .signIn, .resumedSignIn: true
        default: false
        }
    }

    mutating func end(_ ids: [SessionID?]) {
        for case let id? in ids where !ends.contains(id) && id != next?.id { ends.append(id) }
    }

    // MARK: The rules

    /// What a process knows besides the record that it has just read.
    package struct Knowledge: Equatable, Sendable {
        /// The version of the record that it saw whole last.
        package var version: RecordVersion?
        /// What its last record said of sessions that ended.
        package var history: SessionRecord.History
        /// Whether the app may have the session of another SDK, which is older than every one that ends here.
        package var adopts: Bool

        package init(version: RecordVersion?, history: SessionRecord.History, adopts: Bool) {
            (self.version, self.history, self.adopts) = (version, history, adopts)
        }
    }

    package enum Outcome: Equatable, Sendable {
        /// The record to write over the one that was read, and what this decision is from then on.
        case write(SessionRecord, PendingWrite)
        /// Another process decided later: its record counts, and nothing is written.
        case yield
    }

    /// What becomes of the decision, by a record that was just read and that the write replaces.
    ///
    /// - Parameter found: The record; the last one that was seen if reading failed.
    package func outcome(over found: RecordSnapshot, knowing known: Knowledge) -> Outcome {
        var write = self
        write.isUserUnread = false
        // Rule 0: what was there at the first reading is older.
        if isLater(than: found), !write.endFound(in: found) { return .yield }
        let reading = reading ?? Reading(found, knowing: known.history)
        write.reading = reading
        write.reading?.version = found.version
        // Rule 1b: what comes next has ended already, or may have.
        if let next, found.history.ended.contains(next.id) || isOverrun(by: found) { return .yield }
        // Rule 2, and 6 for a damaged record.
        guard let stage = found.stage else {
            return write.isWrittenOverNoSession(found, after: reading.version, known)
                ? .write(write.record(next, over: found, known), write) : .yield
        }
        // A session that was found at a launch is older than what the person decides, except at the first reading of a sign-in that
        // is resumed (rule 0).
        if found.session?.isFoundAtLaunch == true, isOfPerson { write.end([stage.id]) }
        // Rule 3: the record's session is one that this decision ends.
        if case .refusal(let revision) = kind {
            guard ends.contains(stage.id), stage.revision <= revision else { return .yield }
            return .write(write.record(nil, over: found, known), write)
        }
        if write.ends.contains(stage.id) { return .write(write.record(next, over: found, known), write) }
        // Rule 4: the same session. Rule 5: otherwise the record counts.
        guard var next, next.id == stage.id, let theirs = found.session else { return .yield }
        if isUserUnread {
            next.stage.edition = max(next.stage.edition, stage.edition + 1)
            write.next = next
        }
        let merged = theirs.merged(with: next, isAnswered: found.version == answeredMark)
        // Where the record says it already, the decision is settled.
        return merged == theirs ? .yield : .write(write.record(merged, over: found, known), write)
    }

    /// Rule 0: whether the session of the record was stored at the first reading or before. At the first reading itself it was.
    private func isLater(than found: RecordSnapshot) -> Bool {
        guard let reading else { return true }
        // A store that was emptied may count its versions anew.
        guard let first = found.history.firstVersion, reading.first <= found.version else { return false }
        return first <= reading.first
    }

    /// Rule 0: ends what is found and is older.
    ///
    /// - Returns: `false` if it is none that this decision replaces.
    private mutating func endFound(in found: RecordSnapshot) -> Bool {
        let id = found.stage?.id
        switch kind {
        case .signIn: end([id])
        case .resumedSignIn where isUnread: end([id])
        case .signOut where isUnread: end([id])
        case .resumedSignIn(let user):
            // Also over a session that was ended here, and whose end was not stored yet.
            if let id, ends.contains(id) { return true }
            guard found.ownSession?.userID == user, found.hasSession == (user != nil) else { return false }
            end([id])
        case .signOut(let user):
            if let user, found.ownSession?.userID == user { end([id]) }
        case .revocation, .refusal, .adoption, .tokens: break
        }
        return true
    }

    /// Whether more sessions ended since the first reading than a record can name.
    private func isOverrun(by found: RecordSnapshot) -> Bool {
        reading.map { found.history.endedCount - $0.endedCount > SessionRecord.History.limit } ?? false
    }

    /// Rule 2: what is written where there is no session.
    ///
    /// - Parameter replaced: The version that the last write was to replace.
    private func isWrittenOverNoSession(
        _ found: RecordSnapshot, after replaced: RecordVersion, _ known: Knowledge
    ) -> Bool {
        switch kind {
        case .tokens, .refusal:
            // Rule 6: a session is written over a damaged record only at the version at which this process saw it whole.
            return found.isDamaged && found.version == known.version
        case .adoption where next?.isFoundAtLaunch == true && !found.isUnwritten: return false
        case .signIn, .resumedSignIn, .adoption:
            // The write that failed may have landed, and another process have removed that record since. The next version after
            // the one that it was to replace is not its own, then, so it did not land.
            return found.stored.data != nil || found.version <= replaced.next
        case .signOut, .revocation:
            // Where nothing was ever stored, a sign-out is noted for another SDK's session alone.
            if found.isUnwritten { return known.adopts || !ends.isEmpty }
            return !found.saysWhatEnded || !ends.allSatisfy(found.history.ended.contains)
        }
    }

    /// The record that replaces another one.
    private func record(
        _ next: KeptSession?, over found: RecordSnapshot, _ known: Knowledge
    ) -> SessionRecord {
        var history = found.history
        if !found.saysWhatEnded {
            history.end(known.history.ended)
            history.endedCount = max(history.endedCount, known.history.endedCount)
            history.isAdopted = history.isAdopted || known.history.isAdopted
            history.isDiscarded = history.isDiscarded || known.history.isDiscarded
            history.firstVersion = known.history.firstVersion
        }
        if next == nil {
            history.firstVersion = nil
        } else if kind != .tokens, next?.id != found.stage?.id {
            // Other than new tokens and a changed user, it begins a session.
            history.firstVersion = found.version.next
        }
        history.end(ends)
        history.isAdopted = history.isAdopted || kind == .adoption || next == nil && known.adopts
        return SessionRecord(next, history)
    }
}
