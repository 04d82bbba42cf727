#if AUTH_SECURITY
    import Foundation
    import Security

    /// An RSA key of the Security framework, which reads the form of PKCS #1 (`SecKeyCreateWithData`).
    ///
    /// It is never changed, and the functions of Security may be called on several threads at once.
    struct SecurityKey: BackendKey, BackendPrivateKey, @unchecked Sendable {
        private let key: SecKey

        /// Reads a public key.
        init(modulus: Data, exponent: Data) throws(SignatureError) {
            try self.init(PublicKey.rsaPublicKey(modulus, exponent), kSecAttrKeyClassPublic)
        }

        /// Reads a private key of PKCS #8 or PKCS #1; `nil` if it is no RSA key.
        init?(privateKey: Data) throws(SignatureError) {
            guard let key = PublicKey.rsaPrivateKey(privateKey) else { return nil }
            try self.init(key, kSecAttrKeyClassPrivate)
        }

        private init(_ pkcs1: Data, _ keyClass: CFString) throws(SignatureError) {
            let attributes: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeRSA, kSecAttrKeyClass as String: keyClass,
            ]
            guard let key = SecKeyCreateWithData(pkcs1 as CFData, attributes as CFDictionary, nil) else {
                throw .invalidKey
            }
            self.key = key
        }

        func verify(_ signature: Data, of message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Bool {
            SecKeyVerifySignature(key, try Self.name(of: algorithm), message as CFData, signature as CFData, nil)
        }

        func sign(_ message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Data {
            let signature = SecKeyCreateSignature(key, try Self.name(of: algorithm), message as CFData, nil)
            guard let signature else { throw .failed }
            return signature as Data
        }

        /// The public half of a private key.
        func publicKey() throws(SignatureError) -> PublicKey {
            guard let key = SecKeyCopyPublicKey(key), let data = SecKeyCopyExternalRepresentation(key, nil),
                let numbers = PublicKey(rsaPublicKey: data as Data)
            else { throw .invalidKey }
            return numbers
        }

        private static func name(of algorithm: JWSAlgorithm) throws(SignatureError) -> SecKeyAlgorithm {
            switch algorithm {
            case .rs256: .rsaSignatureMessagePKCS1v15SHA256
            case .rs384: .rsaSignatureMessagePKCS1v15SHA384
            case .rs512: .rsaSignatureMessagePKCS1v15SHA512
            // The salt is as long as the hash, as RFC 7518 section 3.5 wants it.
            case .ps256: .rsaSignatureMessagePSSSHA256
            case .ps384: .rsaSignatureMessagePSSSHA384
            case .ps512: .rsaSignatureMessagePSSSHA512
            case .es256, .es384, .es512, .edDSA: throw .keyDoesNotFit
            }
        }
    }
#endif
