import AuthStreams
import Foundation

extension FirebaseAccounts {
    mutating func signUp(
        email: String, password: String, name: String?, linkingTo id: String?, now: Date
    ) throws(IdentityToolkitError) -> FirebaseAccount {
        if let owner = account(email: email), owner.id != id { throw IdentityToolkitError("EMAIL_EXISTS") }
        var account = id.flatMap { self[$0] } ?? FirebaseAccount(id: Self.makeID(), now: now)
        if account.email?.lowercased() != email { (account.email, account.isEmailVerified) = (email, false) }
        (account.password, account.displayName) = (Secret(password), name ?? account.displayName)
        account.lastSignInAt = now
        save(account)
        return account
    }

    mutating func signIn(email: String, password: String, now: Date) throws(IdentityToolkitError) -> FirebaseAccount {
        guard var account = account(email: email) else {
            throw IdentityToolkitError(protectsAddresses ? "INVALID_LOGIN_CREDENTIALS" : "EMAIL_NOT_FOUND")
        }
        guard account.password == Secret(password) else {
            throw IdentityToolkitError(protectsAddresses ? "INVALID_LOGIN_CREDENTIALS" : "INVALID_PASSWORD")
        }
        guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
        account.lastSignInAt = now
        save(account)
        return account
    }

    mutating func signIn(
        email: String, mailCode code: String, linkingTo id: String?, now: Date
    ) throws(IdentityToolkitError) -> (account: FirebaseAccount, isNew: Bool) {
        guard try mail(of: code, [.signIn], now: now).address == email else {
            throw IdentityToolkitError("INVALID_EMAIL", "The email provided does not match the sign-in email address.")
        }
        let owner = account(email: email)
        if let owner, let id, owner.id != id { throw IdentityToolkitError("EMAIL_EXISTS") }
        guard owner?.isDisabled != true else { throw IdentityToolkitError("USER_DISABLED") }
        validMails[code] = nil
        var account = id.flatMap { self[$0] } ?? owner ?? FirebaseAccount(id: Self.makeID(), now: now)
        account.email = email
        account.proveEmail()
        account.signsInByMailLink = true
        account.lastSignInAt = now
        save(account)
        return (account, owner == nil && id == nil)
    }

    /// Changes a user's address, password, or both, which ends every session.
    mutating func update(
        _ id: String, email: String?, password: String?, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> FirebaseAccount {
        guard email ?? self[id]?.email != nil else { throw IdentityToolkitError("MISSING_EMAIL") }
        if let email { try changeEmail(of: id, to: email, in: context) }
        _ = update(id) { $0.password = password.map(Secret.init) ?? $0.password }
        _ = revokeSessions(of: id, now: context.now)
        guard let account = self[id] else { throw IdentityToolkitError("USER_NOT_FOUND") }
        return account
    }

    /// Sets a new password by the code of a mail, which ends every session.
    mutating func resetPassword(
        by code: String, to password: String, now: Date
    ) throws(IdentityToolkitError) -> EmulatedFirebase.Mail {
        let mail = try mail(of: code, [.passwordReset], now: now)
        validMails[code] = nil
        guard var account = account(email: mail.address) else { throw IdentityToolkitError("USER_NOT_FOUND") }
        guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
        account.proveEmail()
        account.password = Secret(password)
        save(account)
        _ = revokeSessions(of: account.id, now: now)
        return mail
    }
}

extension FirebaseAccount {
    /// Notes that the person owns the address. Identities and passwords that were added before are removed.
    mutating func proveEmail() {
        if !isEmailVerified { (identities, password) = ([], nil) }
        isEmailVerified = true
    }
}
