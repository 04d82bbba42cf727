import Foundation

extension ServerContract {
    /// Returns the body of a sign-in: the credential's values under this contract's names. An endpoint whose path names
    /// the provider gets no member for it, nor does one that takes nothing but passwords, addresses for codes, or passkeys.
    ///
    /// - Throws: `invalidCredential` if the credential has no proof, `misconfigured` if a member of the app's own has the name of
    ///   one of these.
    func body(for credential: Credential, to endpoint: Endpoint) throws(AuthError) -> [String: AuthJSON] {
        let code = credential.authorizationCode
        let proofs = [
            credential.idToken, credential.accessToken, code?.code, credential.serverAuthCode, credential.password,
            credential.passkey,
        ]
        let asksForCode = credential.provider == .code && credential.address?.isEmpty == false
        guard proofs.contains(where: { $0?.present != nil }) || asksForCode || !credential.members.isEmpty else {
            throw AuthError(
                .invalidCredential, "The credential has no token and no code, so there is nothing to sign in with.")
        }
        let names = self.credential
        var members: [String: AuthJSON] = [:]
        let ofOneKind = [passwordSignIn, self.code, passkeySignIn, passkeyRegistration]
        let isOwn = credential.provider == .password && endpoint == signUp || ofOneKind.contains(endpoint)
        if !endpoint.namesProvider, !isOwn { members.add(names.provider, name(of: credential.provider)) }
        members.add(names.idToken, credential.idToken?.reveal())
        members.add(names.nonce, credential.rawNonce?.reveal())
        members.add(names.accessToken, credential.accessToken?.reveal())
        members.add(names.code, code?.code.reveal())
        members.add(names.state, code?.state?.reveal())
        members.add(names.redirectURI, code?.redirectURI?.absoluteString)
        members.add(names.codeVerifier, code?.codeVerifier?.reveal())
        members.add(names.serverAuthCode, credential.serverAuthCode?.reveal())
        members.add(names.userID, credential.userID)
        if let address = credential.address { members.addAddress(address, names) }
        members.add(names.password, credential.password?.reveal())
        if let answer = credential.passkey { try members.add(passkey: answer, at: passkey.response) }
        if let profile = credential.profile, let name = names.profile {
            var told: [String: AuthJSON] = [:]
            told.add(names.givenName, profile.name?.givenName)
            told.add(names.familyName, profile.name?.familyName)
            told.add(names.email, profile.email)
            if !told.isEmpty { members.add(name, .object(told)) }
        }
        try members.addOwn(credential.members.mapValues { .string($0.reveal()) })
        return members
    }

    /// Returns the body that names an address.
    func body(for address: String, continueURL: URL? = nil) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = [:]
        members.addAddress(address, credential)
        members.add(credential.continueURL, continueURL?.absoluteString)
        return members
    }

    /// Returns the endpoint of a sign-in.
    ///
    /// - Throws: `unsupportedProvider` if there is none for that provider.
    func signInEndpoint(of provider: ProviderID) throws(AuthError) -> Endpoint {
        switch provider {
        case .password: try Self.endpoint(passwordSignIn, "passwordSignIn")
        case .code: try Self.endpoint(code, "code")
        case .emailLink: try emailLink == nil ? Self.endpoint(nil, "emailLink") : signIn
        case .passkey: try Self.endpoint(passkeySignIn, "passkeySignIn")
        default: signIn
        }
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
    fileprivate mutating func addAddress(_ address: String, _ names: ServerContract.CredentialNames) {
        add(address.contains("@") ? names.emailAddress : names.phoneNumber, address)
    }

    /// Adds members of the app's own or of a form, by their paths.
    ///
    /// - Throws: `misconfigured` if one has the name of another.
    mutating func addOwn(_ members: [String: AuthJSON]) throws(AuthError) {
        for (path, value) in members.sorted(by: { $0.key < $1.key }) {
            let isTaken = path.isEmpty || AuthJSON.object(self).member(at: path) != nil
            add(path, value)
            guard !isTaken, AuthJSON.object(self).member(at: path) == value else {
                throw AuthError(
                    .misconfigured,
                    "The member '\(path)' is one of the contract's own, so nothing was sent. Give it another name.")
            }
        }
    }

    mutating func add(_ path: String?, _ text: String?) {
        guard let path, let text, !text.isEmpty else { return }
        add(path, .string(text))
    }
}
