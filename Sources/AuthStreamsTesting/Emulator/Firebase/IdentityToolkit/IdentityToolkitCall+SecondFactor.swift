import AuthStreams
import Foundation

/// Second factors by an authenticator app.
///
/// The words and limits that no document has are those of public recordings of production: a pending sign-in is refused after
/// about 300 seconds and can be used again till then, an enrollment lasts 900 seconds and three codes, and a removal ends
/// every session before it. Text messages are not emulated.
extension IdentityToolkitCall {
    /// `accounts/mfaEnrollment:start`: makes a secret.
    func startEnrollment() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["idToken", "totpEnrollmentInfo", "phoneEnrollmentInfo", "tenantId"])
        guard !body.has(anyOf: "phoneEnrollmentInfo") else { throw .notImplemented }
        guard body.has(anyOf: "totpEnrollmentInfo") else { throw .invalidArgument }
        let account = try self.account(idToken: body.string("idToken"), within: Self.recentSignIn)
        guard project.allowsAuthenticatorApps else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED", "TOTP based MFA not enabled.")
        }
        guard try !["custom", "anonymous"].contains(SessionClaims(body.string("idToken")).signInProvider) else {
            throw IdentityToolkitError("UNSUPPORTED_FIRST_FACTOR", "MFA is not available for the given first factor.")
        }
        guard account.isEmailVerified else {
            throw IdentityToolkitError(
                "UNVERIFIED_EMAIL", "Need to verify email first before enrolling second factors.")
        }
        let (secret, now) = (AuthenticatorApp.makeSecret(), context.now)
        let session = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try account.requireNoAuthenticatorApp()
            return state.enrollments.add(.init(accountID: account.id, secret: secret, startedAt: now))
        }
        let end = now + FirebaseAccounts.Enrollment.lifetime
        return [
            "totpSessionInfo": [
                "sharedSecretKey": .string(secret.reveal()), "verificationCodeLength": 6, "hashingAlgorithm": "SHA1",
                "periodSec": 30, "sessionInfo": .string(session),
                "finalizeEnrollmentTime": .string(end.formatted(.withMilliseconds)),
            ]
        ]
    }

    /// `accounts/mfaEnrollment:finalize`: adds the app by its first code. The session's earlier tokens stay valid.
    func finalizeEnrollment() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["idToken", "displayName", "totpVerificationInfo", "phoneVerificationInfo", "tenantId"])
        guard !body.has(anyOf: "phoneVerificationInfo") else { throw .notImplemented }
        guard let info = try body.object("totpVerificationInfo", members: ["sessionInfo", "verificationCode"]) else {
            throw .invalidArgument
        }
        let (idToken, now) = (try body.string("idToken"), context.now)
        let id = try self.account(idToken: idToken).account.id
        let (session, name, code) = try (
            info.string("sessionInfo"), body.string("displayName"), info.string("verificationCode")
        )
        let (account, factor) = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.finalizeEnrollment(session ?? "", of: id, code: code ?? "", name: name, now: now)
        }
        var answer = tokens(for: account, continuing: SessionClaims(idToken), secondFactor: factor)
        answer["totpAuthInfo"] = [:]
        return .object(answer)
    }

    /// `accounts/mfaEnrollment:withdraw`: removes a factor, and ends every session before.
    func withdrawFactor() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["idToken", "mfaEnrollmentId", "tenantId"])
        let (idToken, factor, now) = (try body.string("idToken"), try body.string("mfaEnrollmentId"), context.now)
        let id = try self.account(idToken: idToken).account.id
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            guard var account = state[id], account.secondFactors.contains(where: { $0.id == factor }) else {
                throw IdentityToolkitError("MFA_ENROLLMENT_NOT_FOUND")
            }
            account.secondFactors.removeAll { $0.id == factor }
            state.save(account)
            _ = state.revokeSessions(of: id, now: now)
            return account
        }
        let session = SessionClaims(idToken)
        return .object(
            tokens(
                for: account, continuing: session,
                secondFactor: session.secondFactor == factor ? nil : session.secondFactor
            ))
    }

    /// `accounts/mfaSignIn:finalize`: completes a sign-in by the code of an authenticator app.
    func finalizeSignIn() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body([
            "mfaPendingCredential", "mfaEnrollmentId", "totpVerificationInfo", "phoneVerificationInfo", "tenantId",
        ])
        guard !body.has(anyOf: "phoneVerificationInfo") else { throw .notImplemented }
        guard let pending = try body.string("mfaPendingCredential"), let factor = try body.string("mfaEnrollmentId"),
            let code = try body.object("totpVerificationInfo", members: ["verificationCode"])?
                .string("verificationCode")
        else { throw .invalidArgument }
        let now = context.now
        let (account, provider) = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.finalizeSignIn(pending, factor: factor, code: code, now: now)
        }
        var answer = tokens(for: account, signInProvider: provider, secondFactor: factor)
        answer["expiresIn"] = nil
        return .object(answer)
    }

    /// The members of a sign-in that waits for a second factor; `nil` if the account has none.
    func question(to account: FirebaseAccount, signInProvider: String) -> [String: AuthJSON]? {
        guard !account.secondFactors.isEmpty else { return nil }
        let pending = FirebaseAccounts.PendingSignIn(
            accountID: account.id, signInProvider: signInProvider, at: context.now)
        let token = accounts.withLock { $0.pendingSignIns.add(pending) }
        return ["mfaPendingCredential": .string(token), "mfaInfo": Self.describe(account.secondFactors)]
    }

    static func describe(_ factors: [FirebaseAccount.SecondFactor]) -> AuthJSON {
        .array(
            factors.map { factor in
                [
                    "mfaEnrollmentId": .string(factor.id), "displayName": .string(factor.name), "totpInfo": [:],
                    "enrolledAt": .string(factor.enrolledAt.formatted(.withMilliseconds)),
                ]
            })
    }

    /// Returns the tokens that replace those of a session, with the time and the provider of its sign-in.
    func tokens(
        for account: FirebaseAccount, continuing session: SessionClaims, secondFactor: String?
    ) -> [String: AuthJSON] {
        var answer = tokens(
            for: account, signInProvider: session.signInProvider, secondFactor: secondFactor,
            signedInAt: session.signedInAt)
        answer["expiresIn"] = nil
        return answer
    }
}

/// What a valid ID token says about the sign-in of its session.
struct SessionClaims {
    let signInProvider: String
    let signedInAt: Date
    let secondFactor: String?

    init(_ idToken: String?) {
        let claims = idToken.flatMap { JSONWebToken(Secret($0))?.claims }
        signInProvider = claims?["firebase"]?["sign_in_provider"]?.string ?? ""
        signedInAt = Date(timeIntervalSince1970: TimeInterval(claims?["auth_time"]?.lenientInteger ?? 0))
        secondFactor = claims?["firebase"]?["second_factor_identifier"]?.string
    }
}

extension FirebaseAccounts {
    /// A sign-in whose first factor was proved.
    struct PendingSignIn {
        let accountID: String
        let signInProvider: String
        let at: Date
    }

    /// An authenticator app whose first code was not sent yet.
    struct Enrollment {
        static let lifetime: TimeInterval = 900
        let accountID: String
        let secret: Secret
        let startedAt: Date
        var attempts = 0
        var isComplete = false
    }

    mutating func finalizeEnrollment(
        _ session: String, of id: String, code: String, name: String?, now: Date
    ) throws(IdentityToolkitError) -> (account: FirebaseAccount, factor: String) {
        guard var enrollment = enrollments.find(session), enrollment.accountID == id, var account = self[id] else {
            throw IdentityToolkitError("INVALID_SESSION_INFO")
        }
        guard now.timeIntervalSince(enrollment.startedAt) < Enrollment.lifetime else {
            throw IdentityToolkitError("SESSION_EXPIRED")
        }
        guard enrollment.attempts < 3 else {
            throw IdentityToolkitError("TOO_MANY_ENROLLMENT_ATTEMPTS", "restart enrollment")
        }
        guard !enrollment.isComplete else {
            throw IdentityToolkitError(
                "MFA_ENROLLMENT_ALREADY_COMPLETE", "This MFA enrollment has already been completed.")
        }
        guard let name else { throw IdentityToolkitError("MISSING_DISPLAY_NAME") }
        try account.requireNoAuthenticatorApp()
        enrollment.attempts += 1
        let factor = FirebaseAccount.SecondFactor(
            id: UUID().uuidString.lowercased(), name: name, secret: enrollment.secret, enrolledAt: now)
        account.secondFactors.append(factor)
        enrollment.isComplete = account.accepts(code, of: factor.id, at: now)
        enrollments[session] = enrollment
        guard enrollment.isComplete else { throw IdentityToolkitError("INVALID_CODE") }
        save(account)
        return (account, factor.id)
    }

    mutating func finalizeSignIn(
        _ token: String, factor: String, code: String, now: Date
    ) throws(IdentityToolkitError) -> (account: FirebaseAccount, signInProvider: String) {
        guard let pending = pendingSignIns.find(token) else { throw IdentityToolkitError("INVALID_PENDING_TOKEN") }
        guard var account = self[pending.accountID] else { throw IdentityToolkitError("USER_NOT_FOUND") }
        guard now.timeIntervalSince(pending.at) <= 300 else {
            throw IdentityToolkitError("TOTP_CHALLENGE_TIMEOUT", "TOTP challenge timeout, provide first factor again.")
        }
        guard account.secondFactors.contains(where: { $0.id == factor }) else {
            throw IdentityToolkitError("INVALID_MFA_ENROLLMENT_ID")
        }
        guard account.accepts(code, of: factor, at: now) else { throw IdentityToolkitError("INVALID_CODE") }
        account.lastSignInAt = now
        save(account)
        return (account, pending.signInProvider)
    }
}

extension FirebaseAccount {
    /// Returns whether a code of a factor is right, and was not used before. From then on it was.
    fileprivate mutating func accepts(_ code: String, of factor: String, at now: Date) -> Bool {
        guard let index = secondFactors.firstIndex(where: { $0.id == factor }),
            let step = secondFactors[index].app?.step(of: code, at: now, after: secondFactors[index].lastStep)
        else { return false }
        secondFactors[index].lastStep = step
        return true
    }

    /// An account has one authenticator app at most.
    fileprivate func requireNoAuthenticatorApp() throws(IdentityToolkitError) {
        guard secondFactors.isEmpty else {
            throw IdentityToolkitError("SECOND_FACTOR_LIMIT_EXCEEDED", "The account has an authenticator app.")
        }
    }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    /// Google's times: Firebase's SDK for Apple systems reads none without milliseconds.
    fileprivate static var withMilliseconds: Self { Self(includingFractionalSeconds: true) }
}
