import AuthStreams

/// Which content a gate shows in a state.
///
/// It changes when the answer to 'who is signed in' changes: neither the steps of a sign-in nor a refresh replace a view.
enum AuthGateContent: Hashable, Sendable {
    /// It is not known yet who is signed in.
    case launch
    /// No user is signed in. The content stays while one signs in, because the provider's page is shown above it.
    case signedOut
    case signedIn(AuthUser)

    init(_ state: AuthState) {
        self =
            switch state {
            case .restoring: .launch
            case .signedOut, .signingIn: .signedOut
            case .signedIn(let user, _): .signedIn(user)
            }
    }
}
