public import AuthStreams

/// A request of the person to an ``AuthViewModel``.
public enum AuthIntent: Hashable, Sendable {
    /// Sign in with a method.
    case signIn(SignInMethod)
    /// Sign in without an identity.
    case signInAnonymously
    /// Add an identity to the user who is signed in.
    case link(SignInMethod)
    /// Remove an identity from the user who is signed in.
    case unlink(ProviderID)
    /// Prove the identity again; with `nil`, at the provider that the service chooses.
    case reauthenticate(SignInMethod?)
    /// Read the user again from the server.
    case reload
    /// Change the name or the picture.
    case updateProfile(ProfileChanges)
    /// Delete the account; with `nil`, the provider that is asked is the service's choice.
    case deleteAccount(SignInMethod?)
    /// Sign out, on all devices if the value is `true`.
    case signOut(everywhere: Bool)

    /// Whether the person is asked at a provider, so that the intent cannot outlive its screen.
    var asksThePerson: Bool {
        switch self {
        case .signIn, .link, .reauthenticate, .deleteAccount: true
        case .signInAnonymously, .unlink, .reload, .updateProfile, .signOut: false
        }
    }

    /// What its errors name.
    var operation: AuthOperation {
        switch self {
        case .signIn, .signInAnonymously: .signIn
        case .link: .link
        case .unlink: .unlink
        case .reauthenticate: .reauthentication
        case .reload: .reload
        case .updateProfile: .profile
        case .deleteAccount: .deletion
        case .signOut(let everywhere): everywhere ? .signOutEverywhere : .signOut
        }
    }

    /// Whether the service ends what asks the person when this begins.
    var interruptsWhatAsks: Bool {
        switch self {
        case .signInAnonymously, .signOut: true
        default: asksThePerson
        }
    }
}
