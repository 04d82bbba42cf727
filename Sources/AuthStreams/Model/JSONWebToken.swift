import Foundation

/// The claims of a JSON Web Token (RFC 7519), without verification.
///
/// A caller that relies on a claim checks issuer, audience, expiry, nonce and signature, or has the token directly from
/// the server that issued it.
package struct JSONWebToken: Sendable {
    package let header: JSONValue
    package let claims: JSONValue

    /// `nil` unless the text is three Base64url parts whose first two are JSON objects.
    package init?(_ token: Secret) {
        // Byte by byte: searching a `String` for characters takes longer than reading the token.
        let parts = token.reveal().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]) else {
            return nil
        }
        self.header = header
        self.claims = claims
    }

    private static func object(_ part: Substring.UTF8View) -> JSONValue? {
        guard let data = Base64URL.decode(String(Substring(part))),
            let value = JSONValue(json: data),
            value.object != nil
        else { return nil }
        return value
    }
}

extension JSONWebToken: CustomStringConvertible, CustomReflectable {
    /// Always `<redacted>`: the claims hold the nonce, among other things.
    package var description: String { "<redacted>" }
    /// A mirror without children, so `dump` and reflection find no claim.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
