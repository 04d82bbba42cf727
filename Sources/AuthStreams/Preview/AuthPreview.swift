import Foundation

/// The state in which a preview begins; see ``AuthService/preview(_:failing:providers:lastSignIn:answer:)``.
public struct AuthPreview: Hashable, Sendable {
    enum Beginning: Hashable, Sendable {
        case restoring
        case waitingForUnlock
        case signedOut(SignOutReason?)
        case signingIn(ProviderID, AuthState.SignInStep)
        case signedIn(AuthUser, AuthState.Freshness)
    }

    let beginning: Beginning

    /// The user of ``signedIn``.
    public static let user = AuthUser(
        id: "preview", email: "minji@example.com", isEmailVerified: true, displayName: "Minji Kim")

    /// It is not known yet who is signed in, and stays so.
    public static let restoring = Self(beginning: .restoring)
    /// It is not known yet who is signed in, because the device was not unlocked since it was started, and stays so.
    public static let waitingForUnlock = Self(beginning: .waitingForUnlock)
    /// No user is signed in.
    public static let signedOut = Self(beginning: .signedOut(nil))
    /// No user is signed in, because the session expired.
    public static let expired = Self.signedOut(because: .expired)
    /// ``user`` is signed in.
    public static let signedIn = Self.signedIn(as: user)
    /// ``user`` is signed in. The session came from storage, and the server has not confirmed it yet.
    public static let cached = Self.signedIn(as: user, .cached)
    /// ``user`` is signed in, and the server cannot be reached since the preview was made.
    public static var offline: Self { .signedIn(as: user, .offline(since: Date())) }

    /// No user is signed in, because a session ended for a reason.
    public static func signedOut(because reason: SignOutReason) -> Self { Self(beginning: .signedOut(reason)) }

    /// A user is signed in.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - freshness: How recently the server confirmed the session. It stays so until the service is asked for a new token.
    public static func signedIn(as user: AuthUser, _ freshness: AuthState.Freshness = .verified) -> Self {
        Self(beginning: .signedIn(user, freshness))
    }

    /// An attempt with a provider is in progress, and stays so.
    public static func signingIn(
        _ provider: ProviderID, at step: AuthState.SignInStep = .presenting
    ) -> Self {
        Self(beginning: .signingIn(provider, step))
    }
}
