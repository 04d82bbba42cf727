public import AuthStreams
public import Foundation

/// The texts of sign-in buttons in one language.
///
/// A view takes them by its own locale, so that several languages can be shown at the same time.
public struct SignInButtonTexts: Equatable, Sendable {
    /// The titles that each provider allows.
    public var titles: [ProviderID: [SignInButtonWording: String]]
    /// The title for a provider that has none above. `{provider}` stands for its name.
    public var otherwise: String
    /// The title of a link for a provider that has none above. `{provider}` stands for its name.
    public var otherwiseLink: String
    /// The names of providers that have no titles above; a provider without a name is shown by its identifier.
    public var providerNames: [ProviderID: String]
    /// The badge on the provider that was used last.
    public var lastUsed: String
    /// What VoiceOver says of a button whose sign-in is in progress.
    public var inProgress: String
    /// What VoiceOver says of a button whose link is in progress.
    public var linkInProgress: String
    /// VoiceOver's label for a button that links under a title which does not say so. `{title}` stands for the title.
    public var linkLabel: String

    /// Makes the texts of one language.
    ///
    /// - Parameters:
    ///   - titles: The titles that each provider allows.
    ///   - otherwise: The title for other providers, with `{provider}` for the name.
    ///   - otherwiseLink: The title of a link for other providers, with `{provider}` for the name.
    ///   - providerNames: The names of other providers.
    ///   - lastUsed: The badge on the provider that was used last.
    ///   - inProgress: What VoiceOver says of a button whose sign-in is in progress.
    ///   - linkInProgress: What VoiceOver says of a button whose link is in progress.
    ///   - linkLabel: VoiceOver's label for a button that links under a title which does not say so, with `{title}` for the title.
    public init(
        titles: [ProviderID: [SignInButtonWording: String]], otherwise: String, otherwiseLink: String,
        providerNames: [ProviderID: String] = [:], lastUsed: String, inProgress: String, linkInProgress: String,
        linkLabel: String
    ) {
        self.titles = titles
        self.otherwise = otherwise
        self.otherwiseLink = otherwiseLink
        self.providerNames = providerNames
        self.lastUsed = lastUsed
        self.inProgress = inProgress
        self.linkInProgress = linkInProgress
        self.linkLabel = linkLabel
    }

    /// The title of a button.
    public func title(of provider: ProviderID, _ wording: SignInButtonWording = .signIn) -> String {
        allowedTitle(of: provider, wording)
            ?? (wording == .link ? otherwiseLink : otherwise)
            .replacing("{provider}", with: providerNames[provider] ?? provider.rawValue)
    }

    /// The title among those that the provider allows; `nil` where there are none.
    private func allowedTitle(of provider: ProviderID, _ wording: SignInButtonWording) -> String? {
        guard let allowed = titles[provider] else { return nil }
        return allowed[wording] ?? (wording == .link ? allowed[.continue] : nil) ?? allowed[.signIn]
    }

    /// Whether the title with ``SignInButtonWording/link`` says that the provider is linked.
    func hasLinkTitle(of provider: ProviderID) -> Bool {
        titles[provider]?[.link] != nil || allowedTitle(of: provider, .link) == nil
    }

    /// The standard texts for the language of a locale: Korean, otherwise English.
    public static func standard(for locale: Locale) -> Self {
        locale.language.languageCode?.identifier == "ko" ? .korean : .english
    }
}
