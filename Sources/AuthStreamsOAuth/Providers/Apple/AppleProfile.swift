import AuthStreams
import Foundation

/// The `user` field of Apple's first answer: `{"name":{"firstName":"…","lastName":"…"},"email":"…"}`.
enum AppleProfile {
    /// Reads the parts that are valid; `nil` if there are none.
    ///
    /// The field is unsigned and comes through the browser, so a malformed one does not fail the sign-in: the ID token
    /// identifies the person.
    static func parse(_ json: String) -> Credential.Profile? {
        guard let value = JSONValue(json: Data(json.utf8)) else { return nil }
        let profile = Credential.Profile(
            givenName: text(value["name"]?["firstName"]), familyName: text(value["name"]?["lastName"]),
            email: text(value["email"]))
        return profile.isEmpty ? nil : profile
    }

    private static func text(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}
