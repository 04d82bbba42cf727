import Foundation

extension FirebaseAccounts {
    /// The result of a sign-in with a provider's identity.
    enum IdentityOutcome {
        case signedIn(FirebaseAccount, isNew: Bool)
        /// The address belongs to a user of other providers, and no provider confirms that it is the same person.
        case needsConfirmation(verifiedProviders: [String])
        /// The identity or its address is another user's: the message of the error.
        case conflict(String)
    }

    /// Finds or creates the user of an identity, by the rules of one account per e-mail address.
    ///
    /// | the identity | the address | consequence |
    /// | --- | --- | --- |
    /// | known | any | that user |
    /// | new | free, or none | a new user |
    /// | new | taken, the provider has verified it | joins that user; an unverified user loses the other identities |
    /// | new | taken, not verified | confirmation is needed |
    ///
    /// - Parameter makesUsers: Whether to create a user for a new identity. If not, nothing changes.
    mutating func signIn(
        with identity: FirebaseAccount.Identity, makesUsers: Bool = true, now: Date
    ) throws(IdentityToolkitError) -> IdentityOutcome {
        if var account = account(providerID: identity.providerID, rawID: identity.rawID) {
            guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
            account.adopt(identity)
            account.lastSignInAt = now
            save(account)
            return .signedIn(account, isNew: false)
        }
        guard makesUsers else { throw IdentityToolkitError("USER_NOT_FOUND") }
        if var account = identity.email.flatMap(account(email:)) {
            guard identity.isEmailVerified else {
                return .needsConfirmation(
                    verifiedProviders: account.identities.map(\.providerID)
                        + (account.hasEmailProvider ? ["password"] : []))
            }
            guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
            account.proveEmail()
            account.adopt(identity)
            account.lastSignInAt = now
            save(account)
            return .signedIn(account, isNew: false)
        }
        var account = FirebaseAccount(id: Self.makeID(), now: now)
        account.adopt(identity)
        account.email = identity.email
        account.isEmailVerified = identity.isEmailVerified
        save(account)
        return .signedIn(account, isNew: true)
    }

    /// Adds an identity to a user who is signed in.
    mutating func link(
        _ identity: FirebaseAccount.Identity, to id: String
    ) throws(IdentityToolkitError) -> IdentityOutcome {
        guard var account = self[id] else { throw IdentityToolkitError("USER_NOT_FOUND") }
        if let owner = self.account(providerID: identity.providerID, rawID: identity.rawID), owner.id != id {
            return .conflict("FEDERATED_USER_ID_ALREADY_LINKED")
        }
        if let owner = identity.email.flatMap(self.account(email:)), owner.id != id {
            return .conflict("EMAIL_EXISTS")
        }
        account.adopt(identity)
        if account.email == nil {
            account.email = identity.email
            account.isEmailVerified = identity.isEmailVerified
        }
        save(account)
        return .signedIn(account, isNew: false)
    }

    /// Removes an identity from a user. One that is not linked is no error.
    mutating func unlink(
        _ providerIDs: [String], from id: String
    ) throws(IdentityToolkitError) -> FirebaseAccount {
        guard var account = self[id] else { throw IdentityToolkitError("USER_NOT_FOUND") }
        account.identities.removeAll { providerIDs.contains($0.providerID) }
        if providerIDs.contains("password") { (account.password, account.signsInByMailLink) = (nil, false) }
        save(account)
        return account
    }

    /// Creates a user without any identity.
    mutating func signUpAnonymously(now: Date) -> FirebaseAccount {
        let account = FirebaseAccount(id: Self.makeID(), now: now)
        save(account)
        return account
    }

    /// Finds or creates the user of a custom token.
    mutating func signIn(
        customID id: String, now: Date
    ) throws(IdentityToolkitError) -> (account: FirebaseAccount, isNew: Bool) {
        let known = self[id]
        if known?.isDisabled == true { throw IdentityToolkitError("USER_DISABLED") }
        var account = known ?? FirebaseAccount(id: id, now: now)
        if known == nil { account.isCustom = true }
        account.lastSignInAt = now
        save(account)
        return (account, known == nil)
    }
}

extension FirebaseAccount {
    /// Replaces a provider's earlier data with the newest.
    mutating func adopt(_ identity: Identity) {
        identities.removeAll { $0.providerID == identity.providerID }
        identities.append(identity)
        displayName = displayName ?? identity.displayName
        photoURL = photoURL ?? identity.photoURL
    }
}
