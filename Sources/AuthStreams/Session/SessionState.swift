import Foundation

/// Which session there is, with the data that only that state has.
package enum SessionState: Hashable, Sendable {
    /// The store was not read yet, and no sign-in or sign-out was decided meanwhile.
    case restoring(RestoreProgress)
    /// A session of another SDK is present, and the server has not decided about it.
    case migrating(Migration)
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

/// The session of the user who is signed in.
package struct ActiveSession: Hashable, Sendable {
    /// Which session it is, and how far it has come.
    package var stage: KeptSession.Stage
    package var session: Session
    /// How long the access token is valid.
    var lifetime: TokenLifetime
    /// When the tokens were first stored, by the device's clock.
    var savedAt: Date?
    /// Whether the server has confirmed the session since the launch.
    var isConfirmed: Bool
    /// Whether it is one that another SDK left, and that was found at a launch.
    var isFoundAtLaunch = false
    package var isSent = false
    package var refresh = RefreshState.idle

    /// What the store is to hold of it.
    package var kept: KeptSession {
        KeptSession(
            .established(session), at: stage, savedAt: savedAt, isSent: isSent, isFoundAtLaunch: isFoundAtLaunch)
    }

    var freshness: AuthState.Freshness {
        refresh.outage.map { .offline(since: $0.since) } ?? (isConfirmed ? .verified : .cached)
    }

    /// Ends an outage: the server has confirmed the session.
    mutating func endOutage() {
        guard refresh.outage != nil else { return }
        isConfirmed = true
        refresh = refresh.operation.map { .running($0, after: nil) } ?? .idle
    }
}

/// What becomes of the access token.
package enum RefreshState: Hashable, Sendable {
    case idle
    /// The last refresh failed.
    case waiting(Outage)
    /// One refresh for all callers.
    case running(RefreshOperation, after: Outage?)

    /// A time in which refreshes fail.
    package struct Outage: Hashable, Sendable {
        var backoff: RetryPolicy
        let since: Date
    }

    var outage: Outage? {
        switch self {
        case .idle: nil
        case .waiting(let outage): outage
        case .running(_, let outage): outage
        }
    }

    package var operation: RefreshOperation? { if case .running(let operation, _) = self { operation } else { nil } }
}

/// A session of another SDK that is being taken over.
package struct Migration: Hashable, Sendable {
    enum Progress: Hashable, Sendable {
        case asking
        /// The server could not be asked yet.
        case delayed(since: Date, Failure)
        /// No caller asks the server any more, or asking again would not help. Nothing is lost.
        case stalled(since: Date?, Failure?)
    }

    /// Why the last request failed.
    struct Failure: Hashable, Sendable {
        private let error: AuthError
        private let uptime: Duration

        init(_ error: AuthError, at uptime: Duration) {
            // Callers were not cancelled.
            self.error = error.code == .cancelled ? .adopting : error
            self.uptime = uptime
        }

        /// The error for a caller, with the rest of the server's `Retry-After`.
        func error(at now: Duration) -> AuthError {
            var error = error
            error.retryAfter = error.retryAfter.map { $0 - (now - uptime) }.flatMap { $0 > .zero ? $0 : nil }
            return error
        }
    }

    package let stage: KeptSession.Stage
    package let legacy: LegacySession
    let isFoundAtLaunch: Bool
    /// The outcome, which all callers share.
    var outcome = SharedOperation<AuthUser?>()
    package var isSent: Bool
    var progress = Progress.asking

    init(_ legacy: LegacySession, of kept: KeptSession) {
        self.legacy = legacy
        (stage, isFoundAtLaunch, isSent) = (kept.stage, kept.isFoundAtLaunch, kept.isSent)
    }

    /// What the store is to hold of it.
    package var kept: KeptSession {
        KeptSession(.adoptable(legacy), at: stage, isSent: isSent, isFoundAtLaunch: isFoundAtLaunch)
    }

    /// Since when the server could not be asked.
    var delayedSince: Date? {
        switch progress {
        case .asking: nil
        case .delayed(let since, _): since
        case .stalled(let since, _): since
        }
    }

    /// Why the last request failed; `nil` if none has.
    var failure: Failure? {
        switch progress {
        case .asking: nil
        case .delayed(_, let failure): failure
        case .stalled(_, let failure): failure
        }
    }

    var freshness: AuthState.Freshness { delayedSince.map { .offline(since: $0) } ?? .cached }
}

extension SessionState {
    /// What readers are shown, unless a sign-in is under way and no user is signed in.
    var shown: AuthState {
        switch self {
        case .restoring(.reading): .restoring(.reading)
        case .restoring(.waitingForUnlock): .restoring(.waitingForUnlock)
        case .restoring(.failing): .signedOut(nil)
        case .migrating(let migration):
            switch (migration.legacy.user, migration.progress) {
            case (let user?, _): .signedIn(user, migration.freshness)
            case (nil, .stalled): .signedOut(nil)
            case (nil, _): .restoring(.adopting)
            }
        case .signedOut(let reason): .signedOut(reason)
        case .signedIn(let active): .signedIn(active.session.user, active.freshness)
        }
    }
}
