import AuthStreams
import Foundation

/// Passwords.
extension IdentityToolkitCall {
    /// `accounts:signUp` with a password: makes a user, or adds the password to the user of an ID token.
    func signUp(by body: IdentityToolkitBody) throws(IdentityToolkitError) -> AuthJSON {
        guard project.allowsPasswords else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED", "Password sign-in is disabled for this project.")
        }
        let id = try userID(idToken: body.string("idToken"))
        let (email, password, now) = (try body.email(), try body.password("password"), context.now)
        let name = try body.string("displayName")
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signUp(email: email, password: password, name: name, linkingTo: id, now: now)
        }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(account.id), "email": .string(email),
        ]
        answer.merge(tokens(for: account, signInProvider: "password")) { $1 }
        return .object(answer)
    }

    /// `accounts:signInWithPassword`: signs in with an address and a password.
    func signInWithPassword() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["email", "password", "returnSecureToken", "tenantId", "clientType", "captchaResponse"])
        guard project.allowsPasswords else { throw IdentityToolkitError("PASSWORD_LOGIN_DISABLED") }
        let (email, now) = (try body.email(), context.now)
        guard let password = try body.string("password") else { throw IdentityToolkitError("MISSING_PASSWORD") }
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signIn(email: email, password: password, now: now)
        }
        let answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#VerifyPasswordResponse", "localId": .string(account.id), "email": .string(email),
            "displayName": .string(account.displayName ?? ""), "registered": true,
        ].merging(account.photoURL.map { ["photoUrl": .string($0)] } ?? [:]) { $1 }
        let rest = question(to: account, signInProvider: "password") ?? tokens(for: account, signInProvider: "password")
        return .object(answer.merging(rest) { $1 })
    }

    /// `accounts:resetPassword`: sets a new password by the code of a mail; without a password, says what a code is for.
    func resetPassword() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["oobCode", "newPassword", "tenantId"])
        guard let code = try body.string("oobCode") else { throw IdentityToolkitError("MISSING_OOB_CODE") }
        let now = context.now
        let password = body.has(anyOf: "newPassword") ? try body.password("newPassword") : nil
        guard password == nil || project.allowsPasswords else { throw IdentityToolkitError("OPERATION_NOT_ALLOWED") }
        let (mail, addresses) = try accounts.withLock { (state) throws(IdentityToolkitError) in
            let mail =
                if let password {
                    try state.resetPassword(by: code, to: password, now: now)
                } else {
                    try state.mail(of: code, EmulatedFirebase.Mail.Kind.allCases, now: now)
                }
            return (mail, mail.addresses(in: state))
        }
        let answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#ResetPasswordResponse", "requestType": .string(mail.kind.rules.requestType),
        ]
        return .object(answer.merging(addresses) { $1 })
    }
}

extension IdentityToolkitBody {
    /// A new password.
    func password(_ name: String) throws(IdentityToolkitError) -> String {
        guard let password = try string(name) else { throw IdentityToolkitError("MISSING_PASSWORD") }
        guard password.count >= 6 else {
            throw IdentityToolkitError("WEAK_PASSWORD", "Password should be at least 6 characters")
        }
        return password
    }
}
