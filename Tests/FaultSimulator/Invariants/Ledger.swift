import AuthStreams

/// What is known of the whole device beyond doubt: what ended when, and where each session and refresh token has been.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Ledger: @unchecked Sendable {
    /// Counts what happens, so that before and after are told apart within one moment of time.
    typealias Mark = Int

    /// How an access token came to the device.
    struct Arrival {
        let process: ProcessID
        let mark: Mark
        let time: Milliseconds
        /// By when the process has read it at the latest.
        var reading: Milliseconds
        /// How often the clock had been set.
        let clockSets: Int
    }

    /// A sign-out that the person asked for.
    struct PersonalSignOut {
        let process: ProcessID
        /// Who was signed in there.
        var user: Int?
        /// The sessions of which one was shown there.
        let families: [Int]
        /// The same, and those of which the server had been told before.
        let possible: [Int]
        /// The sign-ins that were given to the store there, and not reported yet.
        var committed: Set<Int>
        /// The user of the record that the process had seen last, if no user was signed in there; any user, if it had seen none.
        var seen: Conduct.Reading
        /// Whether it is not known yet whether there is a user to sign out.
        var isFindingOut: Bool
        /// When that was found out.
        var discovery: Milliseconds = 0
        let mark: Mark
        /// Before everything of the same moment.
        let moment: Mark
        let time: Milliseconds
        /// `nil` while it is under way.
        var end: Mark?
        /// How often the clock had been set: once it is set again, what came later is not told from what came before.
        let clockSets: Int
        /// Whether the store was empty when the process read it last, which it may not have known yet.
        let hadFoundNothing: Bool
        /// Whether there was no session then, as far as the process knew.
        var isOfNobody: Bool {
            guard user == nil else { return false }
            switch seen {
            // A record that cannot be read, another version of the app may write anew.
            case .empty, .unreadable: return true
            case .none, .failed, .record: return hadFoundNothing
            }
        }
        /// Whether the server is to know of it.
        var isToldToServer = false
        /// Whether it was told to have succeeded.
        var isDone = false
        /// Whether the process wrote or removed the record since, so that the store holds what it decided.
        var isStored = false
    }

    /// A terminal rejection by the server, as a process read it.
    struct Refusal {
        let token: TokenName
        let code: AuthError.Code
        let process: ProcessID
        let mark: Mark
        /// Whether the answer to an earlier request with the token was lost.
        let isOfResend: Bool
        /// Whether the record had the token marked as sent before this request was marked.
        let isNotedAsResend: Bool
    }

    unowned let world: World
    private var lastMark: Mark = 0
    private var lastTime: Milliseconds = -1
    private var momentBegin: Mark = 0
    private(set) var refusals: [Refusal] = []
    private(set) var signOuts: [PersonalSignOut] = []
    /// The accounts that are deleted, and who read it in answer to a request to delete them.
    private var deletions: [(user: Int, process: ProcessID, mark: Mark)] = []
    var lineage = Lineage()
    /// In which process the answer to each sign-in was read.
    var origins: [Int: ProcessID] = [:]
    var uses: [TokenName: TokenUse] = [:]
    /// When each access token came to the device.
    private(set) var arrivals: [TokenName: Arrival] = [:]
    /// The newest of them of each session.
    private(set) var newestTokens: [Int: TokenName] = [:]
    /// Sessions of which the server was told that they are over.
    var toldOver: Set<Int> = []
    /// Each time that a process told the server so, in order.
    private(set) var tellings: [(family: Int, process: ProcessID, mark: Mark)] = []
    /// How often any refresh token was sent.
    var refreshCount = 0
    /// Who wrote or removed the record of the session last.
    var lastWriter: ProcessID? { writes.last?.process }
    /// Who wrote or removed it, or something beyond all processes; in order.
    var writes: [(process: ProcessID?, mark: Mark)] = []
    /// Whether a process died that could not store that the session of another SDK is taken over.
    var mayAdoptAgain = false
    /// Sessions whose only copy the schedule damaged, or that a process removed without being able to read their record.
    var lostCopies: Set<Int> = []
    /// Sessions whose record was damaged, and not written anew since.
    var damagedSessions: Set<TokenName> = []
    /// Every session whose record was damaged at some time.
    var damagedRoots: Set<Int> = []
    /// When the clock was last set.
    var lastClockSet: Mark = 0
    /// Access tokens that were stored.
    private var kept: Set<TokenName> = []

    init(_ world: World) {
        self.world = world
    }

    /// The present, which comes after everything before.
    func mark() -> Mark {
        lookAtTime()
        lastMark += 1
        return lastMark
    }

    /// Before everything that has happened at this moment of time: no process can tell in which order that came.
    var moment: Mark {
        lookAtTime()
        return momentBegin
    }

    private func lookAtTime() {
        guard lastTime != world.now else { return }
        (lastTime, momentBegin) = (world.now, lastMark)
    }

    /// A session is shown.
    func showed(_ family: Int) {
        lineage.began(family, in: moment)
        lineage.tookEffect(family, at: mark())
    }

    // MARK: What ends sessions

    /// The person signs out.
    ///
    /// - Returns: Which sign-out it is.
    func signOutBegan(of user: Int?, in process: AppProcess, isEverywhere: Bool = false) -> Int {
        let seen = process.conduct.knowledge(of: process)
        signOuts.append(
            PersonalSignOut(
                process: process.id, user: user ?? unstoredSignOut(in: process),
                families: user == nil ? [] : untold(process.conduct.possibleSessions),
                possible: process.conduct.possibleSessions,
                committed: committed(in: process),
                seen: seen,
                isFindingOut: isEverywhere && user == nil && !seen.isEmpty, mark: mark(), moment: moment,
                time: world.now,
                clockSets: world.clockSets,
                hadFoundNothing: process.conduct.hasFoundNothing))
        return signOuts.count - 1
    }

    /// Who signed out in a process whose store does not hold that yet. A sign-out that repeats it is of the same user, and also
    /// ends what another process stored of them in between.
    private func unstoredSignOut(in process: AppProcess) -> Int? {
        signOuts.last { $0.process == process.id && !$0.isStored && $0.user != nil }?.user
    }

    /// It turns out whom a sign-out is of: the user who was shown, or else whose record the process read last.
    func foundOut(_ signOut: Int, of user: Int? = nil, in process: AppProcess) {
        signOuts[signOut].user = user
        signOuts[signOut].seen = process.conduct.lastReading
        (signOuts[signOut].isFindingOut, signOuts[signOut].discovery) = (false, world.now)
    }

    /// It turns out that a sign-out is of no user.
    func foundNobody(_ signOut: Int) {
        (signOuts[signOut].seen, signOuts[signOut].isFindingOut) = (.empty, false)
    }

    /// Those of the sessions of which the server was not told; none where it knows of the one that was shown most likely.
    private func untold(_ families: [Int]) -> [Int] {
        families.first.map(toldOver.contains) == true ? [] : families.filter { !toldOver.contains($0) }
    }

    /// The sign-ins that a process gave to the store, and did not report yet.
    private func committed(in process: AppProcess) -> Set<Int> {
        let families = process.conduct.calls.lazy.filter { $0.isOpen && $0.isSignIn }.compactMap(\.family)
        return Set(families.filter { self.lineage.begin($0) != nil })
    }

    /// A process gives a session to the store. A sign-out that is asked for at the same moment is of that one, too.
    func commits(in process: AppProcess) {
        for index in signOuts.indices where signOuts[index].process == process.id && signOuts[index].time == world.now {
            signOuts[index].committed.formUnion(committed(in: process))
        }
    }

    func signOutEnded(_ signOut: Int, of call: Call, isDone: Bool) {
        (signOuts[signOut].end, signOuts[signOut].isDone) = (mark(), isDone)
        signOuts[signOut].isToldToServer = isDone && call.kind == .signOut && !call.isCancelled
    }

    /// A process removes the record. The user to sign out everywhere is known then, unless it does so for an earlier sign-out.
    func foundOut(by process: AppProcess) {
        let first = signOuts.first { $0.process == process.id && $0.end == nil }
        guard first?.isFindingOut ?? true else { return }
        for index in signOuts.indices where signOuts[index].process == process.id && signOuts[index].isFindingOut {
            foundOut(index, in: process)
        }
    }

    func refused(_ token: TokenName, _ code: AuthError.Code, to process: AppProcess) {
        let use = uses[token]
        refusals.append(
            Refusal(
                token: token, code: code, process: process.id, mark: mark(), isOfResend: use?.isInDoubt ?? false,
                isNotedAsResend: use?.isSentAgain ?? false))
    }

    /// Whether something ended that session: the person, in a process that had it, or the server, as a process read it.
    ///
    /// - Parameter isDone: Whether a sign-out counts only once it is told to have succeeded.
    func hasEnded(_ family: Int, isDone: Bool = false) -> Bool {
        serverEnded(family) || hasRunOut(family) || lostCopies.contains(family)
            || signOuts.contains { (!isDone || $0.isDone) && ends(family, by: $0) }
    }

    /// Whether it has no refresh token, and its access token is over as far as a process can know.
    func hasRunOut(_ family: Int) -> Bool {
        guard !world.plan.hasRefreshTokens, let token = newestTokens[family], let arrival = arrivals[token] else {
            return false
        }
        return expiry(of: token) - world.now <= Self.leeway || arrival.clockSets != world.clockSets
    }

    private func ends(_ family: Int, by signOut: PersonalSignOut) -> Bool {
        let birth = lineage.birth(family)
        // What is of the same moment has no order that a process could know.
        let begin = min(birth, lineage.begin(family) ?? .max)
        let isUnordered = !signOut.isDone && signOut.clockSets != world.clockSets
        guard signOut.end ?? .max > begin || isUnordered else { return false }
        // A sign-in that was under way there is over as well.
        return origins[family] == signOut.process && signOut.mark > birth || means(family, signOut)
    }

    /// Whether the person signed out of that session in that process, and it was not seen there since.
    ///
    /// - Parameter time: Only a sign-out before that counts.
    func isGhost(_ family: Int, in process: AppProcess, before time: Milliseconds = .max) -> Bool {
        let begin =
            origins[family] == process.id
            ? lineage.birth(family) : lineage.lastRepetition(family) ?? lineage.landing(family) ?? .max
        let seen = process.conduct.lastSeen(world.server.user(of: family))
        return signOuts.contains {
            $0.process == process.id && !$0.isFindingOut && $0.mark > max(begin, seen) && means(family, $0)
                && !$0.isOfNobody && max($0.time, $0.discovery) < time
        }
    }

    private func means(_ family: Int, _ signOut: PersonalSignOut) -> Bool {
        let user = world.server.user(of: family)
        // A sign-in that was given to the store counts as shown: its user may have signed in elsewhere as well.
        if signOut.user == user || signOut.committed.contains(where: { world.server.user(of: $0) == user }) {
            return true
        }
        // A record that does not say whose it is leaves the dates to decide, which a sign-in of the same moment shares.
        if lineage.begin(family) == signOut.moment, signOut.seen.mayMean(family, in: world) { return true }
        return signOut.user == nil && seen(by: signOut).mayMean(family, in: world)
    }

    private func seen(by signOut: PersonalSignOut) -> Conduct.Reading {
        signOut.isFindingOut ? world.processes[signOut.process].conduct.lastReading : signOut.seen
    }

    /// Whether a process read that the server refuses that session.
    func isRefused(_ family: Int, to process: AppProcess) -> Bool {
        refusals.contains { $0.token.family == family && $0.process == process.id }
    }

    /// The store holds what a process decided.
    func storedDecisions(of process: AppProcess) {
        for index in signOuts.indices where signOuts[index].process == process.id { signOuts[index].isStored = true }
    }

    private func serverEnded(_ family: Int) -> Bool {
        let user = world.server.user(of: family)
        return refusals.contains { $0.token.family == family } || deletions.contains { $0.user == user }
    }

    /// A process was told that its session is over: by then nothing of it is stored, unless the store failed.
    func told(_ error: AuthError, to call: Call, in process: AppProcess) {
        guard error.code == .sessionExpired || error.code == .userDisabled, case .token = call.kind else { return }
        // Without the lock another process may store its own answer afterwards.
        guard !world.processes.contains(where: { !$0.isGone && $0.conduct.isWithoutLock }) else { return }
        guard let token = world.disk.token, !process.conduct.hasFailed(.session, since: call.begin) else { return }
        guard refusals.contains(where: { $0.token == token && $0.process == process.id }) else { return }
        world.broke(.refusalIsStored, "\(call.name) ends with \(error.code.rawValue), and the store holds \(token).")
    }

    /// A session that is not used is signed out at the server.
    func givesBack(_ token: TokenName, by process: AppProcess) {
        toldOver.insert(token.family)
        tellings.append((token.family, process.id, mark()))
        let user = world.server.user(of: token.family)
        // Who appears at the same moment was not known when it was decided.
        guard lineage.rank(token.family) == nil, process.weakService?.state.number == user, !hasEnded(token.family),
            process.conduct.users.last.map({ $0.time < world.now }) ?? true
        else {
            return
        }
        world.broke(.nobodyIsGivenBack, "session \(token.family) is signed out, and user \(user) is signed in.")
    }

    /// A session is no longer shown in a process: what was to be refreshed of it is cut off.
    func isOver(_ family: Int, in process: AppProcess) {
        world.after(1, of: process.id) { [self] in
            guard family != world.otherSDK?.family, process.conduct.lastThaw < world.now - 1 else { return }
            let isEnding = process.conduct.calls.contains { $0.isOpen && $0.kind == .signOutEverywhere }
            guard !isEnding, process.conduct.session != family else { return }
            for (token, use) in uses where token.family == family && use.underWay.contains(process.id) {
                world.broke(.refreshEndsWithSession, "\(token) is under way, and its session is over.")
            }
        }
    }

    /// A process read that an account is deleted.
    func gone(_ user: Int, to process: AppProcess) { deletions.append((user, process.id, mark())) }

    /// Whether an account was deleted since then: nothing of the person stays that was there before.
    func hasDeletions(since mark: Mark) -> Bool {
        deletions.contains { $0.mark > mark } || refusals.contains { $0.code == .userNotFound && $0.mark > mark }
    }

    func isGone(_ user: Int, to process: AppProcess) -> Bool {
        deletions.contains { $0.user == user && $0.process == process.id }
    }

    /// A process read the answer with an access token.
    func arrived(_ access: TokenName, to process: AppProcess) {
        arrivals[access] = Arrival(
            process: process.id, mark: mark(), time: world.now, reading: world.now, clockSets: world.clockSets)
        newestTokens[access.family] = access
    }

    // MARK: What the store was given

    func keeps(_ token: TokenName) { kept.insert(token) }

    /// A stopped process resumes. It may read only now what arrived right before it was stopped.
    func wentOn(_ process: AppProcess, stoppedAt time: Milliseconds) {
        for (token, arrival) in arrivals where arrival.process == process.id && arrival.time + 60_000 >= time {
            arrivals[token]?.reading = world.now
        }
    }

    func isKept(_ token: TokenName) -> Bool { kept.contains(token) }
}
