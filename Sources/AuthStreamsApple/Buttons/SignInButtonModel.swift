public import AuthStreams

/// What a button with a provider's brand shows and tells VoiceOver.
///
/// The buttons of SwiftUI and UIKit are drawn from it; an app can draw its own.
public struct SignInButtonModel: Equatable, Sendable {
    /// The provider.
    public var provider: ProviderID
    /// What a tap begins.
    public var action: SignInButtonAction
    /// What the title says.
    public var wording: SignInButtonWording
    /// Whether the provider was used for the last sign-in on this device.
    public var isLastUsed: Bool
    /// Whether an attempt with the provider is in progress.
    public var isInProgress: Bool
    /// The texts in the language of the view.
    public var texts: SignInButtonTexts

    /// Makes a model.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - action: What a tap begins.
    ///   - wording: What the title says; that of the action unless given.
    ///   - isLastUsed: Whether the provider was used for the last sign-in on this device.
    ///   - isInProgress: Whether an attempt with the provider is in progress.
    ///   - texts: The texts in the language of the view.
    public init(
        _ provider: ProviderID, action: SignInButtonAction = .signIn, wording: SignInButtonWording? = nil,
        isLastUsed: Bool = false, isInProgress: Bool = false, texts: SignInButtonTexts
    ) {
        self.provider = provider
        self.action = action
        self.wording = wording ?? action.wording
        self.isLastUsed = isLastUsed
        self.isInProgress = isInProgress
        self.texts = texts
    }

    /// The visible title.
    public var title: String { texts.title(of: provider, wording) }

    /// The visible badge; `nil` for none.
    public var badge: String? { isLastUsed ? texts.lastUsed : nil }

    /// VoiceOver's label. It names the provider also where the title leaves that to the logo, and the link also where the vendor
    /// allows no title for it.
    public var accessibilityLabel: String {
        let label = wording == .short ? texts.title(of: provider) : title
        guard action == .link, wording != .link || !texts.hasLinkTitle(of: provider) else { return label }
        return texts.linkLabel.replacing("{title}", with: label)
    }

    /// VoiceOver's value: the progress, otherwise the badge; `nil` for none.
    public var accessibilityValue: String? {
        guard isInProgress else { return badge }
        return action == .link ? texts.linkInProgress : texts.inProgress
    }
}

extension SignInButtonModel {
    /// The models of a service's buttons, in the order of its providers.
    ///
    /// - Parameters:
    ///   - providers: The providers, such as `AuthService.providers`.
    ///   - lastSignIn: The method of the last sign-in; its provider's button gets the badge.
    ///   - wording: What the titles say.
    ///   - texts: The texts in the language of the view.
    public static func all(
        for providers: [ProviderID], lastSignIn: SignInMethod?, wording: SignInButtonWording = .signIn,
        texts: SignInButtonTexts
    ) -> [Self] {
        providers.map { Self($0, wording: wording, isLastUsed: $0 == lastSignIn?.provider, texts: texts) }
    }
}

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

/// What the title of a button says. A provider that does not allow a wording gets ``signIn``.
public enum SignInButtonWording: String, Hashable, Sendable, CaseIterable {
    /// Sign in with the provider.
    case signIn
    /// Sign up with the provider, for a screen that creates accounts.
    case signUp
    /// Continue with the provider, for a screen that does both.
    case `continue`
    /// Log in, without the provider's name: the logo tells which.
    case short
    /// Link the provider, for ``SignInButtonAction/link``. A provider that does not allow it gets ``continue``.
    case link
}
