import AuthStreams

/// What one process was seen to do: its states one after another, and what it had read when it showed them.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Conduct: @unchecked Sendable {
    private(set) var state = AuthState.restoring(.reading)
    /// What was seen last.
    var snapshot: AppProcess.Snapshot?
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
    var failedRefreshes = FailedRefreshes()
    /// What the service told in its events.
    var events: [AuthEvent] = []
    /// What is shown of prompts.
    let screen = Screen()
    /// The further steps that the server wants, by their numbers.
    var asked: [Int: AskedStep] = [:]
    /// When the process last resumed after it had stood still.
    var lastThaw: Milliseconds = -1

    /// When the person signed out; `nil` once a session has ended since.
    private(set) var signOutMark: Ledger.Mark?
    /// The session that is present here, by its token; also while its user is not known.
    private(set) var present: TokenName?
    /// Which version of the session's record it read last.
    var lastRead = 0
    /// Whether the record that it read last could not be read, or says no session.
    private(set) var hasFoundNothing = false
    /// The sign-ins whose session it knows to be stored, or to have been.
    private(set) var stored: Set<Int> = []
    /// When the store last failed with each record, unless it took a write since.
    private(set) var failures: [SessionStoreKey: Ledger.Mark] = [:]
    private var lastFailures: [SessionStoreKey: Ledger.Mark] = [:]
    /// When the store last failed in it with the session's record.
    private(set) var lastSessionFailure: Ledger.Mark = 0
    /// Whether the record that it read last is damaged, another process wrote it as far as this one knows, and this one had to
    /// write over it or to replace the tokens.
    var hasLostRecord = false { didSet { everLostRecord = everLostRecord || hasLostRecord } }
    /// Whether that was so at some time.
    private(set) var everLostRecord = false
    /// Whether the wait for a lock ended in vain when a lock was last asked for.
    private(set) var isWithoutLock = false
    /// Whether it has a lock, also one that it has lost.
    private var hasLock = false
    /// Whether it may replace the tokens now.
    var mayReplaceTokens: Bool { hasLock || isWithoutLock }
    /// Whether it lost the lock, and took none since.
    var isLockLost = false
    /// How often an answer to a refresh came that is none, a lock for one was lost, or the store failed.
    private var doubts = 0
    /// Whether an adoption may have stalled: after the third of those.
    var hasStalled: Bool { doubts >= 3 }
    /// Whether the session of another SDK could not be looked for, also if something was read after that.
    private(set) var isWithoutLook = false
    /// Whether the session of another SDK was seen.
    private(set) var hasFoundAdoptableSession = false
    /// The users found in the store without a sign-in: they may be gone again before they are shown.
    private var found: Set<Int> = []

    // MARK: What it is given

    func began(with state: AuthState, at mark: Ledger.Mark) { (self.state, launch) = (state, mark) }

    /// The process learns what the session's record is.
    ///
    /// - Parameter entry: What it is; `nil` if it is damaged.
    func read(_ entry: StoreEntry?, in process: AppProcess) {
        hasFoundNothing = entry?.root == nil || entry?.content?.isNewer ?? false
        // What a newer version wrote is neither read nor replaced.
        if entry?.content?.isNewer ?? false { storeFailed(.session, isReading: false, at: process.world.ledger.mark()) }
        guard let root = entry?.root else { return }
        stored.insert(root)
        let user = process.world.server.user(of: root)
        if state.number != user { found.insert(user) }
    }

    /// The process learns that it wrote the session's record.
    func wrote(_ entry: StoreEntry) {
        hasFoundNothing = entry.root == nil
        if let root = entry.root { stored.insert(root) }
    }

    /// The store refused a write, because another came first.
    func storeRefused(at mark: Ledger.Mark) { lastTrouble = mark }

    /// The store failed.
    func storeFailed(_ key: SessionStoreKey, isReading: Bool, at mark: Ledger.Mark) {
        failed(key, at: mark)
        // A damaged record is set aside before another takes its place.
        if key == .session || key == .damagedSession { lastSessionFailure = mark }
        doubts += 1
        lastTrouble = mark
        if isReading, key == .session { hasFoundNothing = true }
    }

    /// The session of another SDK could not be looked for.
    func couldNotLook(at mark: Ledger.Mark) {
        isWithoutLook = true
        storeFailed(.session, isReading: true, at: mark)
    }

    /// A lock was had, or was waited for in vain.
    func locked(_ isHeld: Bool, at mark: Ledger.Mark) {
        (hasLock, isWithoutLock) = (isHeld, !isHeld)
        isLockLost = false
        if !isHeld { lastTrouble = mark }
    }

    func released() { hasLock = false }

    private func failed(_ key: SessionStoreKey, at mark: Ledger.Mark) {
        (failures[key], lastFailures[key]) = (mark, mark)
    }

    /// The store took a write.
    func storeTook(_ key: SessionStoreKey) {
        failures[key] = nil
        // It took the place of a damaged one, which had to be set aside.
        if key == .session { failures[.damagedSession] = nil }
    }

    /// Whether the store failed with that record since then, and took no write after it.
    func hasFailed(_ key: SessionStoreKey, since mark: Ledger.Mark) -> Bool { failures[key] ?? -1 > mark }

    /// Whether the store failed with that record since then, also where it took a later one.
    func hasEverFailed(_ key: SessionStoreKey, since mark: Ledger.Mark) -> Bool { lastFailures[key] ?? -1 > mark }

    /// An answer to a refresh came that is none, the lock for one was lost, or the repository cannot adopt.
    ///
    /// - Parameter isLasting: Whether asking again would not help, and the user is not known.
    func adoptionFailed(lasting isLasting: Bool = false) { doubts += isLasting ? 3 : 1 }

    /// The session of another SDK is seen.
    func foundAdoptableSession() { hasFoundAdoptableSession = true }

    /// The person signs out, as soon as what is under way has ended.
    func personWillSignOut(_ mark: Ledger.Mark) { signOutMark = mark }

    /// The session that the person signed out of is over.
    func signOutTookEffect() { signOutMark = nil }

    // MARK: What it shows

    /// The session that is shown.
    var session: Int? { state.number == nil ? nil : present?.family }

    func shows(_ next: AuthState, _ token: TokenName?, in world: World) {
        if next.number != state.number { users.append((next.number, world.ledger.mark(), world.now)) }
        (state, present) = (next, token)
    }

    /// Whether that user was signed in at some time since then.
    func hadUser(_ user: Int, since begin: Ledger.Mark) -> Bool {
        if state.number == user { return true }
        // Who was signed in at the beginning came before it.
        let first = users.lastIndex { $0.mark < begin } ?? 0
        return users.dropFirst(first).contains { $0.user == user }
    }

    /// Whether that user is the one whom a call is about: who was signed in when it began. Where none was, it may be a user who
    /// was known later.
    func isMeant(_ user: Int, by call: Call) -> Bool {
        call.user.map { $0 == user } ?? (hadUser(user, since: call.begin) || found.contains(user))
    }

    /// Whether it has been the same user, or none, since then.
    func isUnchanged(since begin: Ledger.Mark) -> Bool { users.last.map { $0.mark < begin } ?? true }
}
