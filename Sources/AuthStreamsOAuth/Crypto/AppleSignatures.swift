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

        func privateKey(_ der: Data) throws(SignatureError) -> any BackendPrivateKey {
            if let key = try SecurityKey(privateKey: der) { return key }
            return try CryptoKitPrivateKey(der)
        }

        func makePrivateKey() -> Data { P256.Signing.PrivateKey().derRepresentation }

        func hash(_ bytes: [UInt8], by algorithm: HashAlgorithm) -> [UInt8]? {
            switch algorithm {
            case .sha256: Array(SHA256.hash(data: bytes))
            case .sha384: Array(SHA384.hash(data: bytes))
            case .sha512: Array(SHA512.hash(data: bytes))
            }
        }
    }

    private enum CryptoKitPrivateKey: BackendPrivateKey {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)

        /// Each curve reads the forms of PKCS #8 and SEC 1, and refuses another curve.
        init(_ der: Data) throws(SignatureError) {
            if let key = PublicKey.ed25519PrivateKey(der).flatMap({
                try? Curve25519.Signing.PrivateKey(rawRepresentation: $0)
            }) {
                self = .ed25519(key)
            } else if let key = try? P256.Signing.PrivateKey(derRepresentation: der) {
                self = .p256(key)
            } else if let key = try? P384.Signing.PrivateKey(derRepresentation: der) {
                self = .p384(key)
            } else if let key = try? P521.Signing.PrivateKey(derRepresentation: der) {
                self = .p521(key)
            } else {
                throw .invalidKey
            }
        }

        func publicKey() throws(SignatureError) -> PublicKey {
            let numbers: PublicKey? =
                switch self {
                case .p256(let key): PublicKey(.p256, coordinates: key.publicKey.rawRepresentation)
                case .p384(let key): PublicKey(.p384, coordinates: key.publicKey.rawRepresentation)
                case .p521(let key): PublicKey(.p521, coordinates: key.publicKey.rawRepresentation)
                case .ed25519(let key): .ed25519(key.publicKey.rawRepresentation)
                }
            guard let numbers else { throw .invalidKey }
            return numbers
        }

        func sign(_ message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Data {
            do {
                // Each curve signs with the hash function that RFC 7518 section 3.4 pairs it with.
                switch (self, algorithm) {
                case (.p256(let key), .es256): return try key.signature(for: message).derRepresentation
                case (.p384(let key), .es384): return try key.signature(for: message).derRepresentation
                case (.p521(let key), .es512): return try key.signature(for: message).derRepresentation
                case (.ed25519(let key), .edDSA): return try key.signature(for: message)
                default: break
                }
            } catch { throw .failed }
            throw .keyDoesNotFit
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
