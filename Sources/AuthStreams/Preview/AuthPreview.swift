/// The state in which a preview begins; see ``AuthService/preview(_:failing:providers:lastSignIn:)``.
public struct AuthPreview: Hashable, Sendable {
    enum Beginning: Hashable, Sendable {
        case restoring
        case signedOut
        case signingIn(ProviderID, AuthState.SignInStep)
        case signedIn(AuthUser)
    }

    let beginning: Beginning

    /// The user of ``signedIn``.
    public static let user = AuthUser(
        id: "preview", email: "minji@example.com", isEmailVerified: true, displayName: "Minji Kim")

    /// It is not known yet who is signed in, and stays so.
    public static let restoring = Self(beginning: .restoring)
    /// No user is signed in.
    public static let signedOut = Self(beginning: .signedOut)
    /// ``user`` is signed in.
    public static let signedIn = Self.signedIn(as: user)

    /// A user is signed in.
    public static func signedIn(as user: AuthUser) -> Self { Self(beginning: .signedIn(user)) }

    /// An attempt with a provider is in progress, and stays so.
    public static func signingIn(
        _ provider: ProviderID, at step: AuthState.SignInStep = .presenting
    ) -> Self {
        Self(beginning: .signingIn(provider, step))
    }
}
