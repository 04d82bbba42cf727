package import Foundation

extension PublicKey {
    /// SEQUENCE { OID rsaEncryption, NULL } (RFC 3279 section 2.3.1).
    private static let rsaAlgorithm = Data([
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ])
    /// SEQUENCE { OID id-Ed25519 } (RFC 8410 section 3).
    private static let ed25519Algorithm = Data([0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70])

    /// The key as a SubjectPublicKeyInfo, which every library reads.
    package var subjectPublicKeyInfo: Data {
        switch self {
        case .rsa(let modulus, let exponent):
            return Self.info(algorithm: Self.rsaAlgorithm, key: Self.rsaPublicKey(modulus, exponent))
        case .elliptic(let curve, let x, let y):
            // 4 means that both coordinates follow (SEC 1 section 2.3.3).
            return Self.info(algorithm: curve.algorithm, key: [4] + x + y)
        case .ed25519(let point):
            return Self.info(algorithm: Self.ed25519Algorithm, key: point)
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

    /// Reads both coordinates of a point, one after the other; `nil` for another length.
    init?(_ curve: EllipticCurve, coordinates: Data) {
        guard coordinates.count == 2 * curve.byteCount else { return nil }
        self = .elliptic(
            curve, x: Data(coordinates.prefix(curve.byteCount)), y: Data(coordinates.suffix(curve.byteCount)))
    }

    /// Returns the RSAPrivateKey (RFC 8017 section A.1.2) of a private key in that form or in that of PKCS #8.
    ///
    /// - Returns: `nil` for another key.
    static func rsaPrivateKey(_ der: Data) -> Data? {
        if let (algorithm, key) = unwrapped(der) { return algorithm == rsaAlgorithm ? key : nil }
        var outer = DER.Reader(der)
        guard let content = outer.element(DER.sequenceTag), outer.isAtEnd else { return nil }
        var reader = DER.Reader(content)
        // The version and the modulus.
        return reader.unsignedInteger() == nil || reader.unsignedInteger() == nil ? nil : der
    }

    /// Returns the 32 bytes of a private key of Ed25519 in the form of PKCS #8 (RFC 8410 section 7).
    ///
    /// - Returns: `nil` for another key.
    static func ed25519PrivateKey(_ der: Data) -> Data? {
        guard let (algorithm, key) = unwrapped(der), algorithm == ed25519Algorithm else { return nil }
        var reader = DER.Reader(key)
        guard let bytes = reader.element(DER.octetStringTag), reader.isAtEnd, bytes.count == ed25519ByteCount else {
            return nil
        }
        return Data(bytes)
    }

    /// Reads a SubjectPublicKeyInfo; `nil` if it is not an RSA key, one of Ed25519, or one of a known curve.
    init?(subjectPublicKeyInfo: Data) {
        var outer = DER.Reader(subjectPublicKeyInfo)
        guard let content = outer.element(DER.sequenceTag), outer.isAtEnd else { return nil }
        var inner = DER.Reader(content)
        guard let identifier = inner.element(DER.sequenceTag), let bits = inner.element(DER.bitStringTag),
            inner.isAtEnd, bits.first == 0
        else { return nil }
        let algorithm = DER.element(DER.sequenceTag, identifier)
        let key = bits.dropFirst()

        switch algorithm {
        case Self.rsaAlgorithm:
            self.init(rsaPublicKey: key)
        case Self.ed25519Algorithm:
            guard key.count == Self.ed25519ByteCount else { return nil }
            self = .ed25519(Data(key))
        default:
            guard let curve = EllipticCurve.allCases.first(where: { $0.algorithm == algorithm }), key.first == 4 else {
                return nil
            }
            self.init(curve, coordinates: key.dropFirst())
        }
    }

    private static func info(algorithm: Data, key: Data) -> Data {
        // The first byte of a BIT STRING is the number of unused bits in the last one.
        DER.element(DER.sequenceTag, algorithm + DER.element(DER.bitStringTag, [0] + key))
    }

    /// Reads a private key in the form of PKCS #8 (RFC 5958); `nil` for another form.
    private static func unwrapped(_ der: Data) -> (algorithm: Data, key: Data)? {
        var outer = DER.Reader(der)
        guard let content = outer.element(DER.sequenceTag), outer.isAtEnd else { return nil }
        var reader = DER.Reader(content)
        guard reader.unsignedInteger() != nil, let algorithm = reader.element(DER.sequenceTag),
            let key = reader.element(DER.octetStringTag)
        else { return nil }
        return (DER.element(DER.sequenceTag, algorithm), key)
    }
}

extension EllipticCurve {
    /// SEQUENCE { OID id-ecPublicKey, OID of the curve } (RFC 5480 section 2.1.1).
    fileprivate var algorithm: Data {
        let curve: [UInt8] =
            switch self {
            case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
            case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
            case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
            }
        return DER.element(
            DER.sequenceTag, Data([0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01] + curve))
    }
}
