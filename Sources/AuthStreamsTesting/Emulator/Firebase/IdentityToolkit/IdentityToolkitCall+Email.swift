import AuthStreams
import Foundation

/// What a caller of `accounts:sendOobCode` asks for.
private struct MailRequest {
    let body: IdentityToolkitBody
    let kind: EmulatedFirebase.Mail.Kind
    /// The URL at which the link continues.
    let continueURL: URL?
    /// Whether a server asks, which names the user by the address in place of an ID token.
    let isOfServer: Bool
    /// Whether the answer has the code and the link, which only a server gets.
    let wantsLink: Bool

    init(_ request: EmulatorRequest, in context: EmulatorContext) throws(IdentityToolkitError) {
        body = try IdentityToolkitBody(
            request,
            members: [
                "requestType", "email", "idToken", "newEmail", "continueUrl", "canHandleCodeInApp", "tenantId",
                "returnOobLink",
            ])
        continueURL = try body.continueURL(of: context.configuration.firebase)
        guard let type = try body.string("requestType") else { throw IdentityToolkitError("MISSING_REQ_TYPE") }
        guard let kind = EmulatedFirebase.Mail.Kind.allCases.first(where: { $0.rules.requestType == type }) else {
            throw IdentityToolkitError("INVALID_REQ_TYPE")
        }
        self.kind = kind
        isOfServer = request.path.hasPrefix(EmulatedIdentityToolkit.administrationPath)
        wantsLink = try body.bool("returnOobLink") && isOfServer
    }
}

/// Mail links, mails, and changes of the address.
extension IdentityToolkitCall {
    /// `accounts:signInWithEmailLink`: signs in with the code of a mail, or adds its address to the user of an ID token.
    func signInWithEmailLink() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["email", "oobCode", "idToken", "tenantId"])
        guard project.allowsMailLinks else { throw IdentityToolkitError("OPERATION_NOT_ALLOWED") }
        let id = try userID(idToken: body.string("idToken"))
        let (email, now) = (try body.email(), context.now)
        guard let code = try body.string("oobCode") else { throw IdentityToolkitError("MISSING_OOB_CODE") }
        let (account, isNew) = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signIn(email: email, mailCode: code, linkingTo: id, now: now)
        }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#EmailLinkSigninResponse", "localId": .string(account.id), "email": .string(email),
        ]
        if let question = question(to: account, signInProvider: "password") {
            return .object(answer.merging(question) { $1 })
        }
        if isNew { answer["isNewUser"] = true }
        return .object(answer.merging(tokens(for: account, signInProvider: "password")) { $1 })
    }

    /// `accounts:sendOobCode`: sends a mail, which ``EmulatedFirebase/mails`` lists.
    ///
    /// The answer to a server has the code and the link, if it asks for them.
    func sendMail() throws(IdentityToolkitError) -> AuthJSON {
        let request = try MailRequest(request, in: context)
        var answer: [String: AuthJSON] = ["kind": "identitytoolkit#GetOobConfirmationCodeResponse"]
        guard let (address, userID) = try recipient(of: request) else {
            answer["email"] = .string(try request.body.email())
            return .object(answer)
        }
        let (mail, addresses) = accounts.withLock { state in
            let mail = state.send(request.kind, to: address, of: userID, continueURL: request.continueURL, in: context)
            return (mail, mail.addresses(in: state))
        }
        answer["email"] = addresses["email"]
        if request.wantsLink {
            answer["oobCode"] = .string(mail.code.reveal())
            answer["oobLink"] = .string(mail.link.absoluteString)
        }
        return .object(answer)
    }

    /// Returns the address of a mail, and the uid of the user whose address it changes.
    ///
    /// - Returns: `nil` if no user has the address, which a project that protects addresses does not tell an app.
    private func recipient(
        of request: MailRequest
    ) throws(IdentityToolkitError) -> (address: String, userID: String?)? {
        switch request.kind {
        case .passwordReset:
            let address = try request.body.email()
            let (isKnown, isProtected) = accounts.withLock { ($0.account(email: address) != nil, $0.protectsAddresses) }
            if isKnown { return (address, nil) }
            guard isProtected, !request.isOfServer else { throw IdentityToolkitError("EMAIL_NOT_FOUND") }
            return nil
        case .verification:
            guard let address = try user(of: request).email else { throw IdentityToolkitError("MISSING_EMAIL") }
            return (address, nil)
        case .signIn:
            guard project.allowsMailLinks else { throw IdentityToolkitError("OPERATION_NOT_ALLOWED") }
            guard request.continueURL != nil else { throw IdentityToolkitError("MISSING_CONTINUE_URI") }
            return (try request.body.email(), nil)
        case .addressChange:
            let user = try user(of: request)
            let address = try request.body.email("newEmail")
            guard accounts.withLock({ $0.account(email: address) }) == nil else {
                throw IdentityToolkitError("EMAIL_EXISTS")
            }
            return (address, user.id)
        case .addressRecovery: throw IdentityToolkitError("INVALID_REQ_TYPE")
        }
    }

    /// Returns the user that a request names: an app by the ID token, a server by the address.
    private func user(of request: MailRequest) throws(IdentityToolkitError) -> FirebaseAccount {
        guard request.isOfServer else { return try account(idToken: request.body.string("idToken")).account }
        let email = try request.body.email()
        guard let account = accounts.withLock({ $0.account(email: email) }) else {
            throw IdentityToolkitError("USER_NOT_FOUND")
        }
        return account
    }

    /// The part of `accounts:update` that concerns the password, or changes or verifies the address; `nil` for other changes.
    func updateEmail(by body: IdentityToolkitBody) throws(IdentityToolkitError) -> AuthJSON? {
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
        let id = try self.account(idToken: idToken, within: Self.recentSignIn).id
        guard email == nil || !accounts.withLock(\.protectsAddresses) else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED", "Please verify the new email before changing email.")
        }
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.update(id, email: email, password: password, in: context)
        }
        var answer = Self.changed(account)
        if try body.bool("returnSecureToken") {
            let session = SessionClaims(idToken)
            answer.merge(tokens(for: account, continuing: session, secondFactor: session.secondFactor)) { $1 }
            answer["expiresIn"] = .string("\(Int(FirebaseTokens.lifetime))")
        }
        return .object(answer)
    }

    /// `accounts:createAuthUri`: the ways to sign in with an address, which only a project that does not protect addresses says.
    func signInMethods() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["identifier", "continueUri", "tenantId"])
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
