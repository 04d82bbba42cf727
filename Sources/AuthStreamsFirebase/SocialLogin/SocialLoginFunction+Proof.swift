public import AuthStreams
import Foundation

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
        try fields(signInProofs(of: credential.provider), of: credential)
    }

    /// Returns the fields of the revocation function: the proof that can be revoked, or by which the server identifies
    /// the person to unlink.
    func revocationFields(for credential: Credential) throws(AuthError) -> [String: String] {
        try fields(revocationProofs(of: credential.provider), of: credential)
    }

    private func fields(_ proofs: [Proof], of credential: Credential) throws(AuthError) -> [String: String] {
        guard !fieldNames.contains(""), Set(fieldNames).count == fieldNames.count else {
            throw AuthError(
                .misconfigured, "The function's format has an empty field name, or the same one for two fields.",
                provider: credential.provider)
        }
        let found = proofs.lazy.compactMap { fields($0, of: credential) }.first
        guard var fields = found else { throw missing(in: credential) }
        if let provider { fields[provider] = name(of: credential.provider) }
        return fields
    }
}

extension SocialLoginFunction.Format {
    /// A part of a credential that proves who the person is. It is sent with its related values.
    private enum Proof {
        /// The ID token with its nonce, and beside them another proof, if there is one.
        indirect case idToken(NonceRule, beside: Proof? = nil)
        /// The code, with the values that the server repeats when it redeems it.
        case code
        case accessToken
    }

    /// Whether an ID token needs its nonce, if the format names a field for it.
    private enum NonceRule {
        /// Without its nonce the ID token is not sent: it could be a stolen one.
        case required
        /// The nonce is sent if the credential has one.
        case optional
    }

    /// The proofs of a sign-in. The first that the format names and the credential has is sent.
    private func signInProofs(of provider: ProviderID) -> [Proof] {
        switch provider {
        // An access token does not identify the app that it was issued for.
        case .naver: [code == nil ? .accessToken : .code]
        case .kakao: [.idToken(.required, beside: .accessToken), .accessToken]
        default: [.idToken(.optional), .code, .accessToken]
        }
    }

    /// The proofs of a revocation, of which the first is sent as well.
    private func revocationProofs(of provider: ProviderID) -> [Proof] {
        switch provider {
        case .kakao: [.idToken(.required), .accessToken]
        // An ID token cannot be revoked; Apple and Naver take the code's tokens, Google the access token.
        case .apple, .naver: [.code]
        default: [.accessToken, .code]
        }
    }

    /// Returns the fields of a proof; `nil` if the format does not name it or the credential does not have it.
    private func fields(_ proof: Proof, of credential: Credential) -> [String: String]? {
        switch proof {
        case .idToken(let rule, let companion):
            guard let idToken, let token = credential.idToken?.present else { return nil }
            let rawNonce = credential.rawNonce?.present
            if rule == .required, nonce != nil, rawNonce == nil { return nil }
            var fields = companion.flatMap { self.fields($0, of: credential) } ?? [:]
            fields[idToken] = token.reveal()
            if let nonce { fields[nonce] = rawNonce?.reveal() }
            return fields
        case .code:
            guard let code, let given = credential.authorizationCode, !given.code.isEmpty else { return nil }
            var fields = [code: given.code.reveal()]
            if let state { fields[state] = given.state?.present?.reveal() }
            if let redirectURI { fields[redirectURI] = given.redirectURI?.absoluteString }
            if let codeVerifier { fields[codeVerifier] = given.codeVerifier?.present?.reveal() }
            return fields
        case .accessToken:
            guard let accessToken, let token = credential.accessToken?.present else { return nil }
            return [accessToken: token.reveal()]
        }
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
