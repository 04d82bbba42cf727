import AuthStreams

/// What one process was seen to do: its states one after another, and what it had read when it showed them.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Conduct: @unchecked Sendable {
    private(set) var state = AuthState.restoring(.reading)
    /// When each user was last seen to be signed in, `nil` for nobody.
    private(set) var users: [(user: Int?, mark: Ledger.Mark, time: Milliseconds)] = []
    var calls: [Call] = []
    /// The session that the server last made for each user in answer to a sign-in here.
    var answers: [Int: Int] = [:]
    var readers: [Reader] = []

    /// When nobody was last seen to be signed in.
    private(set) var lastSignedOut: Ledger.Mark = 0
    /// Whether the person signed out since somebody was last signed in.
    private var signOutMark: Ledger.Mark?
    /// Whether the person signed out and the store has not heard of it: what is read until then is older.
    private var isSigningOut = false
    private var leavingUser: Int?
    private var hasReadEmpty = false
    /// Whether the store failed when it was to be read: nobody is seen to be signed in then, until it is read again.
    private(set) var hasFailedToRead = false
    /// Whether the store failed when it was to keep something.
    private(set) var hasFailedToWrite = false
    /// Whether it did so the last time: then the next chance to write is waited for, and the person has been told.
    private(set) var isBehind = false
    private var isUnstored = false
    /// Whether an answer to what another SDK left came that nobody could understand: then the next launch goes on.
    private(set) var hasStalled = false
    /// Who was found in the store, and was not signed in: they may be gone again before anybody sees them.
    private var found: Set<Int> = []
    /// Which record was read last.
    private(set) var tokenRead: TokenName?
    /// The user of the record that was read last, unless the person signed out since.
    private var userRead: Int?
    /// Whose session another SDK was seen to have left, unless the person signed out since.
    private var userLeft: Int?

    // MARK: What it is given

    func began(with state: AuthState) { self.state = state }

    func read(_ token: TokenName?, in world: World) {
        if token == nil { hasReadEmpty = true }
        tokenRead = token
        let user = token.map { world.server.user(of: $0.family) }
        if let user, state.number != user { found.insert(user) }
        // Who signs out here is not whoever signed in elsewhere meanwhile.
        if !isSigningOut || user != leavingUser { userRead = user }
    }

    /// An answer to a refresh came that is none.
    func refreshIsNotUnderstood() { hasStalled = true }

    /// What another SDK left is theirs.
    func wasLeft(by user: Int) { userLeft = user }

    func readFailed() { hasFailedToRead = true }

    /// - Parameter isRemoval: Whether the record was removed. That stores nobody's session.
    func wrote(isRemoval: Bool) {
        isSigningOut = false
        if !isRemoval { isUnstored = false }
        isBehind = isUnstored
    }

    func writeFailed(isRemoval: Bool) {
        hasFailedToWrite = true
        isBehind = true
        if !isRemoval { isUnstored = true }
    }

    func personSignsOut(_ mark: Ledger.Mark) {
        personWillSignOut(mark)
        personLeaves(state.number)
    }

    /// The person signs out, as soon as what is under way has ended.
    func personWillSignOut(_ mark: Ledger.Mark) { signOutMark = mark }

    private func personLeaves(_ user: Int?) {
        isSigningOut = true
        leavingUser = user
        if user != nil { userRead = nil }
        userLeft = nil
    }

    func signOutEnded() { isSigningOut = false }

    // MARK: What it shows

    /// Whether that user was signed in at some time since then.
    func hadUser(_ user: Int, since begin: Ledger.Mark) -> Bool {
        if state.number == user { return true }
        // Who was signed in at the beginning came before it.
        let first = users.lastIndex { $0.mark < begin } ?? 0
        return users.dropFirst(first).contains { $0.user == user }
    }

    /// Whether that user is the one whom a call is about: who was signed in when it began or at the same moment. Where
    /// nobody was, it may be whoever was known later.
    func isMeant(_ user: Int, by call: Call) -> Bool {
        guard let first = call.user else { return hadUser(user, since: call.begin) || found.contains(user) }
        return first == user || users.contains { $0.user == user && $0.mark > call.begin && $0.time == call.time }
    }

    /// Whether somebody is to be signed out everywhere, and it is not known yet who is there: whoever it is then.
    var isFindingOutWhoLeaves: Bool {
        calls.contains { $0.isOpen && $0.kind == .signOutEverywhere && $0.user == nil && $0.begin > lastSignedOut }
    }

    /// Whether it has been the same user, or nobody, since then.
    func isUnchanged(since begin: Ledger.Mark) -> Bool { users.last.map { $0.mark < begin } ?? true }

    /// When a user was last seen to be signed in anew.
    func lastSeen(_ user: Int) -> Ledger.Mark { users.last { $0.user == user }?.mark ?? 0 }

    /// Looks at the state, and whether it may be what it is after the one before.
    func observe(_ process: AppProcess) {
        // Whoever still asks something of it keeps it, though the app has let go.
        guard let next = process.weakService?.state, next != state else { return }
        let before = state
        state = next
        if case .signedOut = next { lastSignedOut = process.world.ledger.mark() }
        process.world.note(process, "is \(next.story)")
        let (was, user) = (before.number, next.number)
        if was != user { users.append((user, process.world.ledger.mark(), process.world.now)) }
        switch (was, user) {
        case (let was?, nil): ended(was, next, process)
        case (nil, nil):
            if case .restoring = before, case .signedOut(let reason) = next { foundNobody(reason, process) }
        case (_, let user?) where was != user: appeared(user, process)
        default: break
        }
    }

    private func ended(_ user: Int, _ state: AuthState, _ process: AppProcess) {
        guard case .signedOut(let reason) = state else { return }
        if !isAccounted(for: reason, user, process) {
            process.world.broke(
                .noSignOutWithoutReason,
                "user \(user) is signed out in process \(process.id + 1) as \(reason?.story ?? "nothing").")
        }
        signOutMark = nil
        if reason == .user { leftEverywhere(user, process) }
        if reason == .deleted { deleted(user, process) }
    }

    private func leftEverywhere(_ user: Int, _ process: AppProcess) {
        for call in calls where call.isOpen && call.kind == .signOutEverywhere && call.signOut == nil {
            call.signOut = process.world.ledger.signOutBegan(of: user, in: process)
            personLeaves(user)
        }
    }

    private func deleted(_ user: Int, _ process: AppProcess) {
        let world = process.world
        if world.server.accounts[user].exists {
            world.broke(.deletionIsTrue, "user \(user) is signed out as deleted, and the server has the account.")
        }
    }

    private func isAccounted(for reason: SignOutReason?, _ user: Int, _ process: AppProcess) -> Bool {
        let ledger = process.world.ledger
        let noes = ledger.refusals.filter { process.world.server.user(of: $0.token.family) == user }
        switch reason {
        case .user: return signOutMark != nil
        // Whether that process had a reason is looked at where it removes the record.
        case .elsewhere: return ledger.removals.contains { $0 != process.id }
        // A store that fails, and a process that died, may have left the note of a request that was never sent.
        case .refreshInterrupted:
            return noes.contains {
                $0.code == .sessionExpired && ($0.isOfResend || ledger.hasStoreFailed || ledger.hasDied)
            }
        case .expired, .revoked:
            let world = process.world
            let isExcused =
                // What is to be adopted is sent also where that cannot be noted: the other SDK has its copy still.
                ledger.hasDiskFailed && noes.last?.token == world.otherSDK?.token(0)
            if let no = noes.last(where: { $0.process == process.id }), no.isOfResend, !ledger.hasStoreFailed,
                process.world.plan.rule == .singleUse, !isExcused
            {
                process.world.broke(
                    .interruptionIsTold, "\(no.token) was sent before, and the session ends as \(reason?.story ?? "").")
            }
            return noes.contains { $0.code == .sessionExpired }
        case .disabled: return noes.contains { $0.code == .userDisabled }
        case .deleted: return noes.contains { $0.code == .userNotFound } || ledger.isGone(user, to: process)
        default: return false
        }
    }

    private func foundNobody(_ reason: SignOutReason?, _ process: AppProcess) {
        if let other = process.world.otherSDK {
            // Nobody knew yet whose it was that another SDK left.
            if let reason, isAccounted(for: reason, other.user, process) { return }
            if reason == nil, hasStalled { return }
        }
        guard !hasReadEmpty, !hasFailedToRead, signOutMark == nil else { return }
        process.world.broke(
            .noSignOutWithoutReason, "process \(process.id + 1) shows nobody, and the store was not seen to be empty.")
    }

    private func appeared(_ user: Int, _ process: AppProcess) {
        let world = process.world
        if let token = world.disk.token, world.server.user(of: token.family) == user, !world.isSomebodySigningIn {
            world.ledger.reported(token.family)
        }
        guard userRead != user, userLeft != user, !calls.contains(where: { $0.isOpen && $0.brings(user, to: process) })
        else { return }
        world.broke(
            .nobodyComesBack, "user \(user) is signed in in process \(process.id + 1), and did not sign in there.")
    }
}

extension AuthUser {
    /// The number of the simulated user.
    var number: Int? { Int(id.dropFirst()) }
}

extension AuthState {
    /// The number of the simulated user who is signed in.
    var number: Int? { user?.number }

    /// The state in a line of a timeline.
    var story: String {
        switch self {
        case .restoring(let restoring): "restoring (\(restoring))"
        case .signedOut(let reason): "signed out\(reason.map { ": \($0.story)" } ?? "")"
        case .signingIn(_, let step): "signing in (\(step.rawValue))"
        case .signedIn(let user, .offline): "signed in as \(user.id), offline"
        case .signedIn(let user, let freshness): "signed in as \(user.id), \(freshness)"
        }
    }
}

extension SignOutReason {
    var story: String { "\(self)" }
}
