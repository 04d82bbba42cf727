public import AuthStreams

extension SocialLoginFunction {
    /// How a function is spoken to: the fields it reads, the names it has for providers, and where its answer has the token.
    ///
    /// ```swift
    /// .customToken(function: "login", region: .seoul, format: .accessToken(providers: [.kakao: "KAKAO"], answer: .member("token")))
    /// ```
    ///
    /// A field without a name (`nil`) is one that the function does not read, so it is never sent. Of what a credential has,
    /// one proof travels and what belongs to it: the ID token with its nonce, the code with what is repeated when it is
    /// redeemed, or the access token. Kakao's ID token takes the access token along, with which the function looks the person
    /// up.
    ///
    /// | provider | proof, the first that the format names and the credential has |
    /// | --- | --- |
    /// | Naver | the code; an access token only where the format names no code, for it says nothing about the app it is for |
    /// | Kakao | the ID token, with its nonce where the format names one, and the access token beside it; the access token |
    /// | others | the ID token; the code; the access token |
    public struct Format: Hashable, Sendable {
        /// The field with the provider's name.
        public var provider: String? = "provider"
        /// The field with the ID token.
        public var idToken: String? = "idToken"
        /// The field with the nonce before any hashing. Unnamed, an ID token travels without: then a token that somebody
        /// picked up is as good as a fresh one.
        public var nonce: String? = "nonce"
        /// The field with the provider's access token.
        public var accessToken: String? = "accessToken"
        /// The field with the authorization code.
        public var code: String? = "code"
        /// The field with the `state` of the code's request, which Naver wants again.
        public var state: String? = "state"
        /// The field with the redirect URI of the code's request (RFC 6749 section 4.1.3).
        public var redirectURI: String? = "redirectURI"
        /// The field with the PKCE verifier (RFC 7636 section 4.5).
        public var codeVerifier: String? = "codeVerifier"
        /// The field that says `link` or `unlink`, for a function that adds identities to its caller and takes them away, or
        /// `reauthenticate`, at which it creates no user; a sign-in has none. Unnamed, the function links nothing.
        public var action: String? = "action"
        /// What the function calls a provider, such as `KAKAO`; one that is not here goes by its identifier.
        public var providerNames: [ProviderID: String] = [:]
        /// How the function is spoken to: as a callable one, or as a plain HTTP function with the same fields and the same answer.
        public var framing = CallableFunctions.Framing.callable
        /// Where the custom token is in the function's result.
        public var answer: Answer = .member("customToken")

        /// Makes the standard format, to be changed where a function has other names.
        public init() {}

        /// What <doc:SocialLogin> describes: `{provider, idToken, nonce, accessToken}`, `{provider, accessToken}` or
        /// `{provider, code, state, redirectURI}`, and the result `{customToken}`.
        public static let standard = Self()

        /// `{provider, accessToken}` and the result `{customToken}`.
        ///
        /// The function has to ask Kakao which app the token is for (`app_id`): another app's token is as good there.
        /// A credential of this library's Naver provider has a code and no access token, so it ends with
        /// `invalidCredential`.
        public static let accessToken = accessToken()

        /// `{provider, accessToken}` with names of your own.
        ///
        /// - Parameters:
        ///   - providers: What the function calls the providers; the others go by their identifiers.
        ///   - answer: Where the custom token is in the result.
        ///   - framing: How the function is spoken to.
        public static func accessToken(
            providers: [ProviderID: String] = [:], answer: Answer = .member("customToken"),
            framing: CallableFunctions.Framing = .callable
        ) -> Self {
            var format = Self()
            format.framing = framing
            format.idToken = nil
            format.nonce = nil
            format.code = nil
            format.state = nil
            format.redirectURI = nil
            format.codeVerifier = nil
            format.action = nil
            format.providerNames = providers
            format.answer = answer
            return format
        }
    }
}

extension SocialLoginFunction.Format {
    /// What a function is to do for its caller, beside signing in.
    package enum Action: String, Sendable {
        case link
        case unlink
        case reauthenticate
    }

    /// Where a custom token is in a function's result.
    public struct Answer: Hashable, Sendable {
        let path: [String]

        /// The result is the token.
        public static let string = Self(path: [])

        /// The result is an object that has the token as a member, or further down.
        ///
        /// - Parameter path: The member's name, or the names on the way to it: `.member("data", "token")`.
        public static func member(_ path: String...) -> Self { Self(path: path) }
    }

    /// Every field that the function reads.
    package var fieldNames: [String] {
        [provider, idToken, nonce, accessToken, code, state, redirectURI, codeVerifier, action]
            .compactMap(\.self)
    }

    /// What the function calls a provider.
    package func name(of provider: ProviderID) -> String { providerNames[provider] ?? provider.rawValue }
}
