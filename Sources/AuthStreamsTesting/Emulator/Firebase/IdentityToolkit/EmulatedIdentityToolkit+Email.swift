import AuthStreams
import Foundation

/// Passwords and mail links. A change of the address is not emulated.
extension EmulatedIdentityToolkit {
    /// `accounts:signUp` with a password: makes a user, or adds the password to the user of an ID token.
    func signUp(
        by body: IdentityToolkitBody, _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        guard context.configuration.firebase.allowsPasswords else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED", "Password sign-in is disabled for this project.")
        }
        let idToken = try body.string("idToken")
        let id = try idToken.map { token throws(IdentityToolkitError) in
            try self.account(idToken: token, in: context).account.id
        }
        let (email, password, now) = (try body.email, try body.password("password"), context.now)
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signUp(email: email, password: password, linkingTo: id, now: now)
        }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(account.id), "email": .string(email),
        ]
        answer.merge(tokens(for: account, signInProvider: "password", request: request, in: context)) { $1 }
        return .object(answer)
    }

    /// `accounts:signInWithPassword`: signs in with an address and a password.
    func signInWithPassword(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(
            request, members: ["email", "password", "returnSecureToken", "tenantId", "clientType", "captchaResponse"])
        let project = context.configuration.firebase
        guard project.allowsPasswords else { throw IdentityToolkitError("PASSWORD_LOGIN_DISABLED") }
        let (email, now) = (try body.email, context.now)
        guard let password = try body.string("password") else { throw IdentityToolkitError("MISSING_PASSWORD") }
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signIn(email: email, password: password, tellsWhich: !project.protectsAddresses, now: now)
        }
        let answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#VerifyPasswordResponse", "localId": .string(account.id), "email": .string(email),
            "displayName": .string(account.displayName ?? ""), "registered": true,
        ]
        let rest =
            question(to: account, signInProvider: "password", in: context)
            ?? tokens(for: account, signInProvider: "password", request: request, in: context)
        return .object(answer.merging(rest) { $1 })
    }

    /// `accounts:signInWithEmailLink`: signs in with the code of a mail, or adds its address to the user of an ID token.
    func signInWithEmailLink(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(request, members: ["email", "oobCode", "idToken", "tenantId"])
        let id = try body.string("idToken").map { token throws(IdentityToolkitError) in
            try self.account(idToken: token, in: context).account.id
        }
        let (email, now) = (try body.email, context.now)
        guard let code = try body.string("oobCode") else { throw IdentityToolkitError("MISSING_OOB_CODE") }
        let (account, isNew) = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signIn(email: email, mailCode: code, linkingTo: id, now: now)
        }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#EmailLinkSigninResponse", "localId": .string(account.id), "email": .string(email),
        ]
        if let question = question(to: account, signInProvider: "password", in: context) {
            return .object(answer.merging(question) { $1 })
        }
        if isNew { answer["isNewUser"] = true }
        return .object(
            answer.merging(tokens(for: account, signInProvider: "password", request: request, in: context)) { $1 })
    }

    /// `accounts:sendOobCode`: sends a mail, which ``EmulatedFirebase/mails`` lists.
    func sendMail(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(
            request,
            members: [
                "requestType", "email", "idToken", "newEmail", "continueUrl", "iOSBundleId", "canHandleCodeInApp",
                "linkDomain", "tenantId", "clientType",
            ])
        let project = context.configuration.firebase
        let continueURL = try body.continueURL(of: project)
        let (kind, email): (EmulatedFirebase.Mail.Kind, String)
        switch try body.string("requestType") {
        case "PASSWORD_RESET":
            (kind, email) = (.passwordReset, try body.email)
            guard accounts.withLock({ $0.account(email: email) }) != nil else {
                guard project.protectsAddresses else { throw IdentityToolkitError("EMAIL_NOT_FOUND") }
                return Self.sent(to: email)
            }
        case "VERIFY_EMAIL":
            let account = try self.account(idToken: body.string("idToken"), in: context).account
            guard let address = account.email else { throw IdentityToolkitError("MISSING_EMAIL") }
            (kind, email) = (.verification, address)
        case "EMAIL_SIGNIN":
            guard project.allowsMailLinks else { throw IdentityToolkitError("OPERATION_NOT_ALLOWED") }
            guard continueURL != nil else { throw IdentityToolkitError("MISSING_CONTINUE_URI") }
            (kind, email) = (.signIn, try body.email)
        case nil: throw IdentityToolkitError("MISSING_REQ_TYPE")
        default: throw .notImplemented
        }
        let mail = accounts.withLock { state in
            let mail = EmulatedFirebase.Mail(
                kind, to: email, code: state.validMails.newKey(), continueURL: continueURL, of: project,
                base: context.base, at: context.now)
            state.send(mail)
            return mail
        }
        context.note("oobCode", mail.code.reveal(), host: request.host)
        return Self.sent(to: email)
    }

    private static func sent(to email: String) -> AuthJSON {
        ["kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(email)]
    }

    /// `accounts:resetPassword`: sets a new password by the code of a mail; without a password, says whose code it is.
    func resetPassword(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(request, members: ["oobCode", "newPassword", "tenantId"])
        guard let code = try body.string("oobCode") else { throw IdentityToolkitError("MISSING_OOB_CODE") }
        let now = context.now
        let password = body.has(anyOf: "newPassword") ? try body.password("newPassword") : nil
        let mail = try accounts.withLock { (state) throws(IdentityToolkitError) in
            guard let password else { return try state.mail(of: code, .passwordReset, now: now) }
            return try state.resetPassword(by: code, to: password, now: now)
        }
        return [
            "kind": "identitytoolkit#ResetPasswordResponse", "email": .string(mail.address),
            "requestType": "PASSWORD_RESET",
        ]
    }

    /// The part of `accounts:update` that concerns the password or verifies the address; `nil` for other changes.
    func updateEmail(
        by body: IdentityToolkitBody, _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON? {
        let (idToken, now) = (try body.string("idToken"), context.now)
        if idToken == nil, let code = try body.string("oobCode") {
            let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
                try state.verifyEmail(by: code, now: now)
            }
            return [
                "kind": "identitytoolkit#SetAccountInfoResponse", "localId": .string(account.id), "emailVerified": true,
            ]
        }
        guard body.has(anyOf: "password") else { return nil }
        let password = try body.password("password")
        let id = try self.account(idToken: idToken, within: Self.recentSignIn, in: context).id
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            guard var account = state[id], account.email != nil else { throw IdentityToolkitError("MISSING_EMAIL") }
            account.password = Secret(password)
            state.save(account)
            _ = state.revokeSessions(of: id, now: now)
            return account
        }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#SetAccountInfoResponse", "localId": .string(id),
        ]
        if try body.bool("returnSecureToken") {
            let session = SessionClaims(idToken)
            answer.merge(
                tokens(
                    for: account, continuing: session, secondFactor: session.secondFactor, request: request, in: context
                )
            ) { $1 }
            answer["expiresIn"] = .string("\(Int(FirebaseTokens.lifetime))")
        }
        return .object(answer)
    }
}

extension IdentityToolkitBody {
    /// The address, in lower case.
    var email: String {
        get throws(IdentityToolkitError) {
            guard let text = try string("email") else { throw IdentityToolkitError("MISSING_EMAIL") }
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !text.contains(where: \.isWhitespace) else {
                throw IdentityToolkitError("INVALID_EMAIL")
            }
            return text.lowercased()
        }
    }

    /// A new password.
    func password(_ name: String) throws(IdentityToolkitError) -> String {
        guard let password = try string(name) else { throw IdentityToolkitError("MISSING_PASSWORD") }
        guard password.count >= 6 else {
            throw IdentityToolkitError("WEAK_PASSWORD", "Password should be at least 6 characters")
        }
        return password
    }

    fileprivate func continueURL(of project: EmulatorConfiguration.Firebase) throws(IdentityToolkitError) -> URL? {
        guard let text = try string("continueUrl") else { return nil }
        guard let url = URL(string: text), ["https", "http"].contains(url.scheme), let host = url.host() else {
            throw IdentityToolkitError("INVALID_CONTINUE_URI")
        }
        guard project.authorizedDomains.union([project.actionHost, "localhost"]).contains(host) else {
            throw IdentityToolkitError("UNAUTHORIZED_DOMAIN", "Domain not allowlisted by project")
        }
        return url
    }
}

extension FirebaseAccounts {
    fileprivate mutating func signUp(
        email: String, password: String, linkingTo id: String?, now: Date
    ) throws(IdentityToolkitError) -> FirebaseAccount {
        if let owner = account(email: email), owner.id != id { throw IdentityToolkitError("EMAIL_EXISTS") }
        var account = id.flatMap { self[$0] } ?? FirebaseAccount(id: Self.makeID(), now: now)
        if account.email?.lowercased() != email { (account.email, account.isEmailVerified) = (email, false) }
        account.password = Secret(password)
        account.lastSignInAt = now
        save(account)
        return account
    }

    fileprivate mutating func signIn(
        email: String, password: String, tellsWhich: Bool, now: Date
    ) throws(IdentityToolkitError) -> FirebaseAccount {
        guard var account = account(email: email) else {
            throw IdentityToolkitError(tellsWhich ? "EMAIL_NOT_FOUND" : "INVALID_LOGIN_CREDENTIALS")
        }
        guard account.password == Secret(password) else {
            throw IdentityToolkitError(tellsWhich ? "INVALID_PASSWORD" : "INVALID_LOGIN_CREDENTIALS")
        }
        guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
        account.lastSignInAt = now
        save(account)
        return account
    }

    fileprivate mutating func signIn(
        email: String, mailCode code: String, linkingTo id: String?, now: Date
    ) throws(IdentityToolkitError) -> (account: FirebaseAccount, isNew: Bool) {
        guard try mail(of: code, .signIn, now: now).address == email else {
            throw IdentityToolkitError(
                "INVALID_EMAIL", "The email provided does not match the sign-in email address.")
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

    /// Sets a new password, which ends every session.
    mutating func resetPassword(
        by code: String, to password: String, now: Date
    ) throws(IdentityToolkitError) -> EmulatedFirebase.Mail {
        let mail = try mail(of: code, .passwordReset, now: now)
        validMails[code] = nil
        guard var account = account(email: mail.address) else { throw IdentityToolkitError("USER_NOT_FOUND") }
        guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
        account.proveEmail()
        account.password = Secret(password)
        save(account)
        _ = revokeSessions(of: account.id, now: now)
        return mail
    }

    mutating func verifyEmail(by code: String, now: Date) throws(IdentityToolkitError) -> FirebaseAccount {
        let mail = try mail(of: code, .verification, now: now)
        validMails[code] = nil
        guard var account = account(email: mail.address) else { throw IdentityToolkitError("EMAIL_NOT_FOUND") }
        account.isEmailVerified = true
        save(account)
        return account
    }
}

extension FirebaseAccount {
    /// Notes that the person owns the address. Identities and passwords that were added before are removed.
    mutating func proveEmail() {
        if !isEmailVerified { (identities, password) = ([], nil) }
        isEmailVerified = true
    }
}
