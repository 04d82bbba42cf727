import AuthStreams
import Foundation

/// Makes and reads the project's own tokens: ID tokens of Secure Token and custom tokens of the service account.
struct FirebaseTokens {
    static let lifetime: TimeInterval = 3600
    /// The service account of Secure Token, whose key signs the ID tokens of every project.
    static let keyHost = "securetoken@system.gserviceaccount.com"
    /// The issuer of session cookies, whose key signs them.
    static let cookieKeyHost = "session.firebase.google.com"
    static let customTokenAudience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    /// Claims that a custom token may not have, because the ID token has them itself.
    static let reservedClaims: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "cnf", "c_hash", "exp", "firebase", "iat", "iss", "jti",
        "nbf", "nonce", "sub",
    ]

    let context: EmulatorContext

    private var project: EmulatorConfiguration.Firebase { context.configuration.firebase }

    /// Production's issuer, unchanged: it names a project and is not an address.
    private var issuer: String { "https://securetoken.google.com/\(project.projectID)" }

    /// Makes an ID token for a user, valid for an hour from now.
    func idToken(for account: FirebaseAccount, grant: FirebaseAccounts.Grant, fault: EmulatorFault.Token?) -> String {
        let now = Int64(context.now.timeIntervalSince1970)
        var claims = account.claims.merging(grant.claims) { $1 }
        claims["iss"] = .string(issuer)
        claims["aud"] = .string(project.projectID)
        claims["auth_time"] = .integer(Int64(grant.signedInAt.timeIntervalSince1970))
        claims["user_id"] = .string(account.id)
        claims["sub"] = .string(account.id)
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + Int64(Self.lifetime))
        claims["email"] = account.email.map(AuthJSON.string)
        claims["email_verified"] = account.email.map { _ in .bool(account.isEmailVerified) }
        claims["name"] = account.displayName.map(AuthJSON.string) ?? claims["name"]
        claims["picture"] = account.photoURL.map(AuthJSON.string) ?? claims["picture"]
        var identities: [String: AuthJSON] = [:]
        if let email = account.email { identities["email"] = [.string(email)] }
        for identity in account.identities { identities[identity.providerID] = [.string(identity.rawID)] }
        if grant.signInProvider == "anonymous" { claims["provider_id"] = "anonymous" }
        var firebase: [String: AuthJSON] = [
            "identities": .object(identities), "sign_in_provider": .string(grant.signInProvider),
        ]
        if let factor = grant.secondFactor {
            firebase["sign_in_second_factor"] = "totp"
            firebase["second_factor_identifier"] = .string(factor)
        }
        claims["firebase"] = .object(firebase)
        return signed(claims, byKeyOf: Self.keyHost, fault: fault)
    }

    /// Makes a session cookie of an ID token's claims, as `createSessionCookie` of an Admin SDK does.
    func sessionCookie(_ claims: [String: AuthJSON], lifetime: Int64) -> String {
        let now = Int64(context.now.timeIntervalSince1970)
        let own: [String: AuthJSON] = [
            "iss": .string("https://\(Self.cookieKeyHost)/\(project.projectID)"), "iat": .integer(now),
            "exp": .integer(now + lifetime),
        ]
        return signed(claims.merging(own) { $1 }, byKeyOf: Self.cookieKeyHost, fault: nil)
    }

    private func signed(_ claims: [String: AuthJSON], byKeyOf host: String, fault: EmulatorFault.Token?) -> String {
        context.signer.idToken(claims, host: host, algorithm: project.signsTokens ? "RS256" : "none", fault: fault)
    }

    /// Whether the key of that host signed a token, or it is unsigned, as this project's are.
    private func isGenuine(_ jwt: JSONWebToken, _ token: String, byKeyOf host: String) -> Bool {
        isUnsigned(jwt, token) || context.signer.verifies(jwt, token, byKeyOf: host)
    }

    private func isUnsigned(_ jwt: JSONWebToken, _ token: String) -> Bool {
        !project.signsTokens && token.hasSuffix(".") && jwt.header["alg"] == "none"
    }

    /// Returns the claims of a valid ID token of this project, for any user.
    func claims(ofIDToken token: String) throws(IdentityToolkitError) -> [String: AuthJSON] {
        let now = context.now.timeIntervalSince1970
        guard let jwt = JSONWebToken(Secret(token)), let claims = jwt.claims.object,
            isGenuine(jwt, token, byKeyOf: Self.keyHost), claims["iss"]?.string == issuer,
            claims["aud"]?.string == project.projectID,
            let expiry = claims["exp"]?.lenientInteger, now < TimeInterval(expiry)
        else { throw IdentityToolkitError("INVALID_ID_TOKEN") }
        return claims
    }

    /// Makes a custom token of the project's service account, valid for an hour.
    func customToken(uid: String, claims: [String: AuthJSON]) -> String {
        let now = Int64(context.now.timeIntervalSince1970)
        var token: [String: AuthJSON] = [
            "iss": .string(project.serviceAccount), "sub": .string(project.serviceAccount),
            "aud": .string(Self.customTokenAudience), "uid": .string(uid),
            "iat": .integer(now), "exp": .integer(now + Int64(Self.lifetime)),
        ]
        if !claims.isEmpty { token["claims"] = .object(claims) }
        return context.signer.token(token, host: project.serviceAccount)
    }

    /// Returns the uid and claims of a valid custom token of this project.
    func read(customToken token: String) throws(IdentityToolkitError) -> (uid: String, claims: [String: AuthJSON]) {
        guard let jwt = JSONWebToken(Secret(token)), let claims = jwt.claims.object else {
            throw Self.refused("It is no JWT.")
        }
        guard claims["aud"]?.string == Self.customTokenAudience else { throw Self.refused("The audience is wrong.") }
        // An Admin SDK that was told of an emulator has no key, and names this account.
        let signers = [project.serviceAccount] + (isUnsigned(jwt, token) ? ["firebase-auth-emulator@example.com"] : [])
        guard signers.contains(claims["iss"]?.string ?? ""), claims["sub"] == claims["iss"] else {
            throw IdentityToolkitError("CREDENTIAL_MISMATCH", "The custom token is another project's.")
        }
        guard isGenuine(jwt, token, byKeyOf: project.serviceAccount) else {
            throw Self.refused("The signature is wrong.")
        }
        guard let issued = claims["iat"]?.lenientInteger, let expiry = claims["exp"]?.lenientInteger,
            TimeInterval(expiry) - TimeInterval(issued) <= Self.lifetime
        else { throw Self.refused("It must be good for an hour at most.") }
        let now = context.now.timeIntervalSince1970
        guard now < TimeInterval(expiry) else { throw Self.refused("It is expired.") }
        guard TimeInterval(issued) <= now + 60 else { throw Self.refused("It was issued in the future.") }
        guard let uid = claims["uid"]?.string, (1...128).contains(uid.count) else {
            throw Self.refused("The uid must have 1 to 128 characters.")
        }
        let custom = claims["claims"]?.object ?? [:]
        guard Self.reservedClaims.isDisjoint(with: custom.keys) else { throw Self.refused("A claim is reserved.") }
        guard AuthJSON.object(custom).data.count <= 1000 else { throw Self.refused("The claims are too large.") }
        return (uid, custom)
    }

    private static func refused(_ detail: String) -> IdentityToolkitError {
        IdentityToolkitError("INVALID_CUSTOM_TOKEN", detail)
    }
}
