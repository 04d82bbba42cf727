import AuthStreams

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
