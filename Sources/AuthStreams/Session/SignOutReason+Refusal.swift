extension SignOutReason {
    /// The reason that the server's definite no means, or `nil` for what says nothing about the session.
    ///
    /// `sessionExpired` is told apart by the server's own code where that is one that the contract has, whichever
    /// repository it came from.
    package init?(definiteNo error: AuthError) {
        switch error.code {
        case .userNotFound: self = .deleted
        case .userDisabled: self = .disabled
        case .sessionExpired: self = error.serverCode.flatMap { ServerProblems.endings[$0] } ?? .expired
        default: return nil
        }
    }
}
