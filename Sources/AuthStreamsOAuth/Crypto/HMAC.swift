import AuthStreams
import Foundation

/// HMAC with SHA-256 (RFC 2104), for ID tokens that are signed with the client's secret (RFC 7518 section 3.2).
package enum HMAC {
    /// The name of the algorithm in a token's header.
    static let algorithm = "HS256"

    /// Returns the authentication code of a message.
    package static func code(of message: some Sequence<UInt8>, key: some Collection<UInt8>) -> [UInt8] {
        let size = SHA256.blockSize
        // A longer key is hashed, a shorter one is padded with zeros.
        let short = key.count > size ? SHA256.hash(key) : Array(key)
        let padded = short + [UInt8](repeating: 0, count: size - short.count)
        return SHA256.hash(padded.map { $0 ^ 0x5C } + SHA256.hash(padded.map { $0 ^ 0x36 } + message))
    }

    /// Returns whether the client's secret signed a JSON Web Token.
    static func isSigned(_ token: Secret, with secret: Secret) -> Bool {
        let text = token.reveal().utf8
        guard !secret.isEmpty, let dot = text.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let signature = String(Substring(text[text.index(after: dot)...]))
        // `Secret` compares in constant time.
        return Secret(signature) == Secret(Base64URL.encode(code(of: text[..<dot], key: Array(secret.reveal().utf8))))
    }
}
