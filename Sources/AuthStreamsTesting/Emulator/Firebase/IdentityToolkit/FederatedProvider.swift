import AuthStreams

/// A provider whose ID tokens the project takes, as its console has it.
struct FederatedProvider {
    let idTokenRules: IDTokenRules
    /// Whether production also takes an access token alone.
    let takesAccessTokens: Bool

    /// - Returns: `nil` for a provider that is not enabled or not known.
    init?(_ providerID: String, in configuration: EmulatorConfiguration) {
        let provider = ProviderID(rawValue: providerID)
        guard configuration.firebase.enabledProviders.contains(provider) else { return nil }
        switch provider {
        case .apple:
            idTokenRules = .apple(in: configuration)
            takesAccessTokens = false
        case .google:
            idTokenRules = .google(in: configuration)
            takesAccessTokens = true
        default: return nil
        }
    }
}
