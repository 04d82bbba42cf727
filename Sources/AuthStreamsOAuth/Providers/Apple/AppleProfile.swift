package import AuthStreams
import Foundation

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
    /// Apple uses both domains.
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
