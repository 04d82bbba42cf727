extension SignOutReason {
    /// The reason that the server's definite no means, or `nil` for what says nothing about the session.
    ///
    /// `sessionExpired` is told apart by the server's own code where that is one that the contract has, whichever
    /// repository it came from.
    package init?(definiteNo error: AuthError) {
        switch error.code {
        case .userNotFound: self = .deleted
        case .userDisabled: self = .disabled
        case .sessionExpired:
            self = error.serverCode.flatMap { ServerProblems.endings[$0] ?? Self.firebaseEndings[$0] } ?? .expired
        default: return nil
        }
    }

    /// The reason that the server's definite no to a refresh means.
    ///
    /// - Parameter isRepeat: Whether the answer to an earlier request with the same token was lost. A server that takes such a
    ///   token once refuses it the second time: the refresh was cut off, which does not say that the session had been over.
    init?(definiteNo error: AuthError, toARepeat isRepeat: Bool) {
        self.init(definiteNo: error)
        if isRepeat, self == .expired || self == .revoked { self = .refreshInterrupted }
    }

    /// Firebase's refresh tokens never expire by themselves: its word for it means that the session was revoked, or that
    /// the password or the e-mail address changed.
    private static let firebaseEndings: [String: SignOutReason] = ["TOKEN_EXPIRED": .revoked]
}
