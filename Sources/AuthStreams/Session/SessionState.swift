import Foundation

/// Which session there is, with the data that only that state has.
package enum SessionState: Hashable, Sendable {
    /// The store was not read yet, and no sign-in or sign-out was decided meanwhile.
    case restoring(RestoreProgress)
    /// No session is present. The reason is that of the last one, until the next sign-in begins.
    case signedOut(SignOutReason?)
    case signedIn(ActiveSession)
}

/// How far the first reading of the store has come.
package enum RestoreProgress: Hashable, Sendable {
    case reading
    case waitingForUnlock
    /// Reading failed. Shown as signed out; a later reading still counts.
    case failing
}

/// What a failure to read the store shows, other than that it is locked.
package enum ReadFailurePolicy: Sendable {
    /// The state is signed out, until a later reading says otherwise.
    case showSignedOut
    /// The state stays as it is: the failure may be transient, and reading is retried.
    case keepRestoring
}

/// The session that is present. An adoptable one has no access token before its first refresh, which adopts it.
package struct ActiveSession: Hashable, Sendable {
    /// What the store is to hold of it.
    package var kept: KeptSession
    /// How long the access token is valid.
    var lifetime: TokenLifetime
    /// Whether the server has confirmed the session since the launch.
    var isConfirmed: Bool
    package var refresh = RefreshState()

    /// Which session it is, and how far it has come.
    package var stage: KeptSession.Stage { kept.stage }
    /// The session with its access token; `nil` before the adoption.
    package var session: AuthSession? { kept.session }
    /// `nil` while it is not known whose adoptable session it is.
    package var user: AuthUser? { kept.user }

    var freshness: AuthState.Freshness {
        refresh.outage.map { .offline(since: $0.since) } ?? (isConfirmed ? .verified : .cached)
    }

    /// Ends an outage: the server has confirmed the session.
    mutating func endOutage() {
        if refresh.outage.take() != nil { isConfirmed = true }
    }
}

/// The refresh of the session.
package struct RefreshState: Hashable, Sendable {
    /// The one under way, for all callers.
    package var operation: RefreshOperation?
    /// The time since the first of the refreshes that failed.
    var outage: Outage?

    /// A time in which refreshes fail.
    package struct Outage: Hashable, Sendable {
        var backoff: Backoff
        let since: Date
        /// Whether no refresh begins without a caller any more, because asking again would not help.
        var isStalled = false
    }
}

extension SessionState {
    /// What readers are shown, unless a sign-in is under way and no user is signed in.
    var shown: AuthState {
        switch self {
        case .restoring(.reading): .restoring(.reading)
        case .restoring(.waitingForUnlock): .restoring(.waitingForUnlock)
        case .restoring(.failing): .signedOut(nil)
        case .signedOut(let reason): .signedOut(reason)
        case .signedIn(let active):
            if let user = active.user {
                .signedIn(user, active.freshness)
            } else {
                active.refresh.outage?.isStalled == true ? .signedOut(nil) : .restoring(.adopting)
            }
        }
    }
}
