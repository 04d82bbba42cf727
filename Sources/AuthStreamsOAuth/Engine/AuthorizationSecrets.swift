public import AuthStreams
import Foundation

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
    package init(using generator: inout some RandomNumberGenerator) {
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

extension AuthorizationSecrets {
    /// The nonce that the ID token of a request has to repeat.
    func nonce(for request: AuthRequest) -> Secret {
        request.hashesNonce ? Secret(SHA256.hex(nonce.reveal())) : nonce
    }
}

/// Proof Key for Code Exchange: the secret that binds the token request to this attempt (RFC 7636).
public struct PKCE: Sendable {
    /// The verifier, which is sent only with the token request: 43 characters of the unreserved set.
    public let verifier: Secret

    /// Makes a key of 256 random bits.
    package init(using generator: inout some RandomNumberGenerator) {
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
