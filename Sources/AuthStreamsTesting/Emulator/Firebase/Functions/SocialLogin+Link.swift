import AuthStreams
import AuthStreamsFirebase

extension SocialLogin {
    /// Links an identity to the caller, and makes a custom token for the caller.
    func customToken(
        linking fields: SocialFields, to call: CallableRequest, in context: EmulatorContext
    ) async throws(CallableError) -> String {
        let caller = try caller(of: call)
        try caller.requireCustomTokens()
        let (identity, now) = (try await identity(of: fields, in: context), context.now)
        try accounts.withLock { (state) throws(CallableError) in
            try state.link(identity.userID, of: fields.provider, to: caller.id)
            _ = state.record(identity, of: caller.id, now: now)
        }
        return customToken(of: caller.id, from: fields.provider, in: context)
    }

    /// Removes an identity from the caller, unless it is the one in the caller's uid.
    func unlink(_ provider: ProviderID, from call: CallableRequest) throws(CallableError) {
        let caller = try caller(of: call).id
        guard !caller.hasPrefix("\(provider):") else {
            throw CallableError(.failedPrecondition, "The identity is the caller's uid, and stays.")
        }
        _ = accounts.withLock { $0.update(caller) { $0.functionIdentities[provider.rawValue] = nil } }
    }

    /// Returns the caller, if their account exists and is not disabled.
    private func caller(of call: CallableRequest) throws(CallableError) -> FirebaseAccount {
        guard let account = call.uid.flatMap({ uid in accounts.withLock { $0[uid] } }) else {
            throw CallableError(.unauthenticated, "No user is signed in, so there is no account to link to.")
        }
        guard !account.isDisabled else { throw .disabled }
        return account
    }
}

extension FirebaseAccounts {
    /// Returns the uid that a function's identity signs in to: that of the user it is linked to, otherwise its own.
    func uid(of identity: String, from provider: ProviderID) -> String {
        all.first { $0.functionIdentities[provider.rawValue] == identity }?.id ?? "\(provider):\(identity)"
    }

    /// Adds a function's identity to a user, unless it is another user's.
    fileprivate mutating func link(
        _ identity: String, of provider: ProviderID, to id: String
    ) throws(CallableError) {
        let owner = uid(of: identity, from: provider)
        guard owner == id || self[owner] == nil else {
            throw CallableError(.alreadyExists, "The identity is another account's.")
        }
        // The uid is this identity already.
        guard id != "\(provider):\(identity)" else { return }
        _ = update(id) { $0.functionIdentities[provider.rawValue] = identity }
    }
}
