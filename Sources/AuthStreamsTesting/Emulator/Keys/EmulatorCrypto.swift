import AuthStreams
import AuthStreamsOAuth
import Foundation

/// The emulator's cryptography: the package's own, with the development keys.
enum EmulatorCrypto {
    static var isAvailable: Bool { Signatures.isAvailable }

    // Read once: reading a key takes several times as long as a signature takes to be verified.
    private static let rsaKeys = [DevelopmentKeys.rsaPrivateKey, DevelopmentKeys.secondRSAPrivateKey].map(signingKey)
    private static let ellipticKey = signingKey(DevelopmentKeys.ellipticPrivateKey)
    private static let rsaPublicKeys = rsaKeys.compactMap(verificationKey)
    private static let ellipticPublicKey = verificationKey(ellipticKey)

    private static func signingKey(_ base64: String) -> SigningKey? { try? SigningKey(DevelopmentKeys.bytes(base64)) }

    private static func verificationKey(_ key: SigningKey?) -> VerificationKey? {
        key.flatMap { try? VerificationKey($0.publicKey) }
    }

    /// - Parameter key: The number of the key: odd ones are the first key, even ones the second.
    static func rs256(_ input: Data, key: Int = 1) -> Data? {
        try? rsaKeys[key.isMultiple(of: 2) ? 1 : 0]?.sign(input, algorithm: .rs256)
    }

    static func isRS256(_ signature: Data, of input: Data) -> Bool {
        rsaPublicKeys.contains { (try? $0.verify(signature, of: input, algorithm: .rs256)) ?? false }
    }

    static func es256(_ input: Data) -> Data? { try? ellipticKey?.sign(input, algorithm: .es256) }

    static func isES256(_ signature: Data, of input: Data) -> Bool {
        (try? ellipticPublicKey?.verify(signature, of: input, algorithm: .es256)) ?? false
    }

    static func sha256(_ text: String) -> Data { Data(SHA256.hash(text.utf8)) }

    /// Returns the left half of a token's hash, for `at_hash` and `c_hash` (OpenID Connect Core 3.1.3.6).
    static func halfHash(_ token: String) -> String { Base64URL.encode(sha256(token).prefix(16)) }

    /// Reports, once per process, that tokens are unsigned because the system has no library for signatures.
    static let notice: Void = {
        guard !isAvailable else { return }
        let text = "The emulator found no libcrypto on this system, so its tokens are unsigned.\n"
        FileHandle.standardError.write(Data(text.utf8))
    }()
}
