public import Foundation

/// What to tell a person about an ``AuthError``: one sentence per code and provider, for one language.
///
/// A value that the app may change before it asks; nothing is shared and nothing is global.
///
/// ```swift
/// var texts = AuthErrorTexts.preferred()
/// texts[.network] = "You seem to be offline."
/// texts.providerNames[.line] = "LINE"
/// if let sentence = texts.text(for: error) { show(sentence) }
/// ```
///
/// For a third language make one with ``init(_:otherwise:providerNames:silent:)``.
public struct AuthErrorTexts: Hashable, Sendable {
    /// The sentence for each code. A code without one gets ``otherwise``.
    public var sentences: [AuthError.Code: Sentence]
    /// The sentence for codes that have none, such as those an app makes itself.
    public var otherwise: Sentence
    /// How each provider is called. A provider without a name gets the sentence without provider.
    public var providerNames: [ProviderID: String]
    /// The codes that are not shown at all. ``AuthError/isUserCancellation`` unless changed.
    public var silent: Set<AuthError.Code>

    /// Makes the texts of one language.
    ///
    /// - Parameters:
    ///   - sentences: The sentence for each code; ``AuthError/Code/allKnown`` lists them.
    ///   - otherwise: The sentence for codes that have none.
    ///   - providerNames: How each provider is called.
    ///   - silent: The codes that are not shown at all.
    public init(
        _ sentences: [AuthError.Code: Sentence], otherwise: Sentence, providerNames: [ProviderID: String] = [:],
        silent: Set<AuthError.Code> = [.cancelled, .superseded]
    ) {
        self.sentences = sentences
        self.otherwise = otherwise
        self.providerNames = providerNames
        self.silent = silent
    }

    /// The sentence for a code. Setting `nil` takes it back to ``otherwise``.
    public subscript(code: AuthError.Code) -> Sentence? {
        get { sentences[code] }
        set { sentences[code] = newValue }
    }

    /// The sentence to show for an error, or `nil` when there is nothing to tell the person.
    public func text(for error: AuthError) -> String? {
        if silent.contains(error.code) { return nil }
        let sentence = sentences[error.code] ?? otherwise
        guard let provider = error.provider else { return sentence.general }
        if let own = sentence.byProvider[provider] { return own }
        return providerNames[provider].map(sentence.text(naming:)) ?? sentence.general
    }

    /// The standard texts in the first of the languages that they exist in, else in English.
    ///
    /// - Parameter languages: Language tags in order of preference (BCP 47), such as `ko-KR`; the person's unless given.
    public static func preferred(languages: [String] = Locale.preferredLanguages) -> Self {
        for language in languages {
            switch language.lowercased().prefix(while: { $0 != "-" && $0 != "_" }) {
            case "ko": return .korean
            case "en": return .english
            default: continue
            }
        }
        return .english
    }
}

extension AuthErrorTexts {
    /// What is said about one code.
    ///
    /// A literal is said whatever the provider; `{provider}` in the named form stands for the provider's name.
    public struct Sentence: Hashable, Sendable, ExpressibleByStringLiteral {
        /// Said when there is no provider, or one without a name.
        public var general: String
        /// Said when the provider has a name, which takes the place of `{provider}`.
        public var named: String
        /// Said, as it is, about these providers alone.
        public var byProvider: [ProviderID: String]

        /// Makes a sentence.
        ///
        /// - Parameters:
        ///   - general: Said when there is no provider, or one without a name.
        ///   - named: Said when the provider has a name; the same as `general` unless given.
        ///   - byProvider: Said, as it is, about these providers alone.
        public init(_ general: String, named: String? = nil, byProvider: [ProviderID: String] = [:]) {
            self.general = general
            self.named = named ?? general
            self.byProvider = byProvider
        }

        /// A sentence that is the same for every provider.
        public init(stringLiteral value: String) { self.init(value) }

        func text(naming provider: String) -> String { named.replacing("{provider}", with: provider) }
    }
}
