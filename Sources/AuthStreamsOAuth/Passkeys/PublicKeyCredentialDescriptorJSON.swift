import AuthStreams
package import Foundation

/// A passkey that the server knows (WebAuthn Level 3 section 5.8.3).
package struct PublicKeyCredentialDescriptorJSON: Hashable, Sendable {
    /// The only type of credentials that WebAuthn has.
    package static let type = "public-key"

    /// The identifier of the passkey.
    package let id: Data
    /// The ways to reach its authenticator, as far as they are known; none if the server does not say.
    package let transports: [AuthenticatorTransport]

    /// Makes a descriptor.
    package init(id: Data, transports: [AuthenticatorTransport] = []) {
        self.id = id
        self.transports = transports
    }

    /// Reads a descriptor; `nil` for one of an unknown type, which is to be ignored.
    ///
    /// - Throws: `invalidResponse` with the name of the member that is missing or malformed.
    init?(_ object: WebAuthnObject) throws(AuthError) {
        let type = try object.requiredText("type")
        id = try object.requiredBytes("id")
        transports = try (object.texts("transports") ?? []).map(AuthenticatorTransport.init(rawValue:)).filter(
            \.isKnown)
        guard type == Self.type else { return nil }
    }
}
