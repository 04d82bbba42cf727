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
    private(set) var signOutMark: Ledger.Mark?
    /// Whether the person signed out and the store has not heard of it: what is read until then is older.
    private var isSigningOut = false
    private var leavingUser: Int?
    private(set) var hasReadEmpty = false
    /// Whether the store failed when it was to be read: nobody is seen to be signed in then, until it is read again.
    private(set) var hasFailedToRead = false
    /// Whether the store failed when it was to keep something.
    private(set) var hasFailedToWrite = false
    /// Whether an answer to what another SDK left came that nobody could understand: then the next launch goes on.
    private(set) var hasStalled = false
    /// Who was found in the store, and was not signed in: they may be gone again before anybody sees them.
    private var found: Set<Int> = []
    /// Which record was read last.
    private(set) var tokenRead: TokenName?
    /// The user of the record that was read last, unless the person signed out since.
    private(set) var userRead: Int?
    /// Whose session another SDK was seen to have left, unless the person signed out since.
    private(set) var userLeft: Int?

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

    func wrote() { isSigningOut = false }

    func writeFailed() { hasFailedToWrite = true }

    func personSignsOut(_ mark: Ledger.Mark) {
        personWillSignOut(mark)
        personLeaves(state.number)
    }

    /// The person signs out, as soon as what is under way has ended.
    func personWillSignOut(_ mark: Ledger.Mark) { signOutMark = mark }

    func personLeaves(_ user: Int?) {
        isSigningOut = true
        leavingUser = user
        if user != nil { userRead = nil }
        userLeft = nil
    }

    /// The session that the person signed out of is over.
    func isOver() { signOutMark = nil }

    func signOutEnded() { isSigningOut = false }

    // MARK: What it shows

    func shows(_ next: AuthState, in world: World) {
        if case .signedOut = next { lastSignedOut = world.ledger.mark() }
        if next.number != state.number { users.append((next.number, world.ledger.mark(), world.now)) }
        state = next
    }

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
}
