package import AuthStreams

/// What one attempt makes for itself and keeps to itself: `state`, `nonce` and the PKCE verifier.
///
/// Made anew for every attempt, and used once (RFC 6749 section 10.12, RFC 7636 section 4.1, OpenID Connect Core 3.1.2.1).
package struct AuthorizationSecrets: Sendable {
    package let state: Secret
    package let nonce: Secret
    package let proofKey: PKCE

    /// - Parameter generator: Where the 256 bits of each come from.
    package init(using generator: inout some RandomNumberGenerator) {
        state = Secret(RandomBytes.base64URL(count: 32, using: &generator))
        nonce = Secret(RandomBytes.base64URL(count: 32, using: &generator))
        proofKey = PKCE(using: &generator)
    }

    /// Made from the system's generator.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }
}
