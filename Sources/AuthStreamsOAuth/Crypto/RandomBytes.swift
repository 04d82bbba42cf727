import AuthStreams

/// Unguessable values: `state`, `nonce`, code verifiers.
package enum RandomBytes {
    /// Returns random bytes in Base64URL: four characters for three bytes, all of them unreserved in URLs.
    ///
    /// 32 bytes give the 43 characters of a code verifier (RFC 7636 section 4.1).
    ///
    /// - Parameter count: The number of random bytes, not of characters. A negative one counts as 0.
    package static func base64URL(count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return base64URL(count: count, using: &generator)
    }

    /// Returns random bytes of the given generator in Base64URL.
    package static func base64URL(count: Int, using generator: inout some RandomNumberGenerator) -> String {
        Base64URL.encode(bytes(count: count, using: &generator))
    }

    /// Returns random bytes of the given generator.
    package static func bytes(count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, count))
        // Each word of the system's generator is a system call, so all of its bytes are used.
        while bytes.count < count {
            withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
        }
        return bytes
    }
}
