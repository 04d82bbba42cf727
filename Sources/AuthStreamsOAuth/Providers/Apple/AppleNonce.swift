package import AuthStreams

/// The nonce as Apple receives it and repeats it in the ID token: lower-case hex of the SHA-256 of the raw one.
///
/// Servers such as Firebase receive the raw nonce and hash it themselves.
package enum AppleNonce {
    package static func hashed(_ raw: Secret) -> String { SHA256.hex(raw.reveal()) }
}
