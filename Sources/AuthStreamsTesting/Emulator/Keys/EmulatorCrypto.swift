import AuthStreams
import AuthStreamsOAuth
import Foundation

/// What the emulator needs of cryptography, over the package's own.
enum EmulatorCrypto {
    static var isAvailable: Bool { false }

    static func rs256(_ input: Data) -> Data? { nil }

    static func isRS256(_ signature: Data, of input: Data) -> Bool { false }

    static func es256(_ input: Data) -> Data? { nil }

    static func isES256(_ signature: Data, of input: Data) -> Bool { false }

    static func sha256(_ text: String) -> Data { Data(SHA256.hash(text.utf8)) }

    /// The left half of a token's hash, as `at_hash` and `c_hash` have it (OpenID Connect Core 3.1.3.6).
    static func halfHash(_ token: String) -> String { Base64URL.encode(sha256(token).prefix(16)) }
}
