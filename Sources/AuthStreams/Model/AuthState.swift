public import Foundation

/// Who is signed in, as every screen may follow it.
///
/// ```
/// launch ── restoring ──┬── signedOut ── signingIn ──┬── signedIn ── signedOut
///                       └── signedIn                 └── signedOut (as before the attempt)
/// ```
public enum AuthState: Hashable, Sendable {
    /// Storage has not been read yet, so nobody knows. Show a splash screen, never the log-in screen. A store that fails once or
    /// twice at launch leaves it at that for some seconds.
    case restoring(Restoring)
    /// No user is signed in. The reason is shown until the next attempt begins. It is `nil` after that, when storage was
    /// empty, and while it has failed from the launch on for
    /// more than some seconds: then it is read again by itself, and who is found in it is signed in after all.
    case signedOut(SignOutReason?)
    /// Nobody is signed in yet, and an attempt with that provider is under way.
    case signingIn(ProviderID, SignInStep)
    /// Somebody is signed in. A further sign-in, a link or a deletion keeps this state until it is decided.
    case signedIn(AuthUser, Freshness)

    /// Who is signed in, if anybody is.
    public var user: AuthUser? {
        if case .signedIn(let user, _) = self { user } else { nil }
    }

    /// Why the state is not known yet.
    public enum Restoring: String, Hashable, Sendable, Codable {
        /// Storage is being read.
        case reading
        /// Storage is locked until the person unlocks the device. 'Cannot read' is not 'empty'.
        case waitingForUnlock
        /// A session that another SDK left is being taken over, and the server has not said yet whose it is.
        case adopting
    }

    /// The progress of a sign-in that a person can see.
    public enum SignInStep: String, Hashable, Sendable, Codable {
        /// A page or sheet is being shown.
        case presenting
        /// Another app was opened and has not answered yet.
        case waitingForOtherApp
        /// The provider said yes, and its answer is being redeemed.
        case exchanging
        /// The server is making a session of it.
        case establishingSession
    }

    /// How recently the server confirmed the session.
    public enum Freshness: Hashable, Sendable, Codable {
        /// The server confirmed it in this process.
        case verified
        /// It came from storage and is not confirmed yet.
        case cached
        /// Confirming it has been failing since then.
        case offline(since: Date)
    }
}

/// Why nobody is signed in any more.
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
    /// Another process of the app ended the session.
    case elsewhere
}

extension AuthState: CustomStringConvertible {
    /// The state in one line, such as `signedOut(revoked)` or `signedIn(user-1, cached)`. A user is named by the identifier.
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
