public import AuthStreams

/// The provider that is asked, and the step that was reached.
public struct AuthProgress: Hashable, Sendable {
    /// The provider.
    public var provider: ProviderID
    /// The step.
    public var step: AuthState.SignInStep

    /// Makes a progress, such as for a preview.
    public init(_ provider: ProviderID, _ step: AuthState.SignInStep) {
        self.provider = provider
        self.step = step
    }

    init?(_ asked: (provider: ProviderID, step: AuthState.SignInStep)?) {
        guard let asked else { return nil }
        self.init(asked.provider, asked.step)
    }
}
