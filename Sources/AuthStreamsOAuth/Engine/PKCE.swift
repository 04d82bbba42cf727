package import AuthStreams
import Foundation

/// Proof Key for Code Exchange: the secret that binds the token request to this attempt (RFC 7636).
package struct PKCE: Sendable {
    /// The verifier, which is sent only with the token request: 43 characters of the unreserved set.
    package let verifier: Secret

    package init(using generator: inout some RandomNumberGenerator) {
        verifier = Secret(RandomBytes.base64URL(count: 32, using: &generator))
    }

    package init(verifier: Secret) {
        self.verifier = verifier
    }

    /// The `S256` challenge, which is sent with the authorization request. The `plain` method is not offered.
    package var challenge: String {
        Base64URL.encode(SHA256.hash(verifier.reveal().utf8))
    }
}
