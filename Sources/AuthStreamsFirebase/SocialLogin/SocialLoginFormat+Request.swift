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
