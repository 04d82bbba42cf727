import AuthStreams
import Foundation
import LoopbackHTTP

/// Identity Toolkit v1 and Secure Token, as in production.
///
/// It checks what the public Auth emulator ignores: API key, nonce, expiry, signatures.
struct EmulatedIdentityToolkit: EmulatorService {
    static let host = "identitytoolkit.googleapis.com"
    static let secureTokenHost = "securetoken.googleapis.com"
    /// How long a sign-in counts as recent for a deletion.
    static let recentSignIn = Duration.seconds(300)

    let hosts = [EmulatedIdentityToolkit.host, EmulatedIdentityToolkit.secureTokenHost]
    let accounts: Lock<FirebaseAccounts>

    func sessions(at now: Date) -> [SessionCount] {
        accounts.withLock { accounts in
            accounts.all.map { SessionCount("Firebase", $0.email ?? $0.id, accounts.sessionCount(of: $0)) }
        }
    }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        do {
            guard let method = try method(of: request, in: context) else { return nil }
            if let code = request.requestedError { throw IdentityToolkitError(code) }
            return .json(try await method(request, context))
        } catch let error as IdentityToolkitError {
            return request.path.hasPrefix("/v2/accounts/") ? error.responseOfVersion2 : error.response
        } catch {
            return IdentityToolkitError("INTERNAL_ERROR").response
        }
    }

    typealias Method = (EmulatorRequest, EmulatorContext) async throws(IdentityToolkitError) -> AuthJSON

    private func method(
        of request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> Method? {
        if let method = try administration(of: request, in: context) { return method }
        let method: Method
        switch "\(request.endpoint) \(request.host)" {
        case "POST /v1/accounts:signInWithIdp \(Self.host)": method = signInWithIdP
        case "POST /v1/accounts:signInWithCustomToken \(Self.host)": method = signInWithCustomToken
        case "POST /v1/accounts:signUp \(Self.host)": method = signUp
        case "POST /v1/accounts:signInWithPassword \(Self.host)": method = signInWithPassword
        case "POST /v1/accounts:signInWithEmailLink \(Self.host)": method = signInWithEmailLink
        case "POST /v1/accounts:sendOobCode \(Self.host)": method = sendMail
        case "POST /v1/accounts:resetPassword \(Self.host)": method = resetPassword
        case "POST /v1/accounts:createAuthUri \(Self.host)": method = signInMethods
        case "GET /v1/projects \(Self.host)": method = project
        case "GET /v2/recaptchaConfig \(Self.host)": method = reCAPTCHA
        case "GET /v2/passwordPolicy \(Self.host)": method = passwordPolicy
        case "POST /v2/accounts/mfaEnrollment:start \(Self.host)": method = startEnrollment
        case "POST /v2/accounts/mfaEnrollment:finalize \(Self.host)": method = finalizeEnrollment
        case "POST /v2/accounts/mfaEnrollment:withdraw \(Self.host)": method = withdrawFactor
        case "POST /v2/accounts/mfaSignIn:finalize \(Self.host)": method = finalizeSignIn
        case "POST /v1/accounts:lookup \(Self.host)": method = lookup
        case "POST /v1/accounts:update \(Self.host)": method = update
        case "POST /v1/accounts:delete \(Self.host)": method = delete
        case "POST /v2/accounts:revokeToken \(Self.host)": method = revokeToken
        case "POST /v1/token \(Self.secureTokenHost)": method = refresh
        case let other
        where ["POST /v1/accounts:", "POST /v2/accounts:", "POST /v2/accounts/"].contains(where: other.hasPrefix):
            method = { (_, _) throws(IdentityToolkitError) in throw .notImplemented }
        default: return nil
        }
        guard let key = request.query["key"] ?? request.header("X-Goog-Api-Key") else { throw .missingAPIKey }
        guard Mismatch.accepts("key", key, [context.configuration.firebase.apiKey], in: "firebase.apiKey") else {
            throw .unknownAPIKey
        }
        try AppRestrictions(of: request, in: context).check()
        return method
    }
}

extension EmulatedIdentityToolkit {
    /// Returns the tokens of a sign-in, in the members of every method's answer.
    func tokens(
        for account: FirebaseAccount, signInProvider: String, claims: [String: AuthJSON] = [:],
        secondFactor: String? = nil, signedInAt: Date? = nil, request: EmulatorRequest, in context: EmulatorContext
    ) -> [String: AuthJSON] {
        let grant = FirebaseAccounts.Grant(
            accountID: account.id, creation: account.creation, signInProvider: signInProvider, claims: claims,
            signedInAt: signedInAt ?? context.now, secondFactor: secondFactor)
        let refreshToken = accounts.withLock { $0.begin(grant) }
        let tokens = FirebaseTokens(context: context)
        return [
            "idToken": .string(tokens.idToken(for: account, grant: grant, fault: request.tokenFault)),
            "refreshToken": .string(refreshToken),
            "expiresIn": .string("\(Int(FirebaseTokens.lifetime))"),
        ]
    }

    /// Returns the user of an ID token, if the token is valid and the user exists and is enabled.
    func account(
        idToken: String?, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> (account: FirebaseAccount, claims: [String: AuthJSON]) {
        guard let idToken else { throw IdentityToolkitError("MISSING_ID_TOKEN") }
        let claims = try FirebaseTokens(context: context).claims(ofIDToken: idToken)
        guard let account = claims["user_id"]?.string.flatMap({ id in accounts.withLock { $0[id] } }) else {
            throw IdentityToolkitError("USER_NOT_FOUND")
        }
        guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
        let issued = TimeInterval(claims["iat"]?.lenientInteger ?? 0)
        guard issued >= account.validSince.timeIntervalSince1970.rounded(.down) else {
            throw IdentityToolkitError("TOKEN_EXPIRED")
        }
        return (account, claims)
    }

    /// Returns the uid of the user of an ID token; `nil` without an ID token.
    func userID(idToken: String?, in context: EmulatorContext) throws(IdentityToolkitError) -> String? {
        guard let idToken else { return nil }
        return try account(idToken: idToken, in: context).account.id
    }

    /// Returns the user of an ID token whose sign-in is no older than that: a refresh does not count.
    func account(
        idToken: String?, within recent: Duration?, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> FirebaseAccount {
        let (account, claims) = try account(idToken: idToken, in: context)
        let signedInAt = TimeInterval(claims["auth_time"]?.lenientInteger ?? 0)
        guard let recent else { return account }
        guard context.now.timeIntervalSince1970 - signedInAt <= recent / .seconds(1) else {
            throw IdentityToolkitError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
        return account
    }
}

extension EmulatedIdentityToolkit {
    /// `accounts:signUp`: creates a user without any identity, or with a password.
    func signUp(_ request: EmulatorRequest, in context: EmulatorContext) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(
            request,
            members: ["returnSecureToken", "email", "password", "displayName", "idToken", "tenantId", "clientType"])
        if body.has(anyOf: "email", "password", "idToken") { return try signUp(by: body, request, in: context) }
        guard context.configuration.firebase.allowsAnonymousUsers else {
            throw IdentityToolkitError("ADMIN_ONLY_OPERATION")
        }
        let account = FirebaseAccount(id: FirebaseAccounts.makeID(), now: context.now)
        accounts.withLock { $0.save(account) }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(account.id),
        ]
        guard try body.bool("returnSecureToken") else { return .object(answer) }
        answer.merge(tokens(for: account, signInProvider: "anonymous", request: request, in: context)) { $1 }
        return .object(answer)
    }
}

/// What Google's SDKs ask about the project.
extension EmulatedIdentityToolkit {
    private func project(_: EmulatorRequest, in context: EmulatorContext) throws(IdentityToolkitError) -> AuthJSON {
        let project = context.configuration.firebase
        let domains = project.authorizedDomains.union([project.actionHost, "localhost"]).sorted()
        return [
            "projectId": .string(project.projectNumber), "authorizedDomains": .array(domains.map(AuthJSON.string)),
        ]
    }

    /// No method asks for reCAPTCHA. The SDK for JavaScript needs a key all the same.
    private func reCAPTCHA(_: EmulatorRequest, in context: EmulatorContext) throws(IdentityToolkitError) -> AuthJSON {
        let project = context.configuration.firebase.projectNumber
        return ["recaptchaKey": .string("projects/\(project)/keys/unused"), "recaptchaEnforcementState": []]
    }

    private func passwordPolicy(_: EmulatorRequest, in _: EmulatorContext) throws(IdentityToolkitError) -> AuthJSON {
        [
            "customStrengthOptions": ["minPasswordLength": 6, "maxPasswordLength": 4096], "schemaVersion": 1,
            "enforcementState": "OFF",
        ]
    }
}

extension EmulatedIdentityToolkit {
    /// `accounts:signInWithCustomToken`: signs in the user of a custom token of the project's server.
    ///
    /// The answer has no `localId`; the ID token names its user.
    func signInWithCustomToken(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(
            request, members: ["token", "returnSecureToken", "tenantId", "instanceId", "delegatedProjectNumber"])
        guard let token = try body.string("token") else { throw IdentityToolkitError("MISSING_CUSTOM_TOKEN") }
        let (uid, claims) = try FirebaseTokens(context: context).read(customToken: token)
        let now = context.now
        let (account, isNew) = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signIn(customID: uid, now: now)
        }
        var answer = tokens(for: account, signInProvider: "custom", claims: claims, request: request, in: context)
        if try !body.bool("returnSecureToken") {
            answer["refreshToken"] = nil
            answer["expiresIn"] = nil
        }
        answer["kind"] = "identitytoolkit#VerifyCustomTokenResponse"
        if isNew { answer["isNewUser"] = true }
        return .object(answer)
    }
}
