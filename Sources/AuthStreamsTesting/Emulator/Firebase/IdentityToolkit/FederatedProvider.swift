import AuthStreams

/// A provider whose ID tokens the project accepts, as configured in its console.
struct FederatedProvider {
    let idTokenVerifier: ServerIDTokenVerifier
    /// Whether production also accepts only an access token.
    let takesAccessTokens: Bool

    /// - Returns: `nil` for a provider that is disabled or unknown.
    init?(_ providerID: String, in configuration: EmulatorConfiguration) {
        let provider = ProviderID(rawValue: providerID)
        guard configuration.firebase.enabledProviders.contains(provider) else { return nil }
        switch provider {
        case .apple:
            idTokenVerifier = .apple(in: configuration)
            takesAccessTokens = false
        case .google:
            idTokenVerifier = .google(in: configuration)
            takesAccessTokens = true
        default: return nil
        }
    }
}
