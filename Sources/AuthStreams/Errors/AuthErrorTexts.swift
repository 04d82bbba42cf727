public import Foundation

/// The texts that tell a person about an ``AuthError``: one sentence per code and provider, for one language.
///
/// A value that the app may change before it uses it. A change affects no other value and no global state.
///
/// ```swift
/// var texts = AuthErrorTexts.preferred()
/// texts[.network] = "You seem to be offline."
/// texts.providerNames[.line] = "LINE"
/// if let sentence = texts.text(for: error) { show(sentence) }
/// ```
///
/// For another language make one with ``init(_:otherwise:suggestions:providerNames:silent:)``.
public struct AuthErrorTexts: Hashable, Sendable {
    /// The sentence for each code. A code without one gets ``otherwise``.
    public var sentences: [AuthError.Code: Sentence]
    /// The sentence for codes that have none, such as an app's own.
    public var otherwise: Sentence
    /// What the person can do after each kind of error.
    public var suggestions: [Suggestion: String]
    /// The name of each provider. A provider without a name gets the sentence without provider.
    public var providerNames: [ProviderID: String]
    /// The codes that are not shown: those of ``AuthError/isUserCancellation`` unless changed.
    public var silent: Set<AuthError.Code>

    /// Makes the texts of one language.
    ///
    /// - Parameters:
    ///   - sentences: The sentence for each code; ``AuthError/Code/allKnown`` lists them.
    ///   - otherwise: The sentence for codes that have none.
    ///   - suggestions: What the person can do after each kind of error.
    ///   - providerNames: The name of each provider.
    ///   - silent: The codes that are not shown.
    public init(
        _ sentences: [AuthError.Code: Sentence], otherwise: Sentence, suggestions: [Suggestion: String] = [:],
        providerNames: [ProviderID: String] = [:], silent: Set<AuthError.Code> = [.cancelled, .superseded]
    ) {
        self.suggestions = suggestions
        self.sentences = sentences
        self.otherwise = otherwise
        self.providerNames = providerNames
        self.silent = silent
    }

    /// The sentence for a code. Setting `nil` restores ``otherwise``.
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

    /// What the person can do after an error, or `nil` when there is nothing to tell them.
    public func suggestion(for error: AuthError) -> String? {
        silent.contains(error.code) ? nil : Suggestion(for: error).flatMap { suggestions[$0] }
    }

    /// The standard texts in the first of the languages in which they exist, otherwise in English.
    ///
    /// - Parameter languages: Language tags in order of preference (BCP 47), such as `ko-KR`; the person's unless
    ///   given.
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
    /// The sentence for one code.
    ///
    /// A literal is the same for every provider. `{provider}` in ``named`` stands for the provider's name.
    public struct Sentence: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The sentence without a provider, and for a provider without a name.
        public var general: String
        /// The sentence for a provider with a name, which replaces `{provider}`.
        public var named: String
        /// The sentences for single providers, used as they are.
        public var byProvider: [ProviderID: String]

        /// Makes a sentence.
        ///
        /// - Parameters:
        ///   - general: The sentence without a provider, and for a provider without a name.
        ///   - named: The sentence for a provider with a name; the same as `general` unless given.
        ///   - byProvider: The sentences for single providers, used as they are.
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

extension AuthErrorTexts {
    /// What a person can do after an error.
    public enum Suggestion: Hashable, Sendable, CaseIterable {
        /// Try the same again now.
        case tryAgain
        /// Try the same again later.
        case tryLater
        /// Sign in, or sign in again, first.
        case signIn
        /// Sign in another way.
        case anotherWay
        /// Contact the developer of the app.
        case contactSupport

        /// The suggestion for an error; `nil` for `cancelled` and `superseded`, and for an app's own code.
        public init?(for error: AuthError) {
            switch error.code {
            case .abandoned, .timedOut, .network, .storageLocked, .invalidCredential, .accessDenied, .stateMismatch,
                .nonceMismatch, .issuerMismatch, .invalidIDToken, .presentationUnavailable:
                self = .tryAgain
            case .server, .rateLimited, .invalidResponse, .invalidCustomToken, .unexpected: self = .tryLater
            case .notSignedIn, .sessionExpired, .requiresRecentSignIn: self = .signIn
            case .accountExists, .credentialInUse, .unsupportedProvider, .appUnavailable, .secondFactorRequired,
                .lastProvider, .userNotFound:
                self = .anotherWay
            case .misconfigured, .storage, .userDisabled: self = .contactSupport
            default: return nil
            }
        }
    }
}
