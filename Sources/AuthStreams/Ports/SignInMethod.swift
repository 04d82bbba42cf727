/// A provider and the kind of method by which it asks, as a button, a setting or a back end names them.
///
/// ```swift
/// let method = try SignInMethod(serverValue: "APPLE_SDK")
/// let user = try await auth.signIn(with: method).value.user
/// ```
public struct SignInMethod: Hashable, Sendable, Codable {
    /// The provider.
    public var provider: ProviderID
    /// How it asks; with `nil` the provider chooses.
    public var kind: SignInMethod.Kind?

    /// The names in encoded methods.
    private enum CodingKeys: String, CodingKey {
        case provider
        case kind = "means"
    }

    /// Makes a method.
    public init(_ provider: ProviderID, using kind: SignInMethod.Kind? = nil) {
        self.provider = provider
        self.kind = kind
    }

    /// Makes the method for a back end's name.
    ///
    /// - Parameters:
    ///   - serverValue: The name. An exact match takes precedence over one that differs in case.
    ///   - names: The method for each name; ``standardNames`` unless given.
    /// - Throws: ``AuthError`` with code `unsupportedProvider` for a name that is not among them.
    public init(
        serverValue: String, names: [String: SignInMethod] = SignInMethod.standardNames
    ) throws(AuthError) {
        let spelling = names.keys.sorted().first { $0.lowercased() == serverValue.lowercased() }
        guard let known = names[serverValue] ?? spelling.flatMap({ names[$0] }) else {
            // The name is not repeated: it is untrusted input.
            throw AuthError(
                .unsupportedProvider,
                "The server's name for a sign-in method is none of \(names.keys.sorted().joined(separator: ", ")).")
        }
        self = known
    }

    /// The usual names: a provider alone, or with the suffix `SDK`, `WEB`, `APP` or, for Kakao, `TALK` or `ACCOUNT`.
    ///
    /// Apple's SDK is its sheet. The SDKs of Google, Kakao and Naver choose between their kinds, as the providers here
    /// do: Google's shows a page too.
    public static let standardNames: [String: SignInMethod] = [
        "APPLE": .init(.apple), "APPLE_SDK": .init(.apple, using: .sheet), "APPLE_WEB": .init(.apple, using: .web),
        "GOOGLE": .init(.google), "GOOGLE_SDK": .init(.google), "GOOGLE_APP": .init(.google, using: .app),
        "GOOGLE_WEB": .init(.google, using: .web),
        "KAKAO": .init(.kakao), "KAKAO_SDK": .init(.kakao), "KAKAO_APP": .init(.kakao, using: .app),
        "KAKAO_TALK": .init(.kakao, using: .app), "KAKAO_ACCOUNT": .init(.kakao, using: .web),
        "KAKAO_WEB": .init(.kakao, using: .web),
        "NAVER": .init(.naver), "NAVER_SDK": .init(.naver), "NAVER_APP": .init(.naver, using: .app),
        "NAVER_WEB": .init(.naver, using: .web),
    ]
}

extension SignInMethod: CustomStringConvertible {
    /// The provider, and the kind if one is named.
    public var description: String { kind.map { "\(provider) (\($0))" } ?? provider.rawValue }
}

extension SignInMethod {
    /// How a provider asks the person: the system's sheet, the provider's app, its page, or a code for another device.
    ///
    /// Any string is a valid name, so a provider can have kinds of its own.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
        /// The name.
        public let rawValue: String

        /// Makes a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a name from a literal.
        public init(stringLiteral value: String) {
            rawValue = value
        }

        /// The system's own sheet, such as Apple's.
        public static let sheet: Self = "sheet"
        /// The provider's app: KakaoTalk, Naver.
        public static let app: Self = "app"
        /// The provider's page in the system's browser.
        public static let web: Self = "web"
        /// A code that the person enters on another device (RFC 8628); see ``AuthPrompt/userCode``.
        public static let deviceCode: Self = "device-code"
        /// Asks only if the person can answer at once: the system's sheet with what is on this device, or nothing (immediate
        /// mediation of WebAuthn). For passkeys, at launch.
        public static let immediate: Self = "immediate"
        /// Asks beside the app's own form, without a sheet: passkeys among the suggestions of AutoFill, and a passkey that is made
        /// right after a sign-in by a password (conditional mediation of WebAuthn).
        ///
        /// A sign-in of this kind or of ``immediate`` is shown in the state from the person's answer on. Before that it ends with
        /// `superseded` when another sign-in begins, or another user is signed in.
        public static let conditional: Self = "conditional"
        /// The kind of a provider that has only one.
        public static let standard: Self = "standard"

        /// Whether the person has asked for nothing: the attempt is shown in the state from their answer on.
        var isQuiet: Bool { self == .immediate || self == .conditional }
    }
}

extension SignInMethod.Kind: CustomStringConvertible {
    /// The raw name.
    public var description: String { rawValue }
}
