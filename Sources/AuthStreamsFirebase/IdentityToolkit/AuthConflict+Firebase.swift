import AuthStreams

extension AuthError {
    /// Reads the conflict, or the question for a second factor, of a 200 that is not a sign-in; `nil` if there is none.
    ///
    /// - Parameter request: The request, whose texts the message of a function may quote.
    init?(refusalIn members: [String: AuthJSON], to request: AuthHTTPRequest) {
        if let question = AuthError(secondFactorIn: members) {
            self = question
        } else if let message = members["errorMessage"]?.text {
            self = IdentityToolkitRefusal(message: message, to: request).authError
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

    /// Returns the same error, with the reusable parts of the credential that caused it.
    ///
    /// - Parameter credential: The credential of the attempt. Its code is used up, or was never sent. Firebase's own
    ///   pending token takes precedence.
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
    /// The credential without an ID token that has a nonce, which Firebase accepts only once.
    var afterFirebase: Credential {
        guard rawNonce?.present != nil else { return self }
        var credential = self
        (credential.idToken, credential.rawNonce) = (nil, nil)
        return credential
    }

    fileprivate var hasProof: Bool { [idToken, accessToken, pendingToken].contains { $0?.present != nil } }
}
