import AuthStreams

/// Where a refresh token has been.
struct TokenUse {
    /// In which processes it is under way, once for each request.
    var underWay: [ProcessID] = []
    /// The process that read the answer that replaces or refuses it, unless that answer was lost with it.
    var reader: ProcessID?
    /// When its record was first replaced or removed.
    var storedAt: Ledger.Mark?
    /// Whether a request with it ended without an answer, or with one that decides nothing.
    var isInDoubt = false
    /// Whether the record marks it as sent without an answer.
    var isMarked = false
    /// The processes that marked it last when the record said so already.
    var repeaters: Set<ProcessID> = []
    /// Whether it did when it was sent last.
    var isSentAgain = false
}

extension Ledger {
    /// A request with a refresh token is on its way.
    func sent(_ token: TokenName, by process: AppProcess, for caller: Call?) {
        lookAtNeed(of: token, by: process, for: caller)
        if world.plan.rule == .singleUse, !world.disk.locks.isHeld(.refresh, by: process.id) {
            world.broke(.lostLockSendsNothing, "\(token) is sent by a process without the lock.")
        }
        var use = uses[token] ?? TokenUse()
        if let other = use.underWay.first(where: { $0 == process.id || !mayJoin(process, world.processes[$0]) }) {
            world.broke(.noTokenIsSentByTwo, "\(token) is sent while it is under way in process \(other + 1).")
        }
        if let reader = use.reader, world.plan.rule == .singleUse {
            if world.processes[reader].isGone && !isAnswerStored(token) {
                // The lost answer, as far as all others can know; or the only copy of what it brought.
                (use.reader, use.isInDoubt) = (nil, true)
            } else {
                world.broke(.noTokenIsSentAgain, "\(token) is sent although process \(reader + 1) has read its answer.")
            }
        }
        if world.plan.rule == .singleUse, world.disk.token == token, !use.isMarked {
            world.broke(.refreshIsMarked, "\(token) is sent, and its record does not say so.")
        }
        refreshCount += 1
        lookAtAdoption(of: token, by: process)
        use.underWay.append(process.id)
        use.isSentAgain = use.repeaters.contains(process.id)
        uses[token] = use
    }

    /// Whether two processes may send one token at once: one that stays good, where one waited for the lock in vain; or
    /// where the first lost the lock while its request was under way.
    private func mayJoin(_ process: AppProcess, _ other: AppProcess) -> Bool {
        other.conduct.isLockLost
            || world.plan.rule == .reusable && (process.conduct.isWithoutLock || other.conduct.isWithoutLock)
    }

    /// A request has ended for its sender.
    ///
    /// - Parameter isInDoubt: Whether the server may have answered, in a form that no client understands.
    func answered(_ token: TokenName, _ meaning: Answer.Meaning?, isInDoubt: Bool, to process: AppProcess) {
        guard var use = uses[token] else { return }
        if let place = use.underWay.firstIndex(of: process.id) { use.underWay.remove(at: place) }
        // Without the lock the next process may be about to send it, and cannot know of the answer.
        let isLost = process.conduct.isLockLost
        if meaning != nil, !isLost { use.reader = process.id } else if isInDoubt || isLost { use.isInDoubt = true }
        uses[token] = use
        if case .refusal(let token, let code) = meaning { refused(token, code, to: process) }
    }

    /// A process is about to mark a refresh token as sent without an answer.
    ///
    /// - Parameter isRepeat: Whether the record that it replaces says so already.
    func willMark(_ token: TokenName, isRepeat: Bool, by process: AppProcess) {
        if isRepeat {
            uses[token, default: TokenUse()].repeaters.insert(process.id)
        } else {
            uses[token]?.repeaters.remove(process.id)
        }
    }

    /// The record of a refresh token says whether it was sent without an answer.
    func marked(_ token: TokenName, isSent: Bool, by process: AppProcess) {
        var use = uses[token] ?? TokenUse()
        let wasSent = use.isInDoubt || !use.underWay.isEmpty || use.reader != nil
        if isSent, !use.isMarked, !wasSent, !world.disk.locks.isHeld(.refresh, by: process.id),
            !process.conduct.isLockLost
        {
            world.broke(.markIsTrue, "process \(process.id + 1) marks \(token) as sent, and is not about to send it.")
        }
        // The process that read the answer is gone, and the record still holds the token: the answer is lost.
        if isSent, let reader = use.reader, world.processes[reader].isGone { (use.reader, use.isInDoubt) = (nil, true) }
        use.isMarked = isSent
        uses[token] = use
    }

    /// A process loses its lock. What it has under way, or read and has not stored, may be sent by the next holder.
    func losesLock(_ process: AppProcess) {
        process.conduct.isLockLost = true
        if let other = world.otherSDK, world.disk.token == other.token(0) { process.conduct.adoptionFailed() }
        for (token, use) in uses where use.reader == process.id && use.storedAt == nil {
            uses[token]?.reader = nil
            uses[token]?.isInDoubt = true
        }
    }

    /// A process died. What it had under way has no answer.
    func died(_ process: AppProcess) {
        for (token, use) in uses where use.underWay.contains(process.id) {
            uses[token]?.underWay.removeAll { $0 == process.id }
            uses[token]?.isInDoubt = true
        }
    }
}
