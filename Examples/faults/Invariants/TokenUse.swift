import AuthStreams

/// Where a refresh token has been.
struct TokenUse {
    /// How often it was sent.
    var sends = 0
    /// In which processes it is under way, once for each request.
    var underWay: [ProcessID] = []
    /// The process that read the answer that replaces or refuses it.
    var reader: ProcessID?
    /// Whether that process died, maybe before it stored what it read.
    var isExcused = false
    /// Whether a request with it ended without an answer, or with one that decides nothing.
    var isInDoubt = false
}

extension Ledger {
    /// A request with a refresh token is on its way.
    func sent(_ token: TokenName, by process: AppProcess) {
        var use = uses[token] ?? TokenUse()
        // Who was stopped may go on after its turn was given to another, and cannot know.
        let wasStopped = process.wasFrozen || use.underWay.contains { world.processes[$0].wasFrozen }
        // Who waits in vain goes on with a token that stays good.
        let isPatient = world.plan.rule == .singleUse || !hasLockTimedOut
        if !use.underWay.isEmpty, !wasStopped, isPatient {
            world.broke(
                .noTokenIsSentByTwo, "\(token) is sent while it is under way in process \(use.underWay[0] + 1).")
        }
        // Who gave the session up cannot know what another process has read of it.
        let isGivenUp = process.conduct.calls.contains {
            $0.isOpen && $0.kind == .signOutEverywhere && $0.signOut != nil
        }
        // Who saw, for a moment, a sign-in that was taken back gave the answer to the session before it away.
        if let reader = use.reader, !use.isExcused, !isGivenUp, !process.wasFrozen, !wasTakenBack(to: token.family),
            !world.processes[reader].wasFrozen, !world.processes[reader].mayHaveLeftATokenBehind,
            world.plan.rule == .singleUse
        {
            world.broke(
                .noTokenIsSentAgain, "\(token) is sent although process \(reader + 1) has read its answer.")
        }
        use.sends += 1
        refreshCount += 1
        lookAtAdoption(of: token)
        use.underWay.append(process.id)
        uses[token] = use
    }

    /// A request has ended for whoever sent it.
    ///
    /// - Parameter isInDoubt: Whether the server may have answered, without a meaning that anybody could read.
    func answered(_ token: TokenName, _ meaning: Answer.Meaning?, isInDoubt: Bool, to process: AppProcess) {
        guard var use = uses[token] else { return }
        if let place = use.underWay.firstIndex(of: process.id) { use.underWay.remove(at: place) }
        if meaning != nil { use.reader = process.id } else if isInDoubt { use.isInDoubt = true }
        uses[token] = use
        if case .refusal(let token, let code) = meaning { refused(token, code, to: process) }
    }

    /// A process could not store something. If it dies, what it has read looks as if it had been lost.
    func storeFailed(_ process: AppProcess) {
        process.conduct.writeFailed()
        hasStoreFailed = true
        for (token, use) in uses where use.reader == process.id { uses[token]?.isInDoubt = true }
    }

    /// What a process has read died with it, unless it was stored.
    func died(_ process: AppProcess) {
        hasDied = true
        for (token, use) in uses {
            if use.underWay.contains(process.id) {
                uses[token]?.underWay.removeAll { $0 == process.id }
                uses[token]?.isInDoubt = true
            }
            if use.reader == process.id { excuse(token) }
        }
    }

    /// To everybody else it looks as if its answer had been lost.
    private func excuse(_ token: TokenName) {
        uses[token]?.isExcused = true
        uses[token]?.isInDoubt = true
    }
}

extension AppProcess {
    /// Whether nobody is there any more to store what it could not store, so that nobody is kept from its turn either.
    fileprivate var mayHaveLeftATokenBehind: Bool { service == nil && conduct.hasFailedToWrite }
}
