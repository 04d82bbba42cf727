package import AuthStreams
public import Foundation

extension AppleWebProvider {
    /// Apple's endpoints.
    ///
    /// Constants instead of discovery: in June 2025 Apple's discovery document named another issuer than its tokens.
    public struct Endpoints: Equatable, Sendable {
        /// The `iss` of ID tokens.
        package var issuer: String
        /// The page.
        package var authorization: URL
        /// The keys of the ID tokens.
        package var keys: URL

        /// The app redeems nothing at Apple, which requires the secret of the server.
        var metadata: AuthorizationServerMetadata {
            AuthorizationServerMetadata(
                issuer: issuer, authorizationEndpoint: authorization, tokenEndpoint: nil, jwksURI: keys)
        }

        /// Apple's production endpoints.
        public static let production = Endpoints(
            issuer: "https://appleid.apple.com",
            authorization: URL(literal: "https://appleid.apple.com/auth/authorize"),
            keys: URL(literal: "https://appleid.apple.com/auth/keys"))

        /// The emulator's Apple: each `https://HOST/PATH` at `BASE/HOST/PATH`, the issuer likewise.
        public static func emulator(at base: URL) -> Endpoints {
            Endpoints(
                issuer: URL(literal: "https://appleid.apple.com").relocated(onto: base).absoluteString,
                authorization: production.authorization.relocated(onto: base),
                keys: production.keys.relocated(onto: base))
        }
    }
}

/// The nonce as Apple receives it and repeats it in the ID token: lower-case hex of the SHA-256 of the raw one.
///
/// Servers such as Firebase receive the raw nonce and hash it themselves.
package enum AppleNonce {
    package static func hashed(_ raw: Secret) -> String { SHA256.hex(raw.reveal()) }
}

/// The `user` field of Apple's first answer: `{"name":{"firstName":"…","lastName":"…"},"email":"…"}`.
enum AppleProfile {
    /// Reads the parts that are valid; `nil` if there are none.
    ///
    /// The field is unsigned and comes through the browser, so a malformed one does not fail the sign-in: the ID token
    /// identifies the person.
    static func parse(_ json: String) -> Credential.Profile? {
        guard let value = AuthJSON(json: Data(json.utf8)) else { return nil }
        let name = value["name"]
        let profile = Credential.Profile(
            name: PersonName(givenName: name?["firstName"]?.string, familyName: name?["lastName"]?.string),
            email: value["email"]?.text)
        return profile.isEmpty ? nil : profile
    }
}

/// The address that Apple shares in place of the person's own, where they hide it.
package enum AppleRelayAddress {
    /// The second one is that of addresses that Apple makes since the summer of 2026.
    private static let domains = ["@privaterelay.appleid.com", "@private.icloud.com"]

    /// Returns whether the address in an ID token is one; `nil` if the token does not say so.
    ///
    /// The claim is a truth value or its text. An address of Apple's relay is private regardless of the claim; without the claim,
    /// another address proves nothing.
    package static func isShared(by claims: AuthJSON) -> Bool? {
        let email = claims["email"]?.string?.lowercased() ?? ""
        if domains.contains(where: email.hasSuffix) { return true }
        return claims["is_private_email"]?.lenientBool
    }
}

/// Apple's errors beyond the codes of the specifications.
enum AppleErrors {
    static let dialect: OAuthFailure.Dialect = { failure in
        switch failure.error {
        case "user_cancelled_authorize": AuthError(.cancelled, "The person cancelled on Apple's page.")
        default: nil
        }
    }
}
