public import AuthStreams
public import Foundation

/// The texts of sign-in buttons in one language.
///
/// A view takes them by its own locale, so that several languages can be shown at the same time.
public struct SignInButtonTexts: Hashable, Sendable {
    /// The titles that each provider allows.
    public var titles: [ProviderID: [SignInButtonWording: String]]
    /// The title for a provider that has none above. `{provider}` stands for its name.
    public var otherwise: String
    /// The names of providers that have no titles above; a provider without a name is shown by its identifier.
    public var providerNames: [ProviderID: String]
    /// The badge on the provider that was used last.
    public var lastUsed: String
    /// What VoiceOver says of a button whose attempt is in progress.
    public var inProgress: String

    /// Makes the texts of one language.
    ///
    /// - Parameters:
    ///   - titles: The titles that each provider allows.
    ///   - otherwise: The title for other providers, with `{provider}` for the name.
    ///   - providerNames: The names of other providers.
    ///   - lastUsed: The badge on the provider that was used last.
    ///   - inProgress: What VoiceOver says of a button whose attempt is in progress.
    public init(
        titles: [ProviderID: [SignInButtonWording: String]], otherwise: String,
        providerNames: [ProviderID: String] = [:], lastUsed: String, inProgress: String
    ) {
        self.titles = titles
        self.otherwise = otherwise
        self.providerNames = providerNames
        self.lastUsed = lastUsed
        self.inProgress = inProgress
    }

    /// The title of a button.
    public func title(of provider: ProviderID, _ wording: SignInButtonWording = .signIn) -> String {
        if let allowed = titles[provider], let title = allowed[wording] ?? allowed[.signIn] { return title }
        return otherwise.replacing("{provider}", with: providerNames[provider] ?? provider.rawValue)
    }

    /// The standard texts for the language of a locale: Korean, otherwise English.
    public static func standard(for locale: Locale) -> Self {
        locale.language.languageCode?.identifier == "ko" ? .korean : .english
    }
}
