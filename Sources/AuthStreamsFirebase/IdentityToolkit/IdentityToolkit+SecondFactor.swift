import AuthStreams
import Foundation

/// Second factors by an authenticator app (RFC 6238).
///
/// Firebase asks for one after a password, a mail link and an identity provider, and not after a custom token. Factors by text
/// message would require APNs or reCAPTCHA.
///
/// <https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaSignIn>
extension IdentityToolkit {
    /// Completes a sign-in with the code of an authenticator app: `accounts/mfaSignIn:finalize`.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - factor: The identifier of the factor.
    ///   - pendingCredential: Firebase's token of the sign-in that is not complete.
    func completeSignIn(
        with code: Secret, of factor: Secret, pendingCredential: Secret
    ) async throws(AuthError) -> Tokens {
        let body: [String: AuthJSON] = [
            "mfaPendingCredential": .string(pendingCredential.reveal()),
            "mfaEnrollmentId": .string(factor.reveal()),
            "totpVerificationInfo": ["verificationCode": .string(code.reveal())],
        ]
        return try Tokens(
            signIn: try await post(inTenant(body), to: "finalize", of: "accounts/mfaSignIn", version: 2))
    }

    /// Begins to add an authenticator app to the user of an ID token: `accounts/mfaEnrollment:start`.
    ///
    /// - Parameter account: What the app shows as the account, beside the project.
    /// - Returns: A challenge with the secret, whose pending token is the session of the enrollment.
    func startEnrollment(of idToken: Secret, account: String) async throws(AuthError) -> Challenge {
        let body: [String: AuthJSON] = ["idToken": .string(idToken.reveal()), "totpEnrollmentInfo": [:]]
        let answer = try await post(inTenant(body), to: "start", of: "accounts/mfaEnrollment", version: 2)
        guard let info = answer["totpSessionInfo"], let secret = info["sharedSecretKey"]?.text,
            let session = info["sessionInfo"]?.text
        else {
            throw AuthError(.invalidResponse, "The answer has no secret for the authenticator app, or no session.")
        }
        let length =
            info["verificationCodeLength"]?.lenientInteger
            .flatMap { (1...64).contains($0) ? Int($0) : nil } ?? 6
        let url = AuthenticatorURL(
            secret: secret, issuer: project.id, account: account, algorithm: info["hashingAlgorithm"]?.text,
            digits: length, period: info["periodSec"]?.lenientInteger)
        return Challenge(
            .enrollment(.init(secret: Secret(secret), url: Secret(url.text), length: length)),
            pendingToken: Secret(session),
            expiresIn: info["finalizeEnrollmentTime"]?.text.flatMap { Self.wait(until: $0, from: answer.date) })
    }

    /// The wait until a time in RFC 3339 by the server's clock; `nil` if either is not known.
    private static func wait(until text: String, from now: Date?) -> Duration? {
        // Google writes up to nine decimals, which no parser of dates reads everywhere.
        let whole = text.replacing(/\.[0-9]+/, with: "")
        guard let now, let end = try? Date(whole, strategy: .iso8601), end > now else { return nil }
        return .seconds(min(end.timeIntervalSince(now).rounded(.down), 86_400))
    }

    /// Adds the authenticator app by its first code: `accounts/mfaEnrollment:finalize`.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - name: What the person calls the factor. Production refuses a factor without a name.
    ///   - session: The session of the enrollment.
    ///   - idToken: The ID token of the user.
    /// - Returns: New tokens; `nil` if the answer has none.
    func completeEnrollment(
        with code: Secret, named name: String, session: Secret, of idToken: Secret
    ) async throws(AuthError) -> Tokens? {
        let body: [String: AuthJSON] = [
            "idToken": .string(idToken.reveal()), "displayName": .string(name),
            "totpVerificationInfo": [
                "sessionInfo": .string(session.reveal()), "verificationCode": .string(code.reveal()),
            ],
        ]
        return try Tokens(
            update: try await post(inTenant(body), to: "finalize", of: "accounts/mfaEnrollment", version: 2))
    }

    /// Removes a second factor: `accounts/mfaEnrollment:withdraw`.
    ///
    /// - Returns: New tokens, since the removal ends the other sessions; `nil` if the answer has none.
    func withdraw(_ factor: Challenge.Factor.ID, from idToken: Secret) async throws(AuthError) -> Tokens? {
        let body: [String: AuthJSON] = ["idToken": .string(idToken.reveal()), "mfaEnrollmentId": .string(factor)]
        return try Tokens(
            update: try await post(inTenant(body), to: "withdraw", of: "accounts/mfaEnrollment", version: 2))
    }

    /// Returns the second factors of the user of an ID token, of every kind: `accounts:lookup`.
    func secondFactors(of idToken: Secret) async throws(AuthError) -> [Challenge.Factor] {
        try await lookedUp(idToken, FirebaseClaims(idToken)).account.secondFactors
    }
}

extension AuthJSON {
    /// The second factors of the member `mfaInfo`. A message shows a part of its address at most.
    fileprivate var secondFactors: [Challenge.Factor] { Self.secondFactors(in: self["mfaInfo"]) }

    fileprivate static func secondFactors(in mfaInfo: AuthJSON?) -> [Challenge.Factor] {
        (mfaInfo?.array ?? []).compactMap { info in
            guard let id = info["mfaEnrollmentId"]?.text else { return nil }
            let kinds = [("totp", "totpInfo"), ("sms", "phoneInfo"), ("email", "emailInfo")]
            let kind = kinds.first { ![nil, .null].contains(info[$0.1]) }?.0 ?? "unknown"
            return Challenge.Factor(id: id, kind: kind, name: info["displayName"]?.text ?? info["phoneInfo"]?.text)
        }
    }
}

extension AuthError {
    /// The refusal in a 200 that asks for a second factor; `nil` if it asks for none.
    init?(secondFactorIn members: [String: AuthJSON]) {
        let factors = AuthJSON.secondFactors(in: members["mfaInfo"])
        guard let pending = members["mfaPendingCredential"]?.text else {
            guard !factors.isEmpty, members["idToken"]?.text == nil else { return nil }
            self.init(
                .invalidResponse,
                "The answer asks for a second factor, and has no credential for the sign-in till then.")
            return
        }
        let apps = factors.filter { $0.kind == "totp" }
        guard let first = apps.first else {
            self.init(
                .secondFactorRequired,
                "The account's second factors are not authenticator apps. Text messages require APNs or reCAPTCHA: sign in with "
                    + "Firebase's SDK.")
            return
        }
        // Firebase refuses the pending credential of an authenticator app after five minutes, as recordings of production show.
        let challenge = Challenge(.factors(apps), pendingToken: Secret(pending), expiresIn: .seconds(300))
        self = .asking(apps.count > 1 ? challenge : challenge.forCode(of: first.id))
    }

    /// The error that asks for an answer to a challenge of a sign-in.
    static func asking(_ challenge: Challenge) -> Self {
        AuthError(
            .secondFactorRequired, "The account has an authenticator app as a second factor.", challenge: challenge)
    }
}

extension Challenge {
    /// The names of ``context``.
    enum Context {
        static let factor = "factor"
        static let provider = "provider"
        static let name = "name"
    }

    /// The challenge for the code of one factor.
    func forCode(of factor: Factor.ID) -> Challenge {
        var challenge = self
        challenge.step = .code(.init(length: 6))
        challenge.context[Context.factor] = Secret(factor)
        return challenge
    }
}

/// The URL by which an authenticator app takes a secret. Apps agree on it; no standard describes it
/// (<https://github.com/google/google-authenticator/wiki/Key-Uri-Format>).
struct AuthenticatorURL {
    let text: String

    init(secret: String, issuer: String, account: String, algorithm: String?, digits: Int, period: Int64?) {
        let query = FormCoding.encode([
            ("secret", secret), ("issuer", issuer), ("algorithm", algorithm ?? "SHA1"), ("digits", "\(digits)"),
            ("period", "\(period ?? 30)"),
        ])
        text = "otpauth://totp/\(FormCoding.escape(issuer)):\(FormCoding.escape(account))?\(query)"
    }
}
