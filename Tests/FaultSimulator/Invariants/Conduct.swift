import AuthStreams

/// What one process was seen to do: its states one after another, and what it had read when it showed them.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Conduct: @unchecked Sendable {
    private(set) var state = AuthState.restoring(.reading)
    /// When each user was last seen to be signed in, `nil` for no user.
    private(set) var users: [(user: Int?, mark: Ledger.Mark, time: Milliseconds)] = []
    /// When the process was launched.
    private(set) var launch: Ledger.Mark = 0
    var calls: [Call] = []
    /// The session that the server last made for each user in answer to a sign-in here.
    var answers: [Int: Int] = [:]
    var readers: [Reader] = []
    /// When the store, or a lock, last failed in it.
    private(set) var lastTrouble: Ledger.Mark = 0
    /// The refreshes that failed.
    var backoff = Backoff()
    /// What the service told in its events.
    var events: [AuthEvent] = []
    /// When the process last resumed after it had stood still.
    var lastThaw: Milliseconds = -1

    /// Whether the person signed out since a user was last signed in.
    private(set) var signOutMark: Ledger.Mark?
    /// What the record of the session was when it was last read or written here.
    private(set) var lastReading = Reading.none {
        didSet {
            if case .failed = lastReading { return }
            (earlierKnown, lastKnown) = (lastKnown, lastReading)
        }
    }
    /// What it was when it could be read last, and before that.
    private var lastKnown = Reading.none
    private var earlierKnown = Reading.none
    /// The tokens that another process had marked as sent without an answer when the record was last read.
    private var owedTokens: Set<TokenName> = []
    /// When the store last failed or refused an access to each record.
    private(set) var failures: [SessionStoreKey: Ledger.Mark] = [:]
    /// When the store last failed in it with the session's record.
    private(set) var lastSessionFailure: Ledger.Mark = 0
    /// Whether the wait for a lock ended in vain when a lock was last asked for.
    private(set) var isWithoutLock = false
    /// Whether it lost the lock, and took none since.
    var isLockLost = false
    private var hasShownAnything = false
    /// Whether the adoption of the session that another SDK left may have ended: then the next launch resumes it.
    private(set) var hasStalled = false
    /// Whether the session of another SDK could not be looked for, also if something was read after that.
    private(set) var isWithoutLook = false
    /// The users found in the store without a sign-in: they may be gone again before they are shown.
    private var found: Set<Int> = []
    /// Which session is meant by each user who is shown.
    private var sessions: [Int: Int] = [:] {
        didSet { for (user, family) in oldValue where sessions[user] != family { earlierSessions[user] = family } }
    }
    /// Which session was meant by each user before.
    private var earlierSessions: [Int: Int] = [:]
    /// The session that was shown last.
    private(set) var lastShown: Int? { didSet { lastShown.map { _ = shownSessions.insert($0) } } }
    /// All that were shown.
    private(set) var shownSessions: Set<Int> = []
    /// The user of the record that was read last, unless the person signed out since.
    private(set) var userRead: Int?
    /// Whose session another SDK was seen to have left, unless the person signed out since.
    private(set) var userLeft: Int?

    /// The record of the session, as one process saw it last.
    enum Reading {
        case none, failed, empty, unreadable
        case record(TokenName)

        /// Whether there was no record.
        var isEmpty: Bool { if case .empty = self { true } else { false } }

        /// Whether that session may be what a process goes by that has seen this. By an empty store it is what another SDK left.
        func mayMean(_ family: Int, in world: World) -> Bool {
            switch self {
            case .none, .failed, .unreadable: true
            case .empty: world.otherSDK?.family == family
            // Whose it is that another SDK left, a process may not know.
            case .record(let token) where token.family == world.otherSDK?.family && world.otherSDK?.isKnown == false:
                true
            case .record(let token): world.server.user(of: token.family) == world.server.user(of: family)
            }
        }
    }

    /// What the process knows of the record: nothing before it has shown whether a user is signed in.
    func knowledge(of process: AppProcess) -> Reading {
        guard hasShownAnything else { return .none }
        // A record that is read while no user is shown may not be known yet.
        guard case .record(let token) = lastKnown else { return lastKnown }
        let world = process.world
        // Whose session another SDK left, a process does not know until it has shown them.
        if token.family == world.otherSDK?.family, !shownSessions.contains(token.family),
            !world.ledger.isRefused(token.family, to: process)
        {
            return lastKnown
        }
        if case .unreadable = earlierKnown { return earlierKnown }
        return .empty
    }

    /// Whether there was no record when it was last read, or before one that cannot be read: the process may not have known of
    /// that yet.
    var hasFoundNothing: Bool {
        switch (earlierKnown, lastKnown) {
        case (_, .empty), (.empty, .unreadable): true
        default: false
        }
    }

    // MARK: What it is given

    func began(with state: AuthState, at mark: Ledger.Mark) { (self.state, launch) = (state, mark) }

    func read(_ reading: Reading, isOwed: Bool, in process: AppProcess) {
        if case .record(let token) = reading {
            // What the process noted itself, it knows better.
            let isOthers = isOwed && process.world.ledger.isNoted(token, for: process)
            if isOthers { owedTokens.insert(token) } else { owedTokens.remove(token) }
        }
        lastReading = reading
        guard case .record(let token) = reading else {
            // What cannot be read says nothing of who was there before.
            if case .unreadable = reading {} else { userRead = nil }
            return
        }
        let (ledger, user) = (process.world.ledger, process.world.server.user(of: token.family))
        // A write that failed had landed.
        if ledger.origins[ledger.lineage.root(token.family)] == process.id {
            ledger.lineage.confirmed(token.family, at: ledger.mark())
        }
        sessions[user] = token.family
        if state.number != user { found.insert(user) }
        // What is read until the store has heard of a sign-out is older.
        if !ledger.isGhost(token.family, in: process) { userRead = user }
    }

    /// Whether another process had marked that token as sent without an answer when the process last read the record.
    func hasReadNote(of token: TokenName) -> Bool { owedTokens.contains(token) }

    /// The record was written here.
    func wrote(_ token: TokenName?) {
        lastReading = token.map(Reading.record) ?? .empty
    }

    /// What is present here is that session: it is about to be written, or a sign-in is reported with it.
    func holds(_ family: Int, of user: Int) {
        sessions[user] = family
        if state.number == user { lastShown = family }
    }

    /// The store failed, or refused a write.
    func storeFailed(_ key: SessionStoreKey, isReading: Bool, at mark: Ledger.Mark) {
        failures[key] = mark
        // A damaged record is set aside before another takes its place.
        if key == .session || key == .damagedSession { lastSessionFailure = mark }
        lastTrouble = mark
        if isReading, key == .session { lastReading = .failed }
    }

    /// The session of another SDK could not be looked for.
    func couldNotLook(at mark: Ledger.Mark) {
        isWithoutLook = true
        storeFailed(.session, isReading: true, at: mark)
    }

    /// A lock was had, or was waited for in vain.
    func locked(_ isHeld: Bool, at mark: Ledger.Mark) {
        isWithoutLock = !isHeld
        isLockLost = false
        if !isHeld { lastTrouble = mark }
    }

    /// The store took a write.
    func storeTook(_ key: SessionStoreKey) { failures[key] = nil }

    /// Whether the store failed or refused an access to that record since then, and took no write after it.
    func hasFailed(_ key: SessionStoreKey, since mark: Ledger.Mark) -> Bool { failures[key] ?? -1 > mark }

    /// An answer to a refresh came that is none, or the lock for one was lost. An adoption ends after several of those.
    func adoptionMayStall() { hasStalled = true }

    /// What another SDK left is theirs.
    func wasLeft(by user: Int) { userLeft = user }

    func personSignsOut(_ mark: Ledger.Mark) {
        personWillSignOut(mark)
        personLeaves(state.number)
    }

    /// The person signs out, as soon as what is under way has ended.
    func personWillSignOut(_ mark: Ledger.Mark) { signOutMark = mark }

    func personLeaves(_ user: Int?) {
        // Another user's session, which was read and is not shown yet, stays.
        if userRead == user { userRead = nil }
        userLeft = nil
    }

    /// The session that the person signed out of is over.
    func isOver() { signOutMark = nil }

    // MARK: What it shows

    /// Who the person signs out of: who is shown, or whose sign-in was given to the store and is not reported yet.
    func present(in world: World) -> Int? {
        if let user = state.number { return user }
        return calls.lazy.filter { $0.isOpen && $0.isSignIn }.compactMap(\.family)
            .last { sessions[world.server.user(of: $0)] == $0 && world.ledger.lineage.landing($0) != nil }
            .map(world.server.user)
    }

    /// The session that is shown.
    var session: Int? { state.number.flatMap { sessions[$0] } }

    /// The sessions that may be the shown one: what was read last may not have reached the process yet.
    var possibleSessions: [Int] { state.number.map(possibleSessions) ?? [] }

    /// The sessions of a user of which one is shown, or was.
    func possibleSessions(of user: Int) -> [Int] { [sessions[user], earlierSessions[user]].compactMap(\.self) }

    func shows(_ next: AuthState, in world: World) {
        switch next {
        case .signedIn, .signedOut: hasShownAnything = true
        case .restoring, .signingIn: break
        }
        let before = state.number
        if next.number != before { users.append((next.number, world.ledger.mark(), world.now)) }
        state = next
        let left = next.number == userLeft ? world.otherSDK?.family : nil
        // A session that another SDK left is not verified before the server has answered for it.
        let isAnswer = if case .signedIn(_, .verified) = next { true } else { false }
        let candidates =
            isAnswer ? [next.number.flatMap { answers[$0] }, left] : [left, next.number.flatMap { answers[$0] }]
        if let user = next.number, let family = sessions[user] ?? candidates.compactMap(\.self).first {
            sessions[user] = family
            // While the same user's next sign-in is being written, the one before is shown.
            guard user != before || !isUntold(family) else { return }
            lastShown = family
            world.ledger.showed(family)
        }
    }

    /// The sessions of the user who is shown whose sign-in is not reported yet.
    func untold(in world: World) -> [Int] {
        calls.filter { $0.isOpen && $0.results == 0 && $0.isSignIn }.compactMap(\.family)
            .filter { world.server.user(of: $0) == state.number }
    }

    /// Whether the call that brought the session waits for it to be written.
    func isUntold(_ family: Int) -> Bool { calls.contains { $0.isOpen && $0.results == 0 && $0.family == family } }

    /// Whether that user was signed in at some time since then.
    func hadUser(_ user: Int, since begin: Ledger.Mark) -> Bool {
        if state.number == user { return true }
        // Who was signed in at the beginning came before it.
        let first = users.lastIndex { $0.mark < begin } ?? 0
        return users.dropFirst(first).contains { $0.user == user }
    }

    /// Whether that user is the one whom a call is about: who was signed in when it began or at the same moment. Where
    /// none was, it may be a user who was known later.
    func isMeant(_ user: Int, by call: Call) -> Bool {
        guard let first = call.user else { return hadUser(user, since: call.begin) || found.contains(user) }
        return first == user || users.contains { $0.user == user && $0.mark > call.begin && $0.time == call.time }
    }

    /// Whether it has been the same user, or none, since then.
    func isUnchanged(since begin: Ledger.Mark) -> Bool { users.last.map { $0.mark < begin } ?? true }

    /// When a user was last seen to be signed in anew.
    func lastSeen(_ user: Int) -> Ledger.Mark { users.last { $0.user == user }?.mark ?? 0 }
}
