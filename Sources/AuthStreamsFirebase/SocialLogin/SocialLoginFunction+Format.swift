public import AuthStreams

extension SocialLoginFunction {
    /// The format of a function: the fields it reads, its names for providers, and the place of the token in its
    /// answer.
    ///
    /// ```swift
    /// .customToken(function: "login", region: .seoul, format: .accessToken(providers: [.kakao: "KAKAO"], answer: .member("token")))
    /// ```
    ///
    /// A field without a name (`nil`) is one that the function does not read, so it is never sent. One proof of a
    /// credential is sent with its related values: the ID token with its nonce, the code with the values that are
    /// repeated when it is redeemed, or the access token. Kakao's ID token is sent with the access token, with which
    /// the function looks the person up.
    ///
    /// | provider | proof, the first that the format names and the credential has |
    /// | --- | --- |
    /// | Naver | the code; an access token only if the format names no code, because it does not identify the app it was issued for |
    /// | Kakao | the ID token, with its nonce where the format names one, and the access token beside it; the access token |
    /// | others | the ID token; the code; the access token |
    public struct Format: Equatable, Sendable {
        /// The field with the provider's name.
        public var provider: String? = "provider"
        /// The field with the ID token.
        public var idToken: String? = "idToken"
        /// The field with the nonce before any hashing. Without a name, an ID token is sent without it: a stolen token
        /// then works like a fresh one.
        public var nonce: String? = "nonce"
        /// The field with the provider's access token.
        public var accessToken: String? = "accessToken"
        /// The field with the authorization code.
        public var code: String? = "code"
        /// The field with the `state` of the code's request, which Naver requires again.
        public var state: String? = "state"
        /// The field with the redirect URI of the code's request (RFC 6749 section 4.1.3).
        public var redirectURI: String? = "redirectURI"
        /// The field with the PKCE verifier (RFC 7636 section 4.5).
        public var codeVerifier: String? = "codeVerifier"
        /// The field with `link` or `unlink`, for a function that adds identities to its caller and removes them, or
        /// `reauthenticate`, at which it creates no user; a sign-in has none. Without a name, the function does not
        /// link.
        public var action: String? = "action"
        /// The function's names for providers, such as `KAKAO`; a provider without one is sent by its identifier.
        public var providerNames: [ProviderID: String] = [:]
        /// The framing: a callable function, or a plain HTTP function with the same fields and the same answer.
        public var framing = CallableFunctions.Framing.callable
        /// The place of the custom token in the function's result.
        public var answer: Answer = .member("customToken")

        /// Makes the standard format.
        package init() {}

        /// The format of <doc:SocialLogin>: `{provider, idToken, nonce, accessToken}`, `{provider, accessToken}` or
        /// `{provider, code, state, redirectURI}`, and the result `{customToken}`. Change a copy of it where a function has
        /// other names.
        public static let standard = Self()

        /// `{provider, accessToken}` and the result `{customToken}`.
        package static let accessToken = accessToken()

        /// `{provider, accessToken}` and the result `{customToken}`, or names of your own.
        ///
        /// The function has to ask Kakao for the app of the token (`app_id`): another app's token is accepted
        /// otherwise. A credential of this library's Naver provider has a code and no access token, so it ends with
        /// `invalidCredential`.
        ///
        /// - Parameters:
        ///   - providers: The function's names for providers; the others are sent by their identifiers.
        ///   - answer: The place of the custom token in the result.
        ///   - framing: A callable or a plain HTTP function.
        public static func accessToken(
            providers: [ProviderID: String] = [:], answer: Answer = .member("customToken"),
            framing: CallableFunctions.Framing = .callable
        ) -> Self {
            var format = Self()
            format.framing = framing
            for unread in [\Self.idToken, \.nonce, \.code, \.state, \.redirectURI, \.codeVerifier, \.action] {
                format[keyPath: unread] = nil
            }
            format.providerNames = providers
            format.answer = answer
            return format
        }
    }
}

extension SocialLoginFunction.Format {
    /// An operation other than a sign-in.
    package enum Action: String, Sendable {
        case link
        case unlink
        case reauthenticate
    }

    /// The names of all fields that the function reads.
    package var fieldNames: [String] {
        [provider, idToken, nonce, accessToken, code, state, redirectURI, codeVerifier, action]
            .compactMap(\.self)
    }

    /// Returns the function's name for a provider.
    package func name(of provider: ProviderID) -> String { providerNames[provider] ?? provider.rawValue }
}
