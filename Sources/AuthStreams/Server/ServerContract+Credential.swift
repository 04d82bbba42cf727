import Foundation

extension ServerContract {
    /// Returns the body of a sign-in: the credential's values under this contract's names.
    ///
    /// - Throws: `invalidCredential` if the credential has no proof.
    func body(for credential: Credential) throws(AuthError) -> JSONValue {
        let code = credential.authorizationCode
        let proofs = [credential.idToken, credential.accessToken, code?.code, credential.serverAuthCode]
        guard proofs.contains(where: { $0?.present != nil }) else {
            throw AuthError(
                .invalidCredential, "The credential has no token and no code, so there is nothing to sign in with.")
        }
        let names = self.credential
        var members = Members()
        members.add(names.provider, credential.provider.rawValue)
        members.add(names.idToken, credential.idToken?.reveal())
        members.add(names.nonce, credential.rawNonce?.reveal())
        members.add(names.accessToken, credential.accessToken?.reveal())
        members.add(names.code, code?.code.reveal())
        members.add(names.state, code?.state?.reveal())
        members.add(names.redirectURI, code?.redirectURI?.absoluteString)
        members.add(names.codeVerifier, code?.codeVerifier?.reveal())
        members.add(names.serverAuthCode, credential.serverAuthCode?.reveal())
        members.add(names.userID, credential.userID)
        if let profile = credential.profile, let name = names.profile {
            var told = Members()
            told.add(names.givenName, profile.givenName)
            told.add(names.familyName, profile.familyName)
            told.add(names.email, profile.email)
            if !told.all.isEmpty, members.all[name] == nil { members.all[name] = .object(told.all) }
        }
        return .object(members.all)
    }

    /// Returns the body with a refresh token; empty without one.
    func body(for refreshToken: Secret?) -> JSONValue {
        var members = Members()
        members.add(session.refreshToken, refreshToken?.reveal())
        return .object(members.all)
    }

    /// Returns the body that names a provider.
    func body(for provider: ProviderID) -> JSONValue {
        var members = Members()
        members.add(credential.provider ?? CredentialNames().provider, provider.rawValue)
        return .object(members.all)
    }

    /// The members of a body. Of two with one name the first one stays.
    private struct Members {
        var all: [String: JSONValue] = [:]

        mutating func add(_ name: String?, _ text: String?) {
            guard let name, let text, !text.isEmpty, all[name] == nil else { return }
            all[name] = .string(text)
        }
    }
}
