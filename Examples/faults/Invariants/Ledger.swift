import AuthStreams

/// What is known of the whole device beyond doubt: what ended when, and where each refresh token has been.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Ledger: @unchecked Sendable {
    /// Counts what happens, so that before and after are told apart within one moment of time.
    typealias Mark = Int

    /// A sign-out that the person asked for.
    struct PersonalSignOut {
        let process: ProcessID
        /// Who was signed in there.
        let user: Int?
        let mark: Mark
        /// `nil` while it is under way.
        var end: Mark?
    }

    /// The server's definite no, as a process read it.
    struct Refusal {
        let token: TokenName
        let code: AuthError.Code
        let process: ProcessID
        /// Whether the answer to an earlier request with the token may have been lost, and the store could say so.
        let isOfResend: Bool
        let mark: Mark
    }

    unowned let world: World
    private var lastMark: Mark = 0
    private(set) var refusals: [Refusal] = []
    private(set) var signOuts: [PersonalSignOut] = []
    /// The accounts that are deleted, and who read it in answer to a request to delete them.
    private var deletions: [(user: Int, process: ProcessID)] = []
    /// Who removed the record of a session.
    var removals: [ProcessID] = []
    /// Whether the store failed any process, so that it may not know what it should.
    var hasStoreFailed = false
    /// Whether the disk failed anybody in anything.
    var hasDiskFailed = false
    /// Whether somebody waited for a lock in vain, and may have gone on without it.
    var hasLockTimedOut = false
    /// Whether a process died, which may have noted a request that it never sent.
    var hasDied = false
    /// When the server made each session.
    private var births: [Int: Mark] = [:]
    /// The sessions of sign-ins whose success somebody was told of.
    private var reported: Set<Int> = []
    var uses: [TokenName: TokenUse] = [:]
    /// How often any refresh token was sent.
    var refreshCount = 0
    /// Sessions that were stored at some time.
    private var stored: Set<Int> = []
    /// Sessions that were stored again after a sign-in that another process may have seen for a moment.
    private var restored: Set<Int> = []
    /// Access tokens that were stored.
    private var kept: Set<TokenName> = []

    init(_ world: World) {
        self.world = world
    }

    /// The present, which comes after everything before.
    func mark() -> Mark {
        lastMark += 1
        return lastMark
    }

    // MARK: What ends sessions

    /// The person wants out.
    ///
    /// - Returns: Which sign-out it is.
    func signOutBegan(of user: Int?, in process: AppProcess) -> Int {
        signOuts.append(PersonalSignOut(process: process.id, user: user, mark: mark()))
        return signOuts.count - 1
    }

    func signOutEnded(_ signOut: Int) { signOuts[signOut].end = mark() }

    func refused(_ token: TokenName, _ code: AuthError.Code, to process: AppProcess) {
        refusals.append(
            Refusal(
                token: token, code: code, process: process.id, isOfResend: uses[token]?.isInDoubt ?? false, mark: mark()
            ))
    }

    /// Whether the person signed out, anywhere, since the server made that session; or was about to, and was nobody
    /// else.
    func personEnded(_ family: Int) -> Bool {
        let (birth, user) = (births(of: family), world.server.user(of: family))
        return signOuts.contains { signOut in
            signOut.mark > birth || (signOut.user ?? user) == user && signOut.end ?? .max > birth
        }
    }

    /// Whether the server's definite no to that session was read, anywhere.
    func serverEnded(_ family: Int) -> Bool {
        let user = world.server.user(of: family)
        return refusals.contains { $0.token.family == family } || deletions.contains { $0.user == user }
    }

    /// Whether a session of that user was refused, or their account deleted, to the knowledge of anybody.
    func isRefused(_ user: Int) -> Bool {
        refusals.contains { world.server.user(of: $0.token.family) == user } || deletions.contains { $0.user == user }
    }

    /// A process read that an account is deleted.
    func gone(_ user: Int, to process: AppProcess) { deletions.append((user, process.id)) }

    func isGone(_ user: Int, to process: AppProcess) -> Bool { deletions.contains { $0 == (user, process.id) } }

    // MARK: What begins them

    func made(_ family: Int) { births[family] = mark() }

    /// Somebody was told that their sign-in succeeded.
    func reported(_ family: Int) { reported.insert(family) }

    func wasStored(_ family: Int) { stored.insert(family) }

    func hasBeenStored(_ family: Int) -> Bool { stored.contains(family) }

    /// A sign-in was overtaken after it was stored: the session before it is written again.
    func tookBack(to family: Int) { restored.insert(family) }

    func wasTakenBack(to family: Int) -> Bool { restored.contains(family) }

    func keeps(_ token: TokenName) { kept.insert(token) }

    func isKept(_ token: TokenName) -> Bool { kept.contains(token) }

    func births(of family: Int) -> Mark { births[family] ?? 0 }

    func isReported(_ family: Int) -> Bool { reported.contains(family) }
}
