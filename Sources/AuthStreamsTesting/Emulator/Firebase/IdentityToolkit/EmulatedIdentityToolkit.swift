import AuthStreams
import Foundation
import LoopbackHTTP

/// Identity Toolkit v1 and Secure Token, as in production.
///
/// It checks what the public Auth emulator ignores: API key, nonce, expiry, signatures.
struct EmulatedIdentityToolkit: EmulatorService {
    static let host = "identitytoolkit.googleapis.com"
    static let secureTokenHost = "securetoken.googleapis.com"
    static let administrationPath = "/v1/projects/"

    let hosts = [EmulatedIdentityToolkit.host, EmulatedIdentityToolkit.secureTokenHost]
    let accounts: Lock<FirebaseAccounts>

    func sessions(at now: Date) -> [SessionCount] {
        accounts.withLock { accounts in
            accounts.all.map { SessionCount("Firebase", $0.email ?? $0.id, accounts.sessionCount(of: $0)) }
        }
    }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        let call = IdentityToolkitCall(request: request, accounts: accounts, context: context)
        do throws(IdentityToolkitError) {
            guard let method = try call.method() else { return nil }
            if let code = request.requestedError { throw IdentityToolkitError(code) }
            return .json(try await method.run())
        } catch {
            return request.path.hasPrefix("/v2/accounts/") ? error.responseOfVersion2 : error.response
        }
    }
}

/// One request to the emulated Identity Toolkit or Secure Token.
struct IdentityToolkitCall {
    /// How long a sign-in counts as recent for a deletion.
    static let recentSignIn = Duration.seconds(300)

    let request: EmulatorRequest
    let accounts: Lock<FirebaseAccounts>
    let context: EmulatorContext

    var project: EmulatorConfiguration.Firebase { context.configuration.firebase }

    /// A method with its answer to this request.
    struct Method {
        let run: () async throws(IdentityToolkitError) -> AuthJSON

        static var notEmulated: Self { Self { () throws(IdentityToolkitError) in throw .notImplemented } }
    }

    /// The methods for apps, by their hosts.
    private var methods: [String: [String: Method]] {
        [
            EmulatedIdentityToolkit.host: [
                "POST /v1/accounts:signInWithIdp": .init(run: signInWithIdP),
                "POST /v1/accounts:signInWithCustomToken": .init(run: signInWithCustomToken),
                "POST /v1/accounts:signUp": .init(run: signUp),
                "POST /v1/accounts:signInWithPassword": .init(run: signInWithPassword),
                "POST /v1/accounts:signInWithEmailLink": .init(run: signInWithEmailLink),
                "POST /v1/accounts:sendOobCode": .init(run: sendMail),
                "POST /v1/accounts:resetPassword": .init(run: resetPassword),
                "POST /v1/accounts:createAuthUri": .init(run: signInMethods),
                "GET /v1/projects": .init(run: projectSettings),
                "GET /v2/recaptchaConfig": .init(run: reCAPTCHA),
                "GET /v2/passwordPolicy": .init(run: passwordPolicy),
                "POST /v2/accounts/mfaEnrollment:start": .init(run: startEnrollment),
                "POST /v2/accounts/mfaEnrollment:finalize": .init(run: finalizeEnrollment),
                "POST /v2/accounts/mfaEnrollment:withdraw": .init(run: withdrawFactor),
                "POST /v2/accounts/mfaSignIn:finalize": .init(run: finalizeSignIn),
                "POST /v1/accounts:lookup": .init(run: lookup),
                "POST /v1/accounts:update": .init(run: update),
                "POST /v1/accounts:delete": .init(run: delete),
                "POST /v2/accounts:revokeToken": .init(run: revokeToken),
            ],
            EmulatedIdentityToolkit.secureTokenHost: ["POST /v1/token": .init(run: refresh)],
        ]
    }

    /// Returns the method that the request names, if the caller may use it; `nil` if there is none.
    func method() throws(IdentityToolkitError) -> Method? {
        if let method = try administration() { return method }
        let isOfAccounts = ["POST /v1/accounts:", "POST /v2/accounts:", "POST /v2/accounts/"]
            .contains(where: request.endpoint.hasPrefix)
        guard let method = methods[request.host]?[request.endpoint] ?? (isOfAccounts ? .notEmulated : nil) else {
            return nil
        }
        guard let key = request.query["key"] ?? request.header("X-Goog-Api-Key") else { throw .missingAPIKey }
        guard Mismatch.accepts("key", key, [project.apiKey], in: "firebase.apiKey") else { throw .unknownAPIKey }
        try AppRestrictions(of: request, in: context).check()
        return method
    }

    /// Returns the body, which has no members but these.
    func body(_ members: Set<String>) throws(IdentityToolkitError) -> IdentityToolkitBody {
        try IdentityToolkitBody(request, members: members)
    }
}

extension IdentityToolkitCall {
    /// Returns the tokens of a sign-in, in the members of every method's answer.
    func tokens(
        for account: FirebaseAccount, signInProvider: String, claims: [String: AuthJSON] = [:],
        secondFactor: String? = nil, signedInAt: Date? = nil
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
        idToken: String?
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
    func userID(idToken: String?) throws(IdentityToolkitError) -> String? {
        guard let idToken else { return nil }
        return try account(idToken: idToken).account.id
    }

    /// Returns the user of an ID token whose sign-in is no older than that: a refresh does not count.
    func account(idToken: String?, within recent: Duration?) throws(IdentityToolkitError) -> FirebaseAccount {
        let (account, claims) = try account(idToken: idToken)
        let signedInAt = TimeInterval(claims["auth_time"]?.lenientInteger ?? 0)
        guard let recent else { return account }
        guard context.now.timeIntervalSince1970 - signedInAt <= recent / .seconds(1) else {
            throw IdentityToolkitError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
        return account
    }
}

extension IdentityToolkitCall {
    /// `accounts:signUp`: creates a user without any identity, or with a password.
    func signUp() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body([
            "returnSecureToken", "email", "password", "displayName", "idToken", "tenantId", "clientType",
        ])
        if body.has(anyOf: "email", "password", "idToken") { return try signUp(by: body) }
        guard project.allowsAnonymousUsers else { throw IdentityToolkitError("ADMIN_ONLY_OPERATION") }
        let account = FirebaseAccount(id: FirebaseAccounts.makeID(), now: context.now)
        accounts.withLock { $0.save(account) }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(account.id),
        ]
        guard try body.bool("returnSecureToken") else { return .object(answer) }
        answer.merge(tokens(for: account, signInProvider: "anonymous")) { $1 }
        return .object(answer)
    }
}

/// What Google's SDKs ask about the project.
extension IdentityToolkitCall {
    private func projectSettings() throws(IdentityToolkitError) -> AuthJSON {
        let domains = project.authorizedDomains.union([project.actionHost, "localhost"]).sorted()
        return [
            "projectId": .string(project.projectNumber), "authorizedDomains": .array(domains.map(AuthJSON.string)),
        ]
    }

    /// No method asks for reCAPTCHA. The SDK for JavaScript needs a key all the same.
    private func reCAPTCHA() throws(IdentityToolkitError) -> AuthJSON {
        ["recaptchaKey": .string("projects/\(project.projectNumber)/keys/unused"), "recaptchaEnforcementState": []]
    }

    private func passwordPolicy() throws(IdentityToolkitError) -> AuthJSON {
        [
            "customStrengthOptions": ["minPasswordLength": 6, "maxPasswordLength": 4096], "schemaVersion": 1,
            "enforcementState": "OFF",
        ]
    }
}

extension IdentityToolkitCall {
    /// `accounts:signInWithCustomToken`: signs in the user of a custom token of the project's server.
    ///
    /// The answer has no `localId`; the ID token names its user.
    func signInWithCustomToken() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["token", "returnSecureToken", "tenantId", "instanceId", "delegatedProjectNumber"])
        guard let token = try body.string("token") else { throw IdentityToolkitError("MISSING_CUSTOM_TOKEN") }
        let (uid, claims) = try FirebaseTokens(context: context).read(customToken: token)
        let now = context.now
        let (account, isNew) = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signIn(customID: uid, now: now)
        }
        var answer = tokens(for: account, signInProvider: "custom", claims: claims)
        if try !body.bool("returnSecureToken") {
            answer["refreshToken"] = nil
            answer["expiresIn"] = nil
        }
        answer["kind"] = "identitytoolkit#VerifyCustomTokenResponse"
        if isNew { answer["isNewUser"] = true }
        return .object(answer)
    }
}
