import AuthStreams

/// What a tap on a button with a provider's brand begins.
public enum SignInButtonAction: String, Hashable, Sendable, CaseIterable {
    /// Sign in with the provider.
    case signIn
    /// Link the provider to the user who is signed in.
    case link

    var operation: AuthOperation { self == .link ? .link : .signIn }

    /// What the title says, unless the app chooses.
    var wording: SignInButtonWording { self == .link ? .link : .signIn }
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
