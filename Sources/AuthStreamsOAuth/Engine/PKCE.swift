public import AuthStreams
import Foundation

/// Proof Key for Code Exchange: the secret that binds the token request to this attempt (RFC 7636).
public struct PKCE: Sendable {
    /// The verifier, which is sent only with the token request: 43 characters of the unreserved set.
    public let verifier: Secret

    /// Makes a key of 256 random bits.
    public init(using generator: inout some RandomNumberGenerator) {
        verifier = Secret(RandomBytes.base64URL(count: 32, using: &generator))
    }

    /// Makes the key of a verifier: 43 to 128 characters of the unreserved set.
    public init(verifier: Secret) {
        self.verifier = verifier
    }

    /// The `S256` challenge, which is sent with the authorization request. The `plain` method is not offered.
    public var challenge: String {
        Base64URL.encode(SHA256.hash(verifier.reveal().utf8))
    }
}
