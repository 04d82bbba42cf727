public import AuthStreams

/// The secrets of one attempt: `state`, `nonce` and the PKCE verifier.
///
/// Generated for every attempt and used once (RFC 6749 section 10.12, RFC 7636 section 4.1, OpenID Connect Core
/// 3.1.2.1).
public struct AuthorizationSecrets: Sendable {
    /// The `state`: 256 random bits in Base64url, 43 characters.
    public let state: Secret
    /// The nonce before any hashing: 256 random bits in Base64url, 43 characters.
    public let nonce: Secret
    /// The key that binds the token request to the attempt.
    public let proofKey: PKCE

    /// - Parameter generator: The source of the 256 bits of each.
    public init(using generator: inout some RandomNumberGenerator) {
        state = Secret(RandomBytes.base64URL(count: 32, using: &generator))
        nonce = Secret(RandomBytes.base64URL(count: 32, using: &generator))
        proofKey = PKCE(using: &generator)
    }

    /// Makes secrets with the system's generator.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }
}
