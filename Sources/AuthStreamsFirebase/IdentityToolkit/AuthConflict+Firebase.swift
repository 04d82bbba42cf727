import AuthStreams

extension AuthError {
    /// What kept a 200 from being a sign-in; `nil` where nothing did.
    init?(refusalIn members: [String: JSONValue]) {
        if members["mfaPendingCredential"]?.text != nil {
            self.init(
                .secondFactorRequired,
                "The account has a second factor, which this library does not offer. Sign in with Firebase's SDK.")
        } else if let message = members["errorMessage"]?.text {
            self = IdentityToolkitRefusal(message: message).authError
        } else if members["needConfirmation"]?.lenientBool == true {
            self.init(
                .accountExists,
                "An account with this e-mail has other providers. Sign in with one of those, then link this one.")
        } else {
            return nil
        }
        guard isConflict else { return }
        conflict = AuthConflict(
            email: members["email"]?.text,
            providers: (members["verifiedProvider"]?.array ?? []).compactMap(\.text).map { ProviderID(rawValue: $0) })
        guard let pendingToken = members["pendingToken"]?.text, let provider = members["providerId"]?.text else {
            return
        }
        conflict?.credential = Credential(
            provider: ProviderID(rawValue: provider), pendingToken: Secret(pendingToken))
    }

    var isConflict: Bool { code == .accountExists || code == .credentialInUse }

    /// The same error, with what can still be used of the credential that brought it.
    ///
    /// - Parameter credential: What was taken to the server: its code is used up, or was never sent there. Firebase's own
    ///   pending token goes before it.
    func inConflict(about credential: Credential) -> Self {
        guard isConflict else { return self }
        var error = self
        var usable = credential
        usable.authorizationCode = nil
        usable.serverAuthCode = nil
        if let pendingToken = conflict?.credential?.pendingToken {
            (usable.idToken, usable.rawNonce, usable.accessToken) = (nil, nil, nil)
            usable.pendingToken = pendingToken
        }
        error.conflict = conflict ?? AuthConflict()
        error.conflict?.credential = usable.hasProof ? usable : nil
        return error
    }
}

extension Credential {
    /// What is left once Firebase has looked at it: not an ID token with a nonce, which it takes once.
    var afterFirebase: Credential {
        guard rawNonce?.present != nil else { return self }
        var credential = self
        (credential.idToken, credential.rawNonce) = (nil, nil)
        return credential
    }

    fileprivate var hasProof: Bool { [idToken, accessToken, pendingToken].contains { $0?.present != nil } }
}
