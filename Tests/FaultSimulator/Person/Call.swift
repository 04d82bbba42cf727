import AuthStreams

/// A call of the service, and its results.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Call: @unchecked Sendable {
    enum Kind: Hashable {
        case signIn(Identity)
        case signInAnonymously
        case signOut
        case signOutEverywhere
        case token(isForced: Bool)
        case use
        case link(Identity)
        case unlink(ProviderID)
        case reauthenticate
        case deleteAccount
        case data(DataKind)
    }

    let kind: Kind
    /// When the service was asked, and who was signed in then. Its task begins some time after the call was made.
    private(set) var begin: Ledger.Mark
    private(set) var user: Int?
    private(set) var time: Milliseconds
    /// Whether who was signed in then had identities of Kakao, and no other.
    private(set) var isAllKakao = false
    /// Names it in a request.
    var number: Ledger.Mark { begin }
    /// Which sign-out of the person it is, once it is one.
    var signOut: Int?
    /// As whom its requests were sent.
    var sentAs: Int?
    /// How many were sent.
    var sends = 0
    var task: Task<Void, Never>?
    private(set) var results = 0
    private(set) var isOpen = true
    /// When it was over.
    private(set) var end: Ledger.Mark?
    /// The session that the server made in answer to it.
    var family: Int?
    /// On behalf of which call a request is sent.
    @TaskLocal static var current: Call?
    var hasSucceeded = false
    var isCancelled = false
    /// Whether the person cancelled a prompt of it.
    var isCancelledByPerson = false
    /// Whether the person cancelled a prompt of it that was answered, which may have cancelled the next one.
    var mayBeCancelledByPerson = false
    /// When the server last wanted a further step for it, and since when it began to.
    var lastStep: Milliseconds?
    var firstStep: Ledger.Mark?
    private(set) var isSuperseded = false

    init(_ kind: Kind, _ process: AppProcess) {
        self.kind = kind
        begin = process.world.ledger.mark()
        time = process.world.now
        user = process.conduct.state.number
    }

    /// Its task asks the service now.
    func began(in process: AppProcess) {
        begin = process.world.ledger.mark()
        time = process.world.now
        let signedIn = process.weakService?.state.user
        user = signedIn?.number
        // A sign-in that is being written came before it.
        if kind == .signOutEverywhere, let next = process.pendingSignIn {
            user = process.world.server.user(of: next.family)
        }
        isAllKakao = signedIn.map { !$0.providers.isEmpty && $0.providers.allSatisfy { $0.id == .kakao } } ?? false
    }

    /// A result came.
    func resulted(_ text: String, in process: AppProcess) {
        results += 1
        isSuperseded = text == AuthError.Code.superseded.rawValue
        process.world.note(process, "\(name) ends: \(text)")
        process.ended(self, text)
        if results > 1 { process.world.broke(.oneResult, "\(name) has a second result.") }
    }

    /// How long it may take: requests of 30 s each and waits of as long for a lock, in a row.
    var timeLimit: Milliseconds {
        switch kind {
        case .token: 200_000
        case .use, .data: 400_000
        default: 900_000
        }
    }

    private var promptLimit: Milliseconds { 600_000 + timeLimit }

    /// Its time limit has come.
    func requireEnd(in process: AppProcess) {
        // Nothing ends in a process that stands still, and who is signed in is not known before the device is unlocked.
        guard isOpen, process.isRunning, process.conduct.lastThaw < time else { return }
        guard process.world.disk.lastUnlock < time, !process.world.disk.isLocked else { return }
        if case .token = kind, process.isChangeAsking(since: time) {
            return process.world.broke(
                .refreshWaitsForNoPerson, "\(name) has not ended, and a change has asked the person all the time.")
        }
        // What a prompt takes is bounded by its own end.
        if let lastStep, lastStep + promptLimit > process.world.now {
            process.world.after(timeLimit, of: process.id) { [self] in requireEnd(in: process) }
            return
        }
        process.world.broke(.endsInTime, "\(name) has not ended after \(timeLimit / 1000) s.")
    }

    /// Its task is over.
    func ended(in process: AppProcess) {
        isOpen = false
        end = process.world.ledger.mark()
        if results != 1 { process.world.broke(.oneResult, "\(name) ends with \(results) results.") }
    }

    var isSignIn: Bool {
        switch kind {
        case .signIn, .signInAnonymously: true
        default: false
        }
    }

    var isData: Bool { if case .data = kind { true } else { false } }

    /// Whether it changes the account and ends with the same user.
    var isChange: Bool {
        switch kind {
        case .link, .unlink, .reauthenticate, .deleteAccount: true
        default: false
        }
    }

    /// Whether the person may be asked for it.
    var asksPerson: Bool { isSignIn || isChange }

    var isSignOut: Bool { kind == .signOut || kind == .signOutEverywhere }

    /// Whether it may bring that user, who was not there before.
    func brings(_ user: Int, to process: AppProcess) -> Bool {
        switch kind {
        case .signIn(let identity): process.world.server.accounts.hasBelonged(identity, to: user)
        case .signInAnonymously: process.conduct.answers[user] != nil
        default: false
        }
    }

    var name: String {
        switch kind {
        case .signIn(let identity): "a sign-in with \(identity)"
        case .signInAnonymously: "an anonymous sign-in"
        case .signOut: "a sign-out"
        case .signOutEverywhere: "a sign-out everywhere"
        case .token: "a call for a token"
        case .use: "a call with a token"
        case .link(let identity): "a link of \(identity)"
        case .unlink(let provider): "an unlinking of \(provider)"
        case .reauthenticate: "a re-authentication"
        case .deleteAccount: "a deletion"
        case .data(let kind): "data call \(number) (\(kind))"
        }
    }
}
