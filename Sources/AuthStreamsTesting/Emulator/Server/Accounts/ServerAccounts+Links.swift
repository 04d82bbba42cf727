import AuthStreams

extension ServerAccounts {
    /// Adds an identity to a user.
    ///
    /// | the identity | its e-mail address | consequence |
    /// | --- | --- | --- |
    /// | the user's own | any | nothing |
    /// | another user's | any | `credential-in-use` |
    /// | new, beside another of the provider | any | `access-denied`: one identity at each provider |
    /// | new | another user's | `account-exists` |
    /// | new | free, or none | the user has it, and is no longer anonymous |
    mutating func link(_ identity: VerifiedIdentity, to id: String) throws(ServerProblem) -> ServerAccount {
        let account = try active(id)
        if let owner = owner(of: identity) {
            guard owner.id == id else { throw .inUse(identity, by: owner) }
            return account
        }
        guard !account.identities.contains(where: { $0.id == identity.provider }) else {
            throw ServerProblem("access-denied", "The user has another identity at this provider.")
        }
        try checkAddress(of: identity, against: id)
        _ = update(id) { $0.adopt(identity) }
        return try active(id)
    }

    /// Removes an identity from a user. One that is not linked is no error.
    mutating func unlink(_ provider: ProviderID, from id: String) throws(ServerProblem) -> ServerAccount {
        let account = try active(id)
        guard account.identities.contains(where: { $0.id == provider }) else { return account }
        guard account.identities.count > 1 else {
            throw ServerProblem("last-provider", "It is the last identity, and the user could never sign in again.")
        }
        _ = update(id) { account in account.identities.removeAll { $0.id == provider } }
        return try active(id)
    }

    /// Checks that an identity belongs to the user.
    func prove(_ identity: VerifiedIdentity, of id: String) throws(ServerProblem) -> ServerAccount {
        guard let owner = owner(of: identity) else {
            throw ServerProblem("invalid-credential", "The credential is of an identity that the user has not linked.")
        }
        guard owner.id == id else { throw .inUse(identity, by: owner) }
        return try active(id)
    }
}

extension ServerProblem {
    /// The caller could sign in as the identity's user, so the error may name that user's other providers.
    fileprivate static func inUse(_ identity: VerifiedIdentity, by owner: ServerAccount) -> Self {
        ServerProblem(
            "credential-in-use", "The identity belongs to another user.",
            conflict: .init(email: owner.email, providers: owner.identities.map(\.id)))
    }
}
