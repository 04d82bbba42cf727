import AuthStreams

/// Something that was asked of a service, and what came of it.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Call: @unchecked Sendable {
    enum Kind: Hashable {
        case signIn(Int)
        case signOut
        case token
        case use
    }

    let kind: Kind
    /// When the service was asked, and who was signed in then. Its task begins some time after the call was made.
    private(set) var begin: Ledger.Mark
    private(set) var user: Int?
    var task: Task<Void, Never>?
    private(set) var results = 0
    private(set) var isOpen = true
    var hasSucceeded = false

    init(_ kind: Kind, _ process: AppProcess) {
        self.kind = kind
        begin = process.world.ledger.mark()
        user = process.conduct.state.number
    }

    /// Its task asks the service now.
    func began(in process: AppProcess) {
        begin = process.world.ledger.mark()
        user = process.weakService?.state.number
    }

    /// A result came.
    func resulted(_ text: @autoclosure () -> String, in process: AppProcess) {
        results += 1
        process.world.note(process, "\(name) ends: \(text())")
        if results > 1 { process.world.broke(.oneResult, "\(name) has a second result.") }
    }

    /// Its task is over.
    func ended(in process: AppProcess) {
        isOpen = false
        if results != 1 { process.world.broke(.oneResult, "\(name) ends with \(results) results.") }
    }

    var isOpenSignIn: Bool { if case .signIn = kind { isOpen } else { false } }

    var name: String {
        switch kind {
        case .signIn(let user): "a sign-in of user \(user)"
        case .signOut: "a sign-out"
        case .token: "a call for a token"
        case .use: "a call with a token"
        }
    }
}
