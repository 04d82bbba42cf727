import AuthStreams

/// Unguessable values: `state`, `nonce`, code verifiers.
package enum RandomBytes {
    /// Returns random bytes in Base64URL: four characters for three bytes, all of them unreserved in URLs.
    ///
    /// 32 bytes give the 43 characters that RFC 7636 section 4.1 asks of a code verifier.
    ///
    /// - Parameter count: The number of random bytes, not of characters. A negative one counts as 0.
    package static func base64URL(count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return base64URL(count: count, using: &generator)
    }

    /// Returns random bytes in Base64URL, from the generator given.
    package static func base64URL(count: Int, using generator: inout some RandomNumberGenerator) -> String {
        Base64URL.encode(bytes(count: count, using: &generator))
    }

    /// Returns random bytes from the generator given.
    package static func bytes(count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<max(0, count)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
