public import AuthStreams

/// The root of an app's screens: the answer to 'who is signed in'.
///
/// | state | screen |
/// | --- | --- |
/// | `restoring` | ``launch`` |
/// | `signedOut`, `signingIn` | ``login``: the screen stays, with the window in which a provider's sheet is shown |
/// | `signedIn` | ``home(_:)`` of the user |
///
/// Steps, the freshness of a session, a refresh and a change of the user's profile change no screen.
public enum RootScreen: Hashable, Sendable {
    /// The launch screen: it is not known yet who is signed in.
    case launch
    /// The log-in screen.
    case login
    /// The first screen of the user with that identifier. What else it shows of the user, such as the name, is state.
    case home(AuthUser.ID)

    /// The screen for a state.
    public init(_ state: AuthState) {
        self =
            switch state {
            case .restoring: .launch
            case .signedOut, .signingIn: .login
            case .signedIn(let user, _): .home(user.id)
            }
    }
}
