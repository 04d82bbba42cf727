public import Foundation

/// The texts that tell a person about an ``AuthError``: what did not succeed and why, for one language.
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
/// A text has two parts: the sentence of the error's operation, such as 'Your profile could not be saved.', and that of its code,
/// such as 'The server could not be reached.' What the person can do is a third, ``suggestion(for:)``.
///
/// For another language make one with ``init(_:operations:otherwise:suggestions:providerNames:silent:)``.
public struct AuthErrorTexts: Equatable, Sendable {
    /// Why: the sentence for each code. For a code without one, such as an app's own, the text is the operation's alone.
    public var sentences: [AuthError.Code: Sentence]
    /// What did not succeed: the sentence for each operation.
    public var operations: [AuthOperation: Sentence]
    /// The sentence for operations that have none, and for an error without an operation, as the app's own parts make it.
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
    ///   - operations: The sentence for each operation.
    ///   - otherwise: The sentence for operations that have none.
    ///   - suggestions: What the person can do after each kind of error.
    ///   - providerNames: The name of each provider.
    ///   - silent: The codes that are not shown.
    public init(
        _ sentences: [AuthError.Code: Sentence], operations: [AuthOperation: Sentence] = [:], otherwise: Sentence,
        suggestions: [Suggestion: String] = [:], providerNames: [ProviderID: String] = [:],
        silent: Set<AuthError.Code> = [.cancelled, .superseded, .noPasskey]
    ) {
        self.sentences = sentences
        self.operations = operations
        self.otherwise = otherwise
        self.suggestions = suggestions
        self.providerNames = providerNames
        self.silent = silent
    }

    /// The sentence for a code. With `nil` the text is the operation's alone.
    public subscript(code: AuthError.Code) -> Sentence? {
        get { sentences[code] }
        set { sentences[code] = newValue }
    }

    /// The text to show for an error, or `nil` when there is nothing to tell the person.
    public func text(for error: AuthError) -> String? {
        if silent.contains(error.code) { return nil }
        let operation = error.operation.flatMap { operations[$0] } ?? otherwise
        return [operation, sentences[error.code]].compactMap { $0?.text(for: error.provider, in: providerNames) }
            .joined(separator: " ")
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
    /// The sentence for one code or one operation.
    ///
    /// A literal is the same for every provider. `{provider}` in ``named`` stands for the provider's name.
    public struct Sentence: Equatable, Sendable, ExpressibleByStringLiteral {
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

        fileprivate func text(for provider: ProviderID?, in names: [ProviderID: String]) -> String {
            guard let provider else { return general }
            return byProvider[provider] ?? names[provider].map { named.replacing("{provider}", with: $0) } ?? general
        }
    }
}

extension AuthErrorTexts {
    /// What a person can do after an error. New suggestions may be added.
    public struct Suggestion: RawRepresentable, Hashable, Sendable {
        /// The suggestion's name.
        public let rawValue: String

        /// Makes a suggestion.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Try the same again now.
        public static let tryAgain = Self(rawValue: "tryAgain")
        /// Try the same again later.
        public static let tryLater = Self(rawValue: "tryLater")
        /// Check the connection to the internet, then try again.
        public static let checkConnection = Self(rawValue: "checkConnection")
        /// Unlock the device, then try again.
        public static let unlockDevice = Self(rawValue: "unlockDevice")
        /// Set up the passcode, or Face ID or Touch ID, in the settings of the device.
        public static let secureDevice = Self(rawValue: "secureDevice")
        /// Sign in, or sign in again.
        public static let signIn = Self(rawValue: "signIn")
        /// Prove their identity again: ``AuthService/reauthenticate(with:using:_:)``.
        public static let reauthenticate = Self(rawValue: "reauthenticate")
        /// Sign in the way they did before.
        public static let earlierWay = Self(rawValue: "earlierWay")
        /// Sign in another way.
        public static let anotherWay = Self(rawValue: "anotherWay")
        /// Choose another account at the provider.
        public static let anotherAccount = Self(rawValue: "anotherAccount")
        /// Choose the account of the user who is signed in.
        public static let ownAccount = Self(rawValue: "ownAccount")
        /// Add another way to sign in first.
        public static let addAnotherWay = Self(rawValue: "addAnotherWay")
        /// Install the provider's app, or sign in another way.
        public static let installApp = Self(rawValue: "installApp")
        /// Contact the developer of the app.
        public static let contactSupport = Self(rawValue: "contactSupport")

        /// All of the above.
        public static let allKnown: [Self] = [
            .tryAgain, .tryLater, .checkConnection, .unlockDevice, .secureDevice, .signIn, .reauthenticate, .earlierWay,
            .anotherWay,
            .anotherAccount, .ownAccount, .addAnotherWay, .installApp, .contactSupport,
        ]

        /// The suggestion for an error; `nil` for `cancelled`, `superseded` and `noPasskey`, for a sign-out without a user,
        /// and for an app's own code.
        public init?(for error: AuthError) {
            /// Whether the person chooses the provider, and may choose another.
            let hasChoice = [.signIn, .link, .reauthentication].contains(error.operation)
            switch error.code {
            case .abandoned, .timedOut, .invalidCredential, .accessDenied, .stateMismatch, .nonceMismatch,
                .issuerMismatch, .invalidIDToken, .presentationUnavailable, .codeMismatch, .invalidInput:
                self = .tryAgain
            case .server, .rateLimited, .invalidResponse, .invalidCustomToken, .unexpected: self = .tryLater
            case .network: self = .checkConnection
            case .storageLocked: self = .unlockDevice
            case .deviceOwnerUnavailable: self = .secureDevice
            case .notSignedIn where [.signOut, .signOutEverywhere].contains(error.operation): return nil
            case .notSignedIn, .sessionExpired: self = .signIn
            case .requiresRecentSignIn: self = .reauthenticate
            case .accountExists: self = error.operation == .link ? .anotherAccount : .earlierWay
            case .credentialInUse:
                self = [.deletion, .reauthentication].contains(error.operation) ? .ownAccount : .anotherAccount
            case .lastProvider: self = .addAnotherWay
            case .passkeyExists: self = .anotherWay
            case .appUnavailable: self = .installApp
            case .userNotFound: self = hasChoice ? .anotherWay : .signIn
            case .secondFactorRequired, .verificationRequired, .registrationRequired, .additionalStepRequired,
                .unsupportedProvider:
                self = hasChoice ? .anotherWay : .contactSupport
            case .misconfigured, .storage, .userDisabled, .refused: self = .contactSupport
            default: return nil
            }
        }
    }
}
