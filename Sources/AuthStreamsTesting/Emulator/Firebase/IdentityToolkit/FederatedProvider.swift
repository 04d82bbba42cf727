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
            idTokenRules = IDTokenRules(
                issuer: "https://appleid.apple.com",
                audiences: [configuration.apple.servicesID, configuration.apple.bundleID], hashesNonce: true)
            takesAccessTokens = false
        case .google:
            idTokenRules = IDTokenRules(
                issuer: "https://accounts.google.com", audiences: Set(configuration.google.clients.map(\.id)))
            takesAccessTokens = true
        default: return nil
        }
    }
}
