import AuthStreams
import Foundation

extension AuthUser {
    /// The issuer that names the person by ``id``: the two are the person's identity (OpenID Connect Core section 5.7).
    var issuer: String? { claims["iss"]?.string }

    /// Returns whether the user is the person that an ID token's claims name.
    func isNamed(by claims: AuthJSON) -> Bool {
        claims["sub"] == .string(id) && claims["iss"] == self.claims["iss"]
    }

    /// Returns whether both users are one person.
    func isSamePerson(as other: AuthUser) -> Bool { id == other.id && claims["iss"] == other.claims["iss"] }

    /// Claims of the protocol, which say nothing about the person (OpenID Connect Core section 2).
    private static let protocolClaims: Set = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "jti", "nonce", "azp", "acr", "amr", "auth_time", "at_hash", "c_hash",
        "sid", "typ", "session_state",
    ]
    /// Claims that the user's properties have. `preferred_username` is not among them: a display name may stand in its
    /// place.
    private static let standardClaims: Set = ["email", "email_verified", "name", "picture"]

    /// The user with what the claims say (OpenID Connect Core section 5.1); what they leave out stays.
    init(_ user: AuthUser, updatedBy claims: AuthJSON) {
        self = user
        if let email = claims["email"]?.string, !email.isEmpty {
            // Some issuers write the truth value as a string, and some leave it out where they repeat the address.
            isEmailVerified = claims["email_verified"]?.lenientBool ?? (email == self.email && isEmailVerified)
            self.email = email
        }
        displayName = claims["name"]?.string ?? displayName ?? claims["preferred_username"]?.string
        photoURL = claims["picture"]?.string.flatMap(URL.init(string:)) ?? photoURL
        let others = (claims.object ?? [:]).filter {
            !Self.protocolClaims.contains($0.key) && !Self.standardClaims.contains($0.key)
        }
        self.claims.merge(others) { $1 }
    }
}
