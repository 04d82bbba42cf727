extension ServerContract {
    /// Returns the server's name for a provider.
    func name(of provider: ProviderID) -> String { providerNames[provider] ?? provider.rawValue }

    /// Returns the provider with that name at the server, in any case; one that the contract does not name keeps it.
    func provider(named name: String) -> ProviderID {
        let name = (own: name, lowercased: name.lowercased())
        let known = providerNames.filter { $0.value.lowercased() == name.lowercased }.keys
        return known.min { $0.rawValue < $1.rawValue } ?? ProviderID(rawValue: name.own)
    }
}
