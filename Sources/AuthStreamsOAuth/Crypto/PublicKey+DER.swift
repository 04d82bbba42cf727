package import Foundation

extension PublicKey {
    /// SEQUENCE { OID rsaEncryption, NULL } (RFC 3279 section 2.3.1).
    private static let rsaAlgorithm = Data([
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ])
    /// SEQUENCE { OID id-ecPublicKey, OID secp256r1 } (RFC 5480 section 2.1.1).
    private static let p256Algorithm = Data([
        0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
        0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
    ])

    /// The key as a SubjectPublicKeyInfo, which every library reads.
    package var subjectPublicKeyInfo: Data {
        switch self {
        case .rsa(let modulus, let exponent):
            return Self.info(algorithm: Self.rsaAlgorithm, key: Self.rsaPublicKey(modulus, exponent))
        case .p256(let x, let y):
            // 4 means that both coordinates follow (SEC 1 section 2.3.3).
            return Self.info(algorithm: Self.p256Algorithm, key: [4] + x + y)
        }
    }

    /// Returns an RSAPublicKey (RFC 8017 section A.1.1).
    static func rsaPublicKey(_ modulus: Data, _ exponent: Data) -> Data {
        DER.element(DER.sequenceTag, DER.integer(modulus) + DER.integer(exponent))
    }

    /// Reads an RSAPublicKey; `nil` if it is none.
    init?(rsaPublicKey: Data) {
        var sequence = DER.Reader(rsaPublicKey)
        guard let numbers = sequence.element(DER.sequenceTag), sequence.isAtEnd else { return nil }
        var reader = DER.Reader(numbers)
        guard let modulus = reader.unsignedInteger(), let exponent = reader.unsignedInteger(), reader.isAtEnd else {
            return nil
        }
        self = .rsa(modulus: modulus, exponent: exponent)
    }

    /// Returns the RSAPrivateKey (RFC 8017 section A.1.2) of a private key in that form or in that of PKCS #8 (RFC 5958);
    /// `nil` for another key.
    static func rsaPrivateKey(_ der: Data) -> Data? {
        var outer = DER.Reader(der)
        guard let content = outer.element(DER.sequenceTag), outer.isAtEnd else { return nil }
        var reader = DER.Reader(content)
        guard reader.unsignedInteger() != nil else { return nil }
        var wrapped = reader
        if let algorithm = wrapped.element(DER.sequenceTag) {
            return DER.element(DER.sequenceTag, algorithm) == rsaAlgorithm ? wrapped.element(DER.octetStringTag) : nil
        }
        // The version and the modulus.
        return reader.unsignedInteger() == nil ? nil : der
    }

    /// Reads a SubjectPublicKeyInfo; `nil` if it is not an RSA or P-256 key.
    init?(subjectPublicKeyInfo: Data) {
        var outer = DER.Reader(subjectPublicKeyInfo)
        guard let content = outer.element(DER.sequenceTag), outer.isAtEnd else { return nil }
        var inner = DER.Reader(content)
        guard let algorithm = inner.element(DER.sequenceTag), let bits = inner.element(DER.bitStringTag),
            inner.isAtEnd, bits.first == 0
        else { return nil }
        let key = bits.dropFirst()

        switch DER.element(DER.sequenceTag, algorithm) {
        case Self.rsaAlgorithm:
            self.init(rsaPublicKey: key)
        case Self.p256Algorithm:
            guard key.count == 65, key.first == 4 else { return nil }
            self = .p256(x: Data(key.dropFirst().prefix(32)), y: Data(key.suffix(32)))
        default:
            return nil
        }
    }

    private static func info(algorithm: Data, key: Data) -> Data {
        // The first byte of a BIT STRING is the number of unused bits in the last one.
        DER.element(DER.sequenceTag, algorithm + DER.element(DER.bitStringTag, [0] + key))
    }
}
