import AuthStreams

/// Random bytes as text, from a generator that is handed in.
package enum RandomBytes {
    /// That many random bytes in Base64url: 32 of them are 43 characters, as a PKCE verifier wants (RFC 7636 section 4.1).
    package static func base64URL(count: Int, using generator: inout some RandomNumberGenerator) -> String {
        Base64URL.encode((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
