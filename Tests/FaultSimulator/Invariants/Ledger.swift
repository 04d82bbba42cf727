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
        /// The session that was shown there.
        let family: Int?
        /// Which decision it is.
        let decision: Int
        /// Whether the server is to know of it.
        var isToldToServer = false
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
        let isMarkedAsResend: Bool
    }

    unowned let world: World
    private var lastMark: Mark = 0
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
    /// How often any refresh token was sent.
    var refreshCount = 0
    /// Access tokens that were stored.
    private var kept: Set<TokenName> = []

    // MARK: The order of all writes

    /// What the session's record was, by its version.
    var log: [StoreEntry] = [StoreEntry(content: nil, root: nil, writer: nil, mark: 0)]
    /// The version at which each sign-in was first stored.
    var landings: [Int: RecordVersion] = [:]
    /// The sign-ins whose session a record replaced, or says to have ended.
    var ended: Set<Int> = []
    /// The sign-ins whose session was shown in some process.
    var shown: Set<Int> = []
    /// Which sign-in each name of a session is of, and the reverse.
    var roots: [String: Int] = [:]
    var names: [Int: String] = [:]
    /// What each process decided, in order.
    var decisions: [ProcessID: [Decision]] = [:]
    /// Of how many of its decisions the last write of each process was made.
    var attempted: [ProcessID: Int] = [:]

    init(_ world: World) {
        self.world = world
    }

    /// The present, which comes after everything before.
    func mark() -> Mark {
        lastMark += 1
        return lastMark
    }

    // MARK: What ends sessions

    /// The person signs out in a process: of the session that is present there, or else of the one that is about to be.
    ///
    /// - Returns: Which sign-out it is.
    func signOutBegan(in process: AppProcess) -> Int {
        let (present, next) = (process.present, process.pendingSession)
        decided(
            .user(process.presentUser), over: [present?.family, next?.family], isUnread: isUnread(in: process),
            in: process)
        signOuts.append(
            PersonalSignOut(
                process: process.id, family: process.conduct.state.number == nil ? nil : present?.family,
                decision: decisions(of: process).count - 1))
        return signOuts.count - 1
    }

    /// The person is signed out everywhere: that session ends, and what its user has stored.
    ///
    /// - Returns: Which sign-out it is.
    ///
    /// - Parameter isUserKnown: Whether the process knew whose it is.
    func leftEverywhere(_ token: TokenName, isUserKnown: Bool, in process: AppProcess) -> Int {
        decided(.user(isUserKnown ? world.server.user(of: token.family) : nil), over: [token.family], in: process)
        signOuts.append(
            PersonalSignOut(
                process: process.id, family: isUserKnown ? token.family : nil,
                decision: decisions(of: process).count - 1))
        return signOuts.count - 1
    }

    func signOutEnded(_ signOut: Int, of call: Call, isDone: Bool) {
        signOuts[signOut].isToldToServer = isDone && call.kind == .signOut && !call.isCancelled
        guard isDone, let stored = world.disk.content?.session?.token else { return }
        let decision = decisions[signOuts[signOut].process]?[signOuts[signOut].decision]
        guard decision?.over.contains(lineage.root(stored.family)) ?? false else { return }
        world.broke(.noUserComesBack, "\(call.name) succeeds, and the store holds \(stored), which was present.")
    }

    func refused(_ token: TokenName, _ code: AuthError.Code, to process: AppProcess) {
        let use = uses[token]
        refusals.append(
            Refusal(
                token: token, code: code, process: process.id, mark: mark(), isOfResend: use?.isInDoubt ?? false,
                isMarkedAsResend: use?.isSentAgain ?? false))
    }

    /// Whether something ended that session: the person, in a process that had it, or the server, as a process read it.
    func hasEnded(_ family: Int) -> Bool {
        let root = lineage.root(family)
        return ended.contains(root) || serverEnded(family)
            || world.processes.contains { !$0.isGone && $0.present?.family == family && hasRunOut(family, in: $0) }
            || decisions.values.contains { $0.contains { $0.over.contains(root) } }
    }

    /// Whether it has no refresh token, and its access token is over as far as a process can know.
    func hasRunOut(_ family: Int, in process: AppProcess) -> Bool {
        guard !world.plan.hasRefreshTokens, let token = newestTokens[family] else { return false }
        return expiry(of: token) - world.now <= Self.leeway || !isLifeKnown(token, to: process)
    }

    /// Whether a process read that the server refuses that token.
    func isRefused(_ token: TokenName, to process: AppProcess) -> Bool {
        refusals.contains { $0.token == token && $0.process == process.id }
    }

    func serverEnded(_ family: Int) -> Bool {
        let user = world.server.user(of: family)
        return refusals.contains { $0.token.family == family } || deletions.contains { $0.user == user }
    }

    /// A process was told that its session is over: by then it is not shown, and nothing of it is stored unless the store failed.
    func told(_ error: AuthError, to call: Call, in process: AppProcess) {
        guard error.code == .sessionExpired || error.code == .userDisabled, case .token = call.kind else { return }
        if world.plan.hasRefreshTokens, let family = process.conduct.session, process.conduct.state.number == call.user,
            let landing = landings[lineage.root(family)], log[Int(landing.rawValue)].mark < call.begin
        {
            world.broke(.endIsTrue, "\(call.name) ends with \(error.code.rawValue), and session \(family) is shown.")
        }
        // Without the lock another process may store its own answer afterwards.
        guard !world.processes.contains(where: { !$0.isGone && $0.conduct.isWithoutLock }) else { return }
        guard let token = world.disk.token, !process.conduct.hasFailed(.session, since: call.begin) else { return }
        guard refusals.contains(where: { $0.token == token && $0.process == process.id }) else { return }
        world.broke(.refusalIsStored, "\(call.name) ends with \(error.code.rawValue), and the store holds \(token).")
    }

    /// Whether a session was stored, or shown in a process.
    func tookEffect(_ family: Int) -> Bool {
        let root = lineage.root(family)
        return landings[root] != nil || shown.contains(root)
    }

    /// A session that is not used is signed out at the server.
    func givesBack(_ token: TokenName, by process: AppProcess) {
        toldOver.insert(token.family)
        let user = world.server.user(of: token.family)
        // It is decided when the answer comes too late. Who appears at the same moment was not known then.
        guard !tookEffect(token.family), process.weakService?.state.number == user, !hasEnded(token.family),
            !hasRunOut(token.family, in: process),
            process.conduct.users.last.map({ $0.time < world.now }) ?? true
        else {
            return
        }
        world.broke(.presentUserIsNotGivenBack, "session \(token.family) is signed out, and user \(user) is signed in.")
    }

    /// A session is no longer shown in a process: what was to be refreshed of it is cut off.
    func lookAtRefreshes(of family: Int, in process: AppProcess) {
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
