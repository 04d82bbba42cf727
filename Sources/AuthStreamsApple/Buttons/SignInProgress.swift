import AuthStreams

/// Tells a button when the progress of a service's attempts may have changed.
///
/// It does not keep the service alive.
struct SignInProgress {
    private let action: SignInButtonAction
    private let states: AuthStates
    private let events: AuthEvents

    init(of action: SignInButtonAction, in auth: AuthService) {
        self.action = action
        states = auth.states
        events = auth.events
    }

    /// Calls a closure whenever `AuthService.isInProgress(_:with:)` may have changed, also by an attempt that another view began: for
    /// the first time at once, and until the task is cancelled or the service is released.
    @MainActor func follow(_ onChange: @MainActor () -> Void) async {
        switch action {
        case .signIn: for await _ in states.latest { onChange() }
        case .link:
            // A link changes no state until it has succeeded. The place among the events is taken before the first call, so that no
            // change is missed.
            var events = events.makeAsyncIterator()
            repeat { onChange() } while await events.next() != nil
        }
    }
}

extension AuthService {
    /// Whether an attempt with that provider is in progress, also one that another view began.
    func isInProgress(_ action: SignInButtonAction, with provider: ProviderID) -> Bool {
        switch action {
        case .signIn: if case .signingIn(provider, _) = state { true } else { false }
        case .link: isLinking(with: provider)
        }
    }
}
