import AuthStreams
import AuthStreamsOAuth
import Foundation

/// The emulator's cryptography: the package's own, with the development keys.
enum EmulatorCrypto {
    static var isAvailable: Bool { Signatures.isAvailable }

    private static let rsaKeys = [DevelopmentKeys.rsaPrivateKey, DevelopmentKeys.secondRSAPrivateKey].map(
        DevelopmentKeys.bytes)
    private static let rsaPublicKeys = [DevelopmentKeys.rsaModulus, DevelopmentKeys.secondRSAModulus].map {
        PublicKey.rsa(
            modulus: Base64URL.decode($0) ?? Data(),
            exponent: Base64URL.decode(DevelopmentKeys.rsaExponent) ?? Data())
    }
    private static let ellipticKey = DevelopmentKeys.bytes(DevelopmentKeys.ellipticPrivateKey)
    private static let ellipticPublicKey = PublicKey.elliptic(
        .p256, x: Base64URL.decode(DevelopmentKeys.ellipticX) ?? Data(),
        y: Base64URL.decode(DevelopmentKeys.ellipticY) ?? Data())

    /// - Parameter key: The number of the key: odd ones are the first key, even ones the second.
    static func rs256(_ input: Data, key: Int = 1) -> Data? {
        try? Signatures.sign(input, algorithm: .rs256, privateKey: rsaKeys[key.isMultiple(of: 2) ? 1 : 0])
    }

    static func isRS256(_ signature: Data, of input: Data) -> Bool {
        rsaPublicKeys.contains {
            (try? Signatures.verify(signature, of: input, algorithm: .rs256, key: $0)) ?? false
        }
    }

    static func es256(_ input: Data) -> Data? {
        try? Signatures.sign(input, algorithm: .es256, privateKey: ellipticKey)
    }

    static func isES256(_ signature: Data, of input: Data) -> Bool {
        (try? Signatures.verify(signature, of: input, algorithm: .es256, key: ellipticPublicKey)) ?? false
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
