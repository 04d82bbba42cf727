import AuthStreams

/// What is known of the whole device beyond doubt: what ended when, and where each session and refresh token has been.
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
        /// Whose record that process had seen last, where nobody was signed in there. Any may be, where it had seen none.
        var seen: Conduct.Reading
        /// Whether it is still to be found out whether anybody is there to sign out.
        var isFindingOut: Bool
        let mark: Mark
        /// `nil` while it is under way.
        var end: Mark?
    }

    /// The server's definite no, as a process read it.
    struct Refusal {
        let token: TokenName
        let code: AuthError.Code
        let process: ProcessID
        /// Whether the answer to an earlier request with the token was lost.
        let isOfResend: Bool
        /// Whether the store said, before the request was noted there, that an answer is owed to the token.
        let isNotedAsResend: Bool
    }

    unowned let world: World
    private var lastMark: Mark = 0
    private(set) var refusals: [Refusal] = []
    private(set) var signOuts: [PersonalSignOut] = []
    /// The accounts that are deleted, and who read it in answer to a request to delete them.
    private var deletions: [(user: Int, process: ProcessID)] = []
    var lineage = Lineage()
    /// In which process the answer to each sign-in was read.
    var origins: [Int: ProcessID] = [:]
    var uses: [TokenName: TokenUse] = [:]
    /// How often any refresh token was sent.
    var refreshCount = 0
    /// Who wrote or removed the record of the session last.
    var lastWriter: ProcessID?
    /// Whether a process died that could not note that what another SDK left is taken up.
    var mayAdoptAgain = false
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
    func signOutBegan(of user: Int?, in process: AppProcess, isFindingOut: Bool = false) -> Int {
        signOuts.append(
            PersonalSignOut(
                process: process.id, user: user, seen: process.conduct.knowledge, isFindingOut: isFindingOut,
                mark: mark()))
        return signOuts.count - 1
    }

    /// It turns out whom a sign-out is of: whose record the process read last.
    func foundOut(_ signOut: Int, in process: AppProcess) {
        signOuts[signOut].seen = process.conduct.lastReading
        signOuts[signOut].isFindingOut = false
    }

    func signOutEnded(_ signOut: Int) { signOuts[signOut].end = mark() }

    func refused(_ token: TokenName, _ code: AuthError.Code, to process: AppProcess) {
        let use = uses[token]
        refusals.append(
            Refusal(
                token: token, code: code, process: process.id, isOfResend: use?.isInDoubt ?? false,
                isNotedAsResend: use?.isNotedAgain ?? false))
    }

    /// Whether something ended that session: the person, in a process that had it, or the server, as a process read it.
    ///
    /// - Parameter isCertain: Whether a sign-out counts only once it is known who is signed out.
    func hasEnded(_ family: Int, isCertain: Bool = false) -> Bool {
        personEnded(family, isCertain) || serverEnded(family)
    }

    private func personEnded(_ family: Int, _ isCertain: Bool) -> Bool {
        let (birth, user) = (lineage.birth(family), world.server.user(of: family))
        return signOuts.contains { signOut in
            guard signOut.end ?? .max > birth, !isCertain || !signOut.isFindingOut else { return false }
            // A sign-in that was under way there is over as well.
            if origins[family] == signOut.process, signOut.mark > birth { return true }
            return signOut.user.map { $0 == user } ?? seen(by: signOut).mayMean(family, in: world)
        }
    }

    private func seen(by signOut: PersonalSignOut) -> Conduct.Reading {
        signOut.isFindingOut ? world.processes[signOut.process].conduct.lastReading : signOut.seen
    }

    private func serverEnded(_ family: Int) -> Bool {
        let user = world.server.user(of: family)
        return refusals.contains { $0.token.family == family } || deletions.contains { $0.user == user }
    }

    /// A process read that an account is deleted.
    func gone(_ user: Int, to process: AppProcess) { deletions.append((user, process.id)) }

    func isGone(_ user: Int, to process: AppProcess) -> Bool { deletions.contains { $0 == (user, process.id) } }

    // MARK: What the store was given

    func keeps(_ token: TokenName) { kept.insert(token) }

    func isKept(_ token: TokenName) -> Bool { kept.contains(token) }
}
