import AuthStreams

/// What must hold of the record of the session: a session that nothing ended is stored or in a process that lives, and a sign-in
/// that took effect is never replaced by an older one.
///
/// Two losses are excused, and no other. Who excuses one says which it is:
///
/// 1. *The only copy*: a process that the store failed or refused dies, or its service is released, before it could write.
/// 2. *The lost answer*: the answer to a refresh by the rule of single use never arrives, so the token is used up.
///
/// A record that is damaged or of a newer version says of no session that it is there, and dates before and after the clock is
/// set have no order: what is decided then may replace either.
extension Ledger {
    /// A process is about to write a record of that session.
    func willStore(_ token: TokenName, by process: AppProcess) {
        lineage.began(token.family, in: moment)
        process.conduct.holds(token.family, of: world.server.user(of: token.family))
        commits(in: process)
        // Another process may have brought the session after the sign-out. What was seen to be over is a ghost. A write that was
        // decided on may meet a sign-out of the same moment, whose own write follows.
        guard isGhost(token.family, in: process, before: world.now) else { return }
        world.broke(.nobodyComesBack, "\(token) is written after the person signed out in this process.")
    }

    /// A record has taken the place of another, or is gone.
    func stored(_ token: TokenName?, over before: TokenName?, by process: AppProcess) {
        defer {
            writes.append((process.id, mark()))
            process.conduct.wrote(token)
            storedDecisions(of: process)
            if let token { damagedSessions = damagedSessions.filter { !lineage.isContinued($0, by: token) } }
        }
        if let token {
            lineage.landed(token.family, at: mark())
            if origins[lineage.root(token.family)] == process.id {
                if lineage.confirmation(token.family) == nil, uses[token]?.storedAt != nil {
                    uses[token]?.isRepeated = true
                }
                lineage.wrote(token.family, at: mark())
            }
        }
        lookAtAdoption(stored: token, over: before)
        if token == nil { foundOut(by: process) }
        guard let before else { return }
        if token != before, uses[before]?.storedAt == nil { uses[before]?.storedAt = mark() }
        guard let token else {
            if hasUnorderedSignOut(process) { lostCopies.insert(before.family) }
            guard !hasEnded(before.family), !isReplaced(before.family, in: process) else { return }
            return world.broke(.nothingIsLost, "\(before) is removed although nothing ended it.")
        }
        guard token.family != before.family else {
            guard token.number < before.number else { return }
            return world.broke(.nothingIsLost, "\(token), which was used up, is written in place of \(before).")
        }
        guard !lineage.isNewer(token.family, than: before.family), !lostCopies.contains(before.family) else { return }
        guard !isUnordered(token.family, in: process) else {
            lostCopies.insert(before.family)
            return
        }
        world.broke(.nothingIsLost, "\(token), an older session, is written in place of \(before).")
    }

    /// Whether the clock was set since a sign-in that the process could not store: then its date says nothing of the order.
    private func isUnordered(_ family: Int, in process: AppProcess) -> Bool {
        guard let begin = lineage.begin(family), let rank = lineage.rank(family) else { return false }
        return process.conduct.hasFailed(.session, since: begin) && lastClockSet > rank
    }

    /// Whether the clock was set since a sign-out of the process that it stores only now.
    private func hasUnorderedSignOut(_ process: AppProcess) -> Bool {
        signOuts.contains { $0.process == process.id && !$0.isStored && $0.clockSets != world.clockSets }
    }

    /// Whether a process shows a newer sign-in than that session, or did before it was over, or is about to tell of it. Where
    /// that sign-in cannot be stored, its forerunner's record is removed, or the next launch would sign in the wrong user.
    private func isReplaced(_ family: Int, in process: AppProcess) -> Bool {
        process.conduct.observe(process)
        if process.conduct.untold(in: world).contains(where: { $0 != family }) { return true }
        guard let shown = process.conduct.lastShown, shown != family else { return false }
        return lineage.isNewer(shown, than: family)
    }

    // MARK: Copies

    /// Whether the record, or a process other than that one, holds that session or a newer one.
    private func isHeld(_ family: Int, without process: AppProcess? = nil) -> Bool {
        if let token = world.disk.token, lineage.isNewer(token.family, than: family) { return true }
        return world.processes.contains { other in
            guard other !== process, !other.isGone else { return false }
            return other.conduct.session.map { lineage.isNewer($0, than: family) } ?? false
        }
    }

    /// A process is about to die, or its service to be released.
    func isLeaving(_ process: AppProcess) {
        // The only copy of the note that what another SDK left is taken up.
        if process.conduct.hasFailed(.adoption, since: 0) { mayAdoptAgain = true }
        guard let family = process.conduct.session, !hasEnded(family), !isHeld(family, without: process) else { return }
        // Another sign-in may have taken its place, and be over.
        guard lineage.newest.map({ lineage.root($0) == lineage.root(family) }) ?? true else { return }
        guard !isRefused(process, family), !process.conduct.isUntold(family) else { return }
        world.broke(
            .nothingIsLost,
            "process \(process.id + 1) goes with the only copy of session \(family), and was not refused.")
    }

    /// The only copy: whether the store failed or refused a process since it got that session, and took nothing after.
    private func isRefused(_ process: AppProcess, _ family: Int) -> Bool {
        process.conduct.hasFailed(.session, since: lineage.birth(family))
    }

    /// Whether what the answer to a refresh token brought was stored, or the record of the token removed.
    func isAnswerStored(_ token: TokenName) -> Bool {
        guard let stored = world.disk.token else { return !wasDamaged(lineage.root(token.family)) }
        guard stored.family == token.family else { return true }
        return stored.number > token.number
    }

    /// The record was damaged. Who holds the session is to write it anew, and may die before it knows.
    func damaged(_ token: TokenName) {
        let now = mark()
        if !world.processes.contains(where: { !$0.isGone && $0.conduct.session == token.family }) {
            lostCopies.insert(token.family)
        }
        damagedSessions.insert(token)
        damagedRoots.insert(lineage.root(token.family))
        writes.append((nil, now))
        for process in world.processes { process.conduct.storeFailed(.session, isReading: false, at: now) }
    }

    /// At rest the newest sign-in is stored, unless it ended or its only copy was lost.
    func newestIsStored() {
        guard let newest = lineage.newest, !([newest] + lineage.rivals(of: newest)).contains(where: { hasEnded($0) })
        else {
            return
        }
        let stored = world.disk.token?.family
        // Dates of before and after a clock that is set do not tell which is newer.
        let isUnordered = stored.map { lastClockSet > lineage.rank($0) ?? 0 } ?? false
        guard stored != newest, !isUnordered, !(stored.map { lineage.isNewer($0, than: newest) } ?? false) else {
            return
        }
        let isGoneWithOnlyCopy = world.processes.contains {
            $0.isGone && $0.conduct.shownSessions.contains(newest) && isRefused($0, newest)
        }
        guard !isGoneWithOnlyCopy else { return }
        world.broke(
            .nothingIsLost,
            "session \(newest) is the newest, nothing ended it, and the store holds \(stored.map(String.init) ?? "none")."
        )
    }
}
