import Foundation

/// The claims of a JSON Web Token (RFC 7519), without verification.
///
/// A caller that relies on a claim checks issuer, audience, expiry, nonce and signature, or has the token directly from
/// the server that issued it.
package struct JSONWebToken: Sendable {
    package let header: AuthJSON
    package let claims: AuthJSON
    private let texts: [Data]

    /// `nil` unless the text is three Base64url parts whose first two are JSON objects.
    package init?(_ token: Secret) {
        // Byte by byte: searching a `String` for characters takes longer than reading the token.
        let parts = token.reveal().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        texts = parts.prefix(2).compactMap { Base64URL.decode(String(Substring($0))) }
        let objects = texts.compactMap { AuthJSON(json: $0) }.filter { $0.object != nil }
        guard objects.count == 2 else { return nil }
        (header, claims) = (objects[0], objects[1])
    }

    /// Whether the header or the claims name a member twice.
    package var repeatsMember: Bool { texts.contains(where: AuthJSON.repeatsMember) }
}

extension JSONWebToken: DescriptionOnly {
    /// Always `<redacted>`: the claims hold the nonce, among other things.
    package var description: String { "<redacted>" }
}
