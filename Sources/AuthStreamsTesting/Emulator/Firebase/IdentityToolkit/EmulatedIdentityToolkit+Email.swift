import AuthStreams
import Foundation

/// Passwords, mail links, and changes of the address.
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
        let (email, password, now) = (try body.email(), try body.password("password"), context.now)
        let name = try body.string("displayName")
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signUp(email: email, password: password, name: name, linkingTo: id, now: now)
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
        let (email, now) = (try body.email(), context.now)
        guard let password = try body.string("password") else { throw IdentityToolkitError("MISSING_PASSWORD") }
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signIn(email: email, password: password, now: now)
        }
        let answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#VerifyPasswordResponse", "localId": .string(account.id), "email": .string(email),
            "displayName": .string(account.displayName ?? ""), "registered": true,
        ].merging(account.photoURL.map { ["photoUrl": .string($0)] } ?? [:]) { $1 }
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
        guard context.configuration.firebase.allowsMailLinks else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED")
        }
        let id = try body.string("idToken").map { token throws(IdentityToolkitError) in
            try self.account(idToken: token, in: context).account.id
        }
        let (email, now) = (try body.email(), context.now)
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
    ///
    /// A server names the user by the address in place of an ID token. The answer to it has the code and the link, if it asks for
    /// them.
    func sendMail(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let isForServer = request.path.hasPrefix(Self.administrationPath)
        let body = try IdentityToolkitBody(
            request,
            members: [
                "requestType", "email", "idToken", "newEmail", "continueUrl", "canHandleCodeInApp", "tenantId",
                "returnOobLink",
            ])
        let project = context.configuration.firebase
        let continueURL = try body.continueURL(of: project)
        guard let type = try body.string("requestType") else { throw IdentityToolkitError("MISSING_REQ_TYPE") }
        let kind = EmulatedFirebase.Mail.Kind.allCases.first { $0.rules.requestType == type }
        func user() throws(IdentityToolkitError) -> FirebaseAccount {
            guard isForServer else { return try account(idToken: body.string("idToken"), in: context).account }
            let email = try body.email()
            guard let account = accounts.withLock({ $0.account(email: email) }) else {
                throw IdentityToolkitError("USER_NOT_FOUND")
            }
            return account
        }
        var answer: [String: AuthJSON] = ["kind": "identitytoolkit#GetOobConfirmationCodeResponse"]
        let recipient: (email: String, userID: String?)
        switch kind {
        case .passwordReset:
            recipient = (try body.email(), nil)
            guard accounts.withLock({ $0.account(email: recipient.email) }) != nil else {
                guard !isForServer, accounts.withLock(\.protectsAddresses) else {
                    throw IdentityToolkitError("EMAIL_NOT_FOUND")
                }
                answer["email"] = .string(recipient.email)
                return .object(answer)
            }
        case .verification:
            guard let address = try user().email else { throw IdentityToolkitError("MISSING_EMAIL") }
            recipient = (address, nil)
        case .signIn:
            guard project.allowsMailLinks else { throw IdentityToolkitError("OPERATION_NOT_ALLOWED") }
            guard continueURL != nil else { throw IdentityToolkitError("MISSING_CONTINUE_URI") }
            recipient = (try body.email(), nil)
        case .addressChange:
            let account = try user()
            recipient = (try body.email("newEmail"), account.id)
            guard accounts.withLock({ $0.account(email: recipient.email) }) == nil else {
                throw IdentityToolkitError("EMAIL_EXISTS")
            }
        default: throw IdentityToolkitError("INVALID_REQ_TYPE")
        }
        let (mail, addresses) = accounts.withLock { state in
            let mail = state.send(
                kind ?? .signIn, to: recipient.email, of: recipient.userID, continueURL: continueURL, in: context)
            return (mail, mail.addresses(in: state))
        }
        answer["email"] = addresses["email"]
        let wantsLink = try body.bool("returnOobLink")
        if isForServer, wantsLink {
            answer["oobCode"] = .string(mail.code.reveal())
            answer["oobLink"] = .string(mail.link.absoluteString)
        }
        return .object(answer)
    }

    /// `accounts:resetPassword`: sets a new password by the code of a mail; without a password, says what a code is for.
    func resetPassword(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(request, members: ["oobCode", "newPassword", "tenantId"])
        guard let code = try body.string("oobCode") else { throw IdentityToolkitError("MISSING_OOB_CODE") }
        let now = context.now
        let password = body.has(anyOf: "newPassword") ? try body.password("newPassword") : nil
        guard password == nil || context.configuration.firebase.allowsPasswords else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED")
        }
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

    /// The part of `accounts:update` that concerns the password, or changes or verifies the address; `nil` for other changes.
    func updateEmail(
        by body: IdentityToolkitBody, _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON? {
        let idToken = try body.string("idToken")
        if idToken == nil, let code = try body.string("oobCode") {
            let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
                try state.verifyEmail(by: code, in: context)
            }
            return .object(Self.changed(account))
        }
        guard body.has(anyOf: "email", "password") else { return nil }
        let email = body.has(anyOf: "email") ? try body.email() : nil
        let password = body.has(anyOf: "password") ? try body.password("password") : nil
        let id = try self.account(idToken: idToken, within: Self.recentSignIn, in: context).id
        guard email == nil || !accounts.withLock(\.protectsAddresses) else {
            throw IdentityToolkitError(
                "OPERATION_NOT_ALLOWED", "Please verify the new email before changing email.")
        }
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            guard email ?? state[id]?.email != nil else { throw IdentityToolkitError("MISSING_EMAIL") }
            if let email { try state.changeEmail(of: id, to: email, in: context) }
            _ = state.update(id) { $0.password = password.map(Secret.init) ?? $0.password }
            _ = state.revokeSessions(of: id, now: context.now)
            guard let account = state[id] else { throw IdentityToolkitError("USER_NOT_FOUND") }
            return account
        }
        var answer = Self.changed(account)
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

    /// `accounts:createAuthUri`: the ways to sign in with an address, which only a project that does not protect addresses says.
    func signInMethods(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(request, members: ["identifier", "continueUri", "tenantId"])
        let email = try body.email("identifier")
        guard body.has(anyOf: "continueUri") else { throw IdentityToolkitError("MISSING_CONTINUE_URI") }
        let (account, isProtected) = accounts.withLock { ($0.account(email: email), $0.protectsAddresses) }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .string(GrantStore.random()),
        ]
        guard !isProtected else { return .object(answer) }
        answer["registered"] = .bool(account != nil)
        guard let account else { return .object(answer) }
        let providers = account.identities.map { AuthJSON.string($0.providerID) }
        let own: [AuthJSON] =
            (account.password == nil ? [] : ["password"]) + (account.signsInByMailLink ? ["emailLink"] : [])
        answer["allProviders"] = .array((own.isEmpty ? [] : ["password"]) + providers)
        answer["signinMethods"] = .array(own + providers)
        return .object(answer)
    }
}

extension IdentityToolkitBody {
    /// An address, in lower case.
    func email(_ name: String = "email") throws(IdentityToolkitError) -> String {
        guard let text = try string(name) else {
            throw IdentityToolkitError(name == "email" ? "MISSING_EMAIL" : "MISSING_NEW_EMAIL")
        }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !text.contains(where: \.isWhitespace) else {
            throw IdentityToolkitError(name == "newEmail" ? "INVALID_NEW_EMAIL" : "INVALID_EMAIL")
        }
        return text.lowercased()
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

    fileprivate mutating func signIn(
        email: String, password: String, now: Date
    ) throws(IdentityToolkitError) -> FirebaseAccount {
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

    fileprivate mutating func signIn(
        email: String, mailCode code: String, linkingTo id: String?, now: Date
    ) throws(IdentityToolkitError) -> (account: FirebaseAccount, isNew: Bool) {
        guard try mail(of: code, [.signIn], now: now).address == email else {
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
