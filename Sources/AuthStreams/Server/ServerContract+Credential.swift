import Foundation

extension ServerContract {
    /// Returns the body of a sign-in: the credential's values under this contract's names. An endpoint whose path names
    /// the provider gets no member for it.
    ///
    /// - Throws: `invalidCredential` if the credential has no proof.
    func body(for credential: Credential, to endpoint: Endpoint) throws(AuthError) -> [String: AuthJSON] {
        let code = credential.authorizationCode
        let proofs = [credential.idToken, credential.accessToken, code?.code, credential.serverAuthCode]
        guard proofs.contains(where: { $0?.present != nil }) else {
            throw AuthError(
                .invalidCredential, "The credential has no token and no code, so there is nothing to sign in with.")
        }
        let names = self.credential
        var members: [String: AuthJSON] = [:]
        if !endpoint.namesProvider { members.add(names.provider, name(of: credential.provider)) }
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
            var told: [String: AuthJSON] = [:]
            told.add(names.givenName, profile.name?.givenName)
            told.add(names.familyName, profile.name?.familyName)
            told.add(names.email, profile.email)
            if !told.isEmpty { members.add(name, .object(told)) }
        }
        return members
    }

    /// Returns the body that names a provider.
    func body(for provider: ProviderID) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = [:]
        members.add(credential.provider ?? CredentialNames().provider, name(of: provider))
        return members
    }

    /// Returns the body with the changes of a profile, under the names of a user. A value that is removed is null.
    func body(for changes: ProfileChanges) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = [:]
        if let change = changes.displayName {
            members.add(user.displayName, change.value.map(AuthJSON.string) ?? .null)
        }
        if let change = changes.photoURL {
            members.add(user.photoURL, change.value.map { .string($0.absoluteString) } ?? .null)
        }
        return members
    }
}

extension [String: AuthJSON] {
    fileprivate mutating func add(_ path: String?, _ text: String?) {
        guard let path, let text, !text.isEmpty else { return }
        add(path, .string(text))
    }
}
