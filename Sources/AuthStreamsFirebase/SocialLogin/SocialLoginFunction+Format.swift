public import AuthStreams
import Foundation

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
    /// An operation other than a sign-in.
    package enum Action: String, Sendable {
        case link
        case unlink
        case reauthenticate
    }

    /// The place of a custom token in a function's result.
    public struct Answer: Equatable, Sendable {
        let path: [String]

        /// The result is the token.
        public static let string = Self(path: [])

        /// The result is an object with the token as a member, or deeper.
        ///
        /// - Parameter path: The member's name, or the names on the way to it: `.member("data", "token")`.
        public static func member(_ path: String...) -> Self { Self(path: path) }
    }

    /// The names of all fields that the function reads.
    package var fieldNames: [String] {
        [provider, idToken, nonce, accessToken, code, state, redirectURI, codeVerifier, action]
            .compactMap(\.self)
    }

    /// Returns the function's name for a provider.
    package func name(of provider: ProviderID) -> String { providerNames[provider] ?? provider.rawValue }
}

extension SocialLoginFunction.Format {
    /// Returns the function's fields for a credential: the proof that can be bound to this app, and no unnecessary
    /// value.
    ///
    /// Kakao's ID token is sent with the access token, if the credential has one and the format names its field: the
    /// function looks the person up with it, or Kakao unlinks them on the next day.
    ///
    /// The values are the credential's secrets in clear text: pass them to the call and do not keep them.
    ///
    /// - Throws: `AuthError`; `invalidCredential` if the credential has none of the proofs that the format names,
    ///   `misconfigured` if the format has an empty name or one name for two fields.
    public func fields(for credential: Credential) throws(AuthError) -> [String: String] {
        let proof =
            switch credential.provider {
            case .naver: code == nil ? accessTokenFields(credential) : codeFields(credential)
            case .kakao:
                idTokenFields(credential, needsNonce: true)?.merging(accessTokenFields(credential) ?? [:]) { $1 }
                    ?? accessTokenFields(credential)
            default:
                idTokenFields(credential, needsNonce: false) ?? codeFields(credential) ?? accessTokenFields(credential)
            }
        return try fields(proof, of: credential)
    }

    /// Returns the fields of the revocation function: the proof that can be revoked, or by which the server identifies
    /// the person to unlink.
    func revocationFields(for credential: Credential) throws(AuthError) -> [String: String] {
        let proof =
            switch credential.provider {
            case .kakao: idTokenFields(credential, needsNonce: true) ?? accessTokenFields(credential)
            // An ID token cannot be revoked; Apple and Naver take the code's tokens, Google the access token.
            case .apple, .naver: codeFields(credential)
            default: accessTokenFields(credential) ?? codeFields(credential)
            }
        return try fields(proof, of: credential)
    }

    private func fields(
        _ proof: [String: String]?, of credential: Credential
    ) throws(AuthError) -> [String: String] {
        guard !fieldNames.contains(""), Set(fieldNames).count == fieldNames.count else {
            throw AuthError(
                .misconfigured, "The function's format has an empty field name, or the same one for two fields.",
                provider: credential.provider)
        }
        guard var fields = proof else { throw missing(in: credential) }
        if let provider { fields[provider] = name(of: credential.provider) }
        return fields
    }

    private func idTokenFields(_ credential: Credential, needsNonce: Bool) -> [String: String]? {
        guard let idToken, let token = credential.idToken?.present else { return nil }
        var fields = [idToken: token.reveal()]
        guard let nonce else { return fields }
        guard let rawNonce = credential.rawNonce?.present else {
            // Without its nonce an ID token could be a stolen one.
            return needsNonce ? nil : fields
        }
        fields[nonce] = rawNonce.reveal()
        return fields
    }

    private func accessTokenFields(_ credential: Credential) -> [String: String]? {
        guard let accessToken, let token = credential.accessToken?.present else { return nil }
        return [accessToken: token.reveal()]
    }

    /// Returns the code with the values that the server repeats when it redeems it.
    private func codeFields(_ credential: Credential) -> [String: String]? {
        guard let code, let given = credential.authorizationCode, !given.code.isEmpty else { return nil }
        var fields = [code: given.code.reveal()]
        if let state { fields[state] = given.state?.present?.reveal() }
        if let redirectURI { fields[redirectURI] = given.redirectURI?.absoluteString }
        if let codeVerifier { fields[codeVerifier] = given.codeVerifier?.present?.reveal() }
        return fields
    }
}

extension SocialLoginFunction.Format {
    private func missing(in credential: Credential) -> AuthError {
        AuthError(.invalidCredential, explanation(for: credential.provider), provider: credential.provider)
    }

    private func explanation(for provider: ProviderID) -> String {
        switch provider {
        case .naver where code == nil:
            "A Naver credential has a code and no access token, because the secret that redeems it stays on the server. "
                + "Let the function take 'code', 'state' and 'redirectURI', and name them in its format (`.standard` does)."
        case .naver:
            "The Naver credential has no code. Its access token would not do: it names no app, so one of any app would be accepted."
        case .kakao where accessToken == nil:
            "The Kakao credential has no ID token with its nonce, and the function's format names no access token. "
                + "Enable OpenID Connect in the Kakao console, or name 'accessToken' in the format."
        case .kakao where idToken == nil:
            "The Kakao credential has no access token, and the function's format names no ID token."
        case .kakao:
            "The Kakao credential has neither an ID token with its nonce nor an access token."
        default:
            "The credential has none of the tokens and codes that the function's format names."
        }
    }
}

extension SocialLoginFunction.Format {
    /// Reads the custom token from a function's result, as Firebase's SDK returns it (`HTTPSCallableResult.data`).
    ///
    /// - Throws: `AuthError` with code `invalidCustomToken` if there is none at the format's path.
    public func customToken(in result: Any?) throws(AuthError) -> Secret {
        var value = result
        for name in answer.path { value = (value as? [String: Any])?[name] }
        return try customToken(value as? String)
    }

    func customToken(in result: AuthJSON) throws(AuthError) -> Secret {
        try customToken(answer.path.reduce(result) { $0?[$1] }?.string)
    }

    private func customToken(_ text: String?) throws(AuthError) -> Secret {
        guard let text, !text.isEmpty else {
            let place = answer.path.isEmpty ? "is no string" : "has no '\(answer.path.joined(separator: "."))'"
            throw AuthError(
                .invalidCustomToken,
                "The function's result \(place) that is a custom token. Compare the function with the format's answer.")
        }
        return Secret(text)
    }
}

extension SocialLoginFunction.Format.Answer {
    /// Returns a function's result with the token at the format's path.
    package func result(_ token: AuthJSON) -> AuthJSON {
        path.reversed().reduce(token) { .object([$1: $0]) }
    }
}
