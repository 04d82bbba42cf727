import AuthStreams
import Foundation

extension FirebaseAccount {
    /// Checks that a custom token may be made for the user.
    ///
    /// Firebase asks for no second factor at a custom token, so a user who has one would sign in without it.
    func requireCustomTokens() throws(CallableError) {
        guard !isDisabled else { throw .disabled }
        guard !hasSecondFactor else {
            throw CallableError(
                .failedPrecondition, "The account has a second factor.", reason: "SECOND_FACTOR_REQUIRED")
        }
    }
}

extension FirebaseAccounts {
    /// Adds a provider's data to a user's record, without replacing known values; creates the record if necessary.
    ///
    /// An address is stored only if the provider has verified it and no other user has it.
    ///
    /// - Returns: Whether the user is new.
    mutating func record(_ identity: VerifiedIdentity, of uid: String, now: Date) -> Bool {
        let known = self[uid]
        var account = known ?? FirebaseAccount(id: uid, now: now)
        if known == nil { account.isCustom = true }
        account.displayName = account.displayName ?? identity.displayName
        account.photoURL = account.photoURL ?? identity.photoURL
        if account.email == nil, identity.isEmailVerified, let email = identity.email, self.account(email: email) == nil
        {
            account.email = email
            account.isEmailVerified = true
        }
        save(account)
        return known == nil
    }
}

extension CallableError {
    static let disabled = Self(.permissionDenied, "The account is disabled.")
}
