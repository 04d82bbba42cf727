#if AUTH_CRYPTOKIT
    import CryptoKit
    import Foundation

    /// Signatures by the frameworks of Apple's systems: RSA by Security, elliptic curves and Ed25519 by CryptoKit.
    struct AppleSignatures: SignatureBackend {
        func key(_ key: PublicKey) throws(SignatureError) -> any BackendKey {
            switch key {
            case .rsa(let modulus, let exponent): try SecurityKey(modulus: modulus, exponent: exponent)
            case .elliptic(let curve, let x, let y): try CryptoKitKey(curve, x: x, y: y)
            case .ed25519(let point): try CryptoKitKey(ed25519: point)
            }
        }

        func sign(_ message: Data, algorithm: JWSAlgorithm, privateKey: Data) throws(SignatureError) -> Data {
            if let key = try SecurityKey(privateKey: privateKey) { return try key.sign(message, algorithm: algorithm) }
            do {
                // Each curve signs with the hash function that RFC 7518 section 3.4 pairs it with.
                switch algorithm {
                case .es256:
                    return try P256.Signing.PrivateKey(derRepresentation: privateKey).signature(for: message)
                        .derRepresentation
                case .es384:
                    return try P384.Signing.PrivateKey(derRepresentation: privateKey).signature(for: message)
                        .derRepresentation
                case .es512:
                    return try P521.Signing.PrivateKey(derRepresentation: privateKey).signature(for: message)
                        .derRepresentation
                case .edDSA: return try Self.ed25519Key(privateKey).signature(for: message)
                case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: break
                }
            } catch { throw .failed }
            throw .keyDoesNotFit
        }

        func publicKey(ofPrivateKey privateKey: Data) throws(SignatureError) -> PublicKey {
            if let key = try SecurityKey(privateKey: privateKey) { return try key.publicKey() }
            if let key = try? Self.ed25519Key(privateKey) { return .ed25519(key.publicKey.rawRepresentation) }
            // Each reads the forms of PKCS #8 and SEC 1, and refuses another curve.
            let numbers: PublicKey? =
                if let key = try? P256.Signing.PrivateKey(derRepresentation: privateKey) {
                    PublicKey(.p256, coordinates: key.publicKey.rawRepresentation)
                } else if let key = try? P384.Signing.PrivateKey(derRepresentation: privateKey) {
                    PublicKey(.p384, coordinates: key.publicKey.rawRepresentation)
                } else if let key = try? P521.Signing.PrivateKey(derRepresentation: privateKey) {
                    PublicKey(.p521, coordinates: key.publicKey.rawRepresentation)
                } else {
                    nil
                }
            guard let numbers else { throw .invalidKey }
            return numbers
        }

        func makePrivateKey() -> Data { P256.Signing.PrivateKey().derRepresentation }

        func hash(_ bytes: [UInt8], by algorithm: HashAlgorithm) -> [UInt8]? {
            switch algorithm {
            case .sha256: Array(SHA256.hash(data: bytes))
            case .sha384: Array(SHA384.hash(data: bytes))
            case .sha512: Array(SHA512.hash(data: bytes))
            }
        }

        private static func ed25519Key(_ der: Data) throws -> Curve25519.Signing.PrivateKey {
            guard let bytes = PublicKey.ed25519PrivateKey(der) else { throw SignatureError.invalidKey }
            return try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        }
    }

    private enum CryptoKitKey: BackendKey {
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)

        init(_ curve: EllipticCurve, x: Data, y: Data) throws(SignatureError) {
            do {
                switch curve {
                case .p256: self = .p256(try P256.Signing.PublicKey(rawRepresentation: x + y))
                case .p384: self = .p384(try P384.Signing.PublicKey(rawRepresentation: x + y))
                case .p521: self = .p521(try P521.Signing.PublicKey(rawRepresentation: x + y))
                }
            } catch { throw .invalidKey }
        }

        init(ed25519 point: Data) throws(SignatureError) {
            do { self = .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: point)) } catch {
                throw .invalidKey
            }
        }

        func verify(_ signature: Data, of message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Bool {
            switch (self, algorithm) {
            case (.p256(let key), .es256):
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
                return signature.map { key.isValidSignature($0, for: message) } ?? false
            case (.p384(let key), .es384):
                let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature)
                return signature.map { key.isValidSignature($0, for: message) } ?? false
            case (.p521(let key), .es512):
                let signature = try? P521.Signing.ECDSASignature(derRepresentation: signature)
                return signature.map { key.isValidSignature($0, for: message) } ?? false
            case (.ed25519(let key), .edDSA): return key.isValidSignature(signature, for: message)
            default: throw .keyDoesNotFit
            }
        }
    }
#endif
