import AuthStreams

/// The refreshes of one process that failed, one after the other.
struct FailedRefreshes {
    /// The access token that was to be replaced.
    fileprivate(set) var token: TokenName?
    fileprivate(set) var failures = 0
    fileprivate(set) var lastFailure: Milliseconds = 0
    fileprivate(set) var lastFailureMark: Ledger.Mark = 0
    /// The access token that the request under way is to replace.
    var asked: TokenName?
    /// Until when the server asked to be left alone.
    fileprivate(set) var heldUntil: Milliseconds = 0
}

/// What must hold of when tokens are refreshed, and of those that are handed out.
extension Ledger {
    static let leeway: Milliseconds = 30_000

    /// How long before its end the next access token is due at the latest.
    private var ahead: Milliseconds { min(300_000, world.plan.lifetime / 5) }
    /// How long before its end it may be due.
    private var earliest: Milliseconds { ahead + (world.plan.lifetime - ahead) / 2 }

    func expiry(of token: TokenName) -> Milliseconds {
        world.server.families[token.family].expiries[token.number]
    }

    /// Whether a process can know how long a token is good: by its own uptime once the answer was stored, or by a clock that
    /// was not set since.
    func isLifeKnown(_ token: TokenName, to process: AppProcess) -> Bool {
        guard let arrival = arrivals[token] else { return false }
        // Of a server that tells the time a process knows at its launch that the clock is wrong.
        let isClockTrusted = world.clockError == 0 || !world.plan.tellsTime
        guard !world.clockWasSet(within: arrival.time...(arrival.reading + 60_000)) else { return false }
        return arrival.process == process.id || arrival.clockSets == world.clockSets && isClockTrusted
    }

    /// A token is handed out: it is good for its leeway, less what its answer was under way.
    func lookAtLife(of token: TokenName, for call: Call, in process: AppProcess) {
        guard let arrival = arrivals[token], isLifeKnown(token, to: process) else { return }
        let issued = expiry(of: token) - world.plan.lifetime
        // Of a short life it is a tenth, counted from when the session is stored, which a slow disk delays by seconds.
        let leeway = min(Self.leeway, (world.plan.lifetime - 60_000) / 10) - (arrival.reading - issued)
        guard expiry(of: token) - world.now < leeway, process.conduct.lastThaw < call.time else { return }
        world.broke(.tokenIsGood, "\(token) is given out \(expiry(of: token) - world.now) ms before it ends.")
    }

    /// A refresh token is about to be sent by a refresh of its session.
    func lookAtNeed(of token: TokenName, by process: AppProcess, for caller: Call?) {
        // A sign-out everywhere may refresh a session that is over here.
        process.conduct.failedRefreshes.asked = process.presentAccess.flatMap {
            lineage.root($0.family) == lineage.root(token.family) ? $0 : nil
        }
        guard caller?.kind != .signOutEverywhere else { return }
        let backoff = process.conduct.failedRefreshes
        if backoff.failures > 0, backoff.token == backoff.asked {
            if world.now < backoff.heldUntil {
                world.broke(
                    .backsOff, "\(token) is sent, and the server asked for \(backoff.heldUntil - world.now) ms more.")
            }
            let pause = backoff.failures > 2 ? 120_000 : 500 << (backoff.failures - 1)
            // After a caller is cancelled or superseded, the refresh continues.
            let isAsked = process.conduct.calls.contains {
                $0.isOpen || ($0.isCancelled || $0.isSuperseded) && $0.end ?? .max > backoff.lastFailureMark
            }
            if world.now < backoff.lastFailure + pause, !isAsked {
                world.broke(
                    .backsOff,
                    "\(token) is sent \(world.now - backoff.lastFailure) ms after failure \(backoff.failures).")
            }
            return
        }
        guard let present = world.disk.accessToken, let arrival = arrivals[present], isLifeKnown(present, to: process),
            present.family == token.family
        else { return }
        // A token that another process got is known from the record alone.
        let landing = log.firstIndex { $0.content?.session?.access == present }
        guard arrival.process == process.id || landing.map({ $0 <= process.conduct.lastRead }) ?? false else { return }
        // Whether a token may be sent that was replaced already is another question.
        guard world.plan.rule == .reusable || world.disk.token == token else { return }
        // Without the lock another may get the next one in between.
        guard world.plan.rule == .singleUse || world.plan.processes == 1 else { return }
        let isDue = expiry(of: present) - world.now <= earliest + 60_000
        let isWanted = process.conduct.calls.contains {
            $0.end ?? .max > arrival.mark && $0.mayWantAnother(than: arrival)
        }
        // After a failure it is refreshed until the server has confirmed it.
        guard !isDue, !isWanted, process.conduct.lastTrouble < arrival.mark else { return }
        world.broke(.oneRequestForACrowd, "\(token) is sent, and \(present) is good and was got for all who asked.")
    }

    /// A refresh ended in a process without new tokens.
    func refreshFailed(_ token: TokenName, retryAfter seconds: Int?, in process: AppProcess) {
        var backoff = process.conduct.failedRefreshes
        // An adoption begins without an access token. Where another process replaced the
        // token meanwhile, the refresh has succeeded.
        guard let present = process.presentAccess, backoff.asked == present else { return }
        if backoff.token != present { backoff = FailedRefreshes(token: present, asked: present) }
        backoff.failures += 1
        (backoff.lastFailure, backoff.lastFailureMark) = (world.now, mark())
        backoff.heldUntil = seconds.map { world.now + 1000 * $0 } ?? 0
        process.conduct.failedRefreshes = backoff
    }

    /// The server did something for a process, so it works.
    func confirmed(by process: AppProcess) { process.conduct.failedRefreshes = FailedRefreshes() }

    /// After some rest the next token is there before the present one is due.
    func nextIsAhead() {
        guard let token = world.disk.token, token.kind == .refresh, !hasEnded(token.family) else { return }
        guard let present = newestTokens[token.family], let arrival = arrivals[present] else { return }
        guard isKept(present) else { return }
        let running = world.processes.filter { !$0.isGone && $0.conduct.session == token.family }
        guard running.contains(where: { isLifeKnown(present, to: $0) }),
            world.server.families[token.family].ending == nil
        else { return }
        let rest = expiry(of: present) - world.now
        let ahead = running.contains { $0.id == arrival.process } ? ahead : Self.leeway
        guard rest < ahead - 31_000 - (arrival.time - (expiry(of: present) - world.plan.lifetime)) else { return }
        world.broke(.refreshIsAhead, "\(present) ends in \(rest) ms, and the next is not there.")
    }
}

extension Call {
    /// Whether who asked may want another access token than the one that arrived so.
    fileprivate func mayWantAnother(than arrival: Ledger.Arrival) -> Bool {
        switch kind {
        case .token(let isForced): isForced && (begin > arrival.mark || user == nil)
        case .signIn, .signInAnonymously, .signOut: false
        default: true
        }
    }
}
