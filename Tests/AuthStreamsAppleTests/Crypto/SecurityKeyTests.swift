import Foundation
import Security
import TestSupport
import Testing

@testable import AuthStreamsOAuth
@testable import AuthStreamsTesting

/// What is handed to Apple's Security framework: keys in the form of PKCS #1, and the algorithms' names. The system's
/// libcrypto computes in its place.
@Suite(.appleDevice, .enabled(if: Signatures.isAvailable)) struct SecurityKeyTests {
    private static let names: [SecKeyAlgorithm: JWSAlgorithm] = [
        .rsaSignatureMessagePKCS1v15SHA256: .rs256, .rsaSignatureMessagePSSSHA256: .ps256,
    ]
    private let privateKey = DevelopmentKeys.bytes(DevelopmentKeys.rsaPrivateKey)
    private let message = Data("a message".utf8)

    init() {
        AppleDevice.verifiesSignatures = { key, name, message, signature in
            guard let key = PublicKey(rsaPublicKey: key), let algorithm = Self.names[name] else { return false }
            return (try? Signatures.verify(signature, of: message, algorithm: algorithm, key: key)) ?? false
        }
        AppleDevice.makesSignatures = { key, name, message in
            Self.names[name].flatMap { try? Signatures.sign(message, algorithm: $0, privateKey: key) }
        }
    }

    private func publicKey() throws -> SecurityKey {
        guard case .rsa(let modulus, let exponent) = try Signatures.publicKey(ofPrivateKey: privateKey) else {
            throw SignatureError.invalidKey
        }
        return try SecurityKey(modulus: modulus, exponent: exponent)
    }

    @Test(arguments: [JWSAlgorithm.rs256, .ps256]) func signatureIsMadeAndVerified(algorithm: JWSAlgorithm) throws {
        let signature = try #require(try SecurityKey(privateKey: privateKey)).sign(message, algorithm: algorithm)
        #expect(try publicKey().verify(signature, of: message, algorithm: algorithm))
        #expect(try !publicKey().verify(signature, of: Data("other".utf8), algorithm: algorithm))
        #expect(try !publicKey().verify(Data(), of: message, algorithm: algorithm))
    }

    @Test func publicHalfIsThatOfThePrivateKey() throws {
        let key = try #require(try SecurityKey(privateKey: privateKey))
        #expect(try key.publicKey() == Signatures.publicKey(ofPrivateKey: privateKey))
    }

    @Test func keyMustFitTheAlgorithm() throws {
        let key = try publicKey()
        #expect(throws: SignatureError.keyDoesNotFit) { try key.verify(Data(), of: message, algorithm: .es256) }
    }

    @Test func ellipticKeyIsLeftToCryptoKit() throws {
        #expect(try SecurityKey(privateKey: DevelopmentKeys.bytes(DevelopmentKeys.ellipticPrivateKey)) == nil)
    }
}
