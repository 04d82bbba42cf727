import AuthStreams

extension AuthState {
    /// Whether a sign-in with that provider is in progress.
    func isSigningIn(with provider: ProviderID) -> Bool {
        if case .signingIn(provider, _) = self { true } else { false }
    }
}
