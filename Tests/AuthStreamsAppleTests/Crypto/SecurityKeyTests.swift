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
        .rsaSignatureMessagePKCS1v15SHA384: .rs384, .rsaSignatureMessagePSSSHA384: .ps384,
        .rsaSignatureMessagePKCS1v15SHA512: .rs512, .rsaSignatureMessagePSSSHA512: .ps512,
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

    @Test(arguments: [JWSAlgorithm.rs256, .rs384, .rs512, .ps256, .ps384, .ps512])
    func signatureIsMadeAndVerified(algorithm: JWSAlgorithm) throws {
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
        for algorithm in [JWSAlgorithm.es256, .es384, .es512, .edDSA] {
            #expect(throws: SignatureError.keyDoesNotFit) { try key.verify(Data(), of: message, algorithm: algorithm) }
        }
    }

    @Test func ellipticKeyIsLeftToCryptoKit() throws {
        #expect(try SecurityKey(privateKey: DevelopmentKeys.bytes(DevelopmentKeys.ellipticPrivateKey)) == nil)
    }
}
