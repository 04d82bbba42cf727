public import Foundation

/// The sign-in state, which any number of screens may follow.
///
/// ```
/// launch ── restoring ──┬── signedOut ── signingIn ──┬── signedIn ── signedOut
///                       └── signedIn                 └── signedOut (as before the attempt)
/// ```
public enum AuthState: Hashable, Sendable {
    /// The user is not known yet, because storage was not read or a session of another SDK is being adopted; or the person has
    /// not passed the service's ``SessionGate`` yet. Show a splash
    /// screen, never the log-in screen. If the store fails once or twice at launch, the state stays `restoring` for some
    /// seconds.
    case restoring(Restoring)
    /// No user is signed in. The reason is present until the next attempt begins. It is `nil`:
    /// - after that, if storage was empty, and after a sign-out before storage was read
    /// - if storage has failed since launch for more than some seconds. Storage is read again automatically, and a user
    ///   found there is signed in
    /// - if the adoption of a session whose user is not known has stopped before the server answered. It resumes when
    ///   a caller needs the session, or at the next launch
    case signedOut(SignOutReason?)
    /// No user is signed in, and an attempt with that provider is in progress.
    case signingIn(ProviderID, SignInStep)
    /// A user is signed in. A further sign-in, a link or a deletion keeps this state until it is decided.
    case signedIn(AuthUser, Freshness)

    /// The user who is signed in, if any.
    public var user: AuthUser? {
        if case .signedIn(let user, _) = self { user } else { nil }
    }

    /// Why the state is not known yet.
    public enum Restoring: String, Hashable, Sendable, Codable {
        /// Storage is being read.
        case reading
        /// Storage is locked until the person unlocks the device. 'Cannot read' is not 'empty'.
        case waitingForUnlock
        /// A session of another SDK is being adopted, and the server has not identified its user yet.
        case adopting
        /// Storage holds a session, and its ``SessionGate`` has not passed yet. The launch screen may offer to ask once more
        /// (``AuthService/openGate()``), to sign in as another person, and to sign out.
        case waitingForPerson
    }

    /// The progress of a sign-in that a person can see.
    public enum SignInStep: String, Hashable, Sendable, Codable {
        /// A page or sheet is being shown.
        case presenting
        /// Another app was opened and has not answered yet.
        case waitingForOtherApp
        /// The provider granted access, and its answer is being redeemed.
        case exchanging
        /// The server is creating a session.
        case establishingSession
        /// The server wants a further step, which the person is asked for by a prompt; see ``AuthService/prompts``.
        case waitingForAnswer
    }

    /// How recently the server confirmed the session.
    public enum Freshness: Hashable, Sendable, Codable {
        /// The server confirmed it in this process.
        case verified
        /// The session came from storage and is not confirmed yet.
        case cached
        /// Attempts to confirm it have failed since this date.
        case offline(since: Date)
    }
}

/// Why the user was signed out.
public enum SignOutReason: String, Hashable, Sendable, Codable {
    /// The person signed out.
    case user
    /// The server revoked the session.
    case revoked
    /// The session expired and could not be renewed.
    case expired
    /// The server disabled the account.
    case disabled
    /// The account was deleted.
    case deleted
    /// The person withdrew the app's access at the provider.
    case revokedAtProvider
    /// A refresh was cut off, and the server refused to repeat it.
    case refreshInterrupted
    /// The key that the session's tokens are bound to is gone (RFC 9449), such as after the device was restored.
    case keyLost
    /// Another process of the app ended the session, or the record that it had written last is damaged.
    case elsewhere
}

extension AuthState: CustomStringConvertible {
    /// The state in one line, such as `signedOut(revoked)` or `signedIn(user-1, cached)`. A user is shown by
    /// identifier.
    public var description: String {
        switch self {
        case .restoring(let restoring): "restoring(\(restoring))"
        case .signedOut(let reason): reason.map { "signedOut(\($0))" } ?? "signedOut"
        case .signingIn(let provider, let step): "signingIn(\(provider), \(step))"
        case .signedIn(let user, let freshness): "signedIn(\(user.id), \(freshness))"
        }
    }
}

extension AuthState.Freshness: CustomStringConvertible {
    /// The freshness in one word, with the time (ISO 8601) where there is one.
    public var description: String {
        switch self {
        case .verified: "verified"
        case .cached: "cached"
        case .offline(let since): "offline since \(since.formatted(.iso8601))"
        }
    }
}
