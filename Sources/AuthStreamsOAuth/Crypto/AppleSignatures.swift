#if AUTH_CRYPTOKIT
    import CryptoKit
    import Foundation

    /// Signatures by the frameworks of Apple's systems: RSA by Security, P-256 by CryptoKit.
    struct AppleSignatures: SignatureBackend {
        func key(_ key: PublicKey) throws(SignatureError) -> any BackendKey {
            switch key {
            case .rsa(let modulus, let exponent): try SecurityKey(modulus: modulus, exponent: exponent)
            case .p256(let x, let y): try CryptoKitKey(x: x, y: y)
            }
        }

        func sign(_ message: Data, algorithm: JWSAlgorithm, privateKey: Data) throws(SignatureError) -> Data {
            if let key = try SecurityKey(privateKey: privateKey) { return try key.sign(message, algorithm: algorithm) }
            guard let signature = try? Self.ellipticKey(privateKey).signature(for: message) else { throw .failed }
            return signature.derRepresentation
        }

        func publicKey(ofPrivateKey privateKey: Data) throws(SignatureError) -> PublicKey {
            if let key = try SecurityKey(privateKey: privateKey) { return try key.publicKey() }
            // Both coordinates, 32 bytes each.
            let point = try Self.ellipticKey(privateKey).publicKey.rawRepresentation
            return .p256(x: Data(point.prefix(32)), y: Data(point.suffix(32)))
        }

        /// Reads the form of PKCS #8 or SEC 1.
        private static func ellipticKey(_ der: Data) throws(SignatureError) -> P256.Signing.PrivateKey {
            do { return try P256.Signing.PrivateKey(derRepresentation: der) } catch { throw .invalidKey }
        }
    }

    private struct CryptoKitKey: BackendKey {
        private let key: P256.Signing.PublicKey

        init(x: Data, y: Data) throws(SignatureError) {
            do { key = try P256.Signing.PublicKey(rawRepresentation: x + y) } catch { throw .invalidKey }
        }

        func verify(_ signature: Data, of message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Bool {
            guard algorithm == .es256 else { throw .keyDoesNotFit }
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: message)
        }
    }
#endif
