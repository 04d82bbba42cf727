import Foundation

/// An algorithm of COSE, by its number (RFC 9053, RFC 8812, RFC 9864).
package struct COSEAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The number in the registry of IANA, the 'COSEAlgorithmIdentifier' of WebAuthn.
    package let rawValue: Int32

    /// Makes an algorithm of any number.
    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// ECDSA with SHA-256; in WebAuthn always on P-256.
    package static let es256 = Self(rawValue: -7)
    /// ECDSA with SHA-384; in WebAuthn always on P-384.
    package static let es384 = Self(rawValue: -35)
    /// ECDSA with SHA-512; in WebAuthn always on P-521.
    package static let es512 = Self(rawValue: -36)
    /// EdDSA; in WebAuthn always Ed25519.
    package static let edDSA = Self(rawValue: -8)
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    package static let rs256 = Self(rawValue: -257)

    /// The same algorithm of JSON Web Signatures; `nil` for one that this version does not verify.
    package var jws: JWSAlgorithm? {
        switch rawValue {
        case -7, -9: .es256
        case -35, -51: .es384
        case -36, -52: .es512
        case -8, -19: .edDSA
        case -257: .rs256
        case -258: .rs384
        case -259: .rs512
        case -37: .ps256
        case -38: .ps384
        case -39: .ps512
        default: nil
        }
    }
}

/// The public key of a passkey, in the form of COSE (RFC 9052 section 7).
package struct COSEKey: Hashable, Sendable {
    /// The algorithm that the key is used with.
    package let algorithm: COSEAlgorithm
    /// The key; `nil` for an algorithm or a form of the key that this version does not read, such as a compressed point.
    package let publicKey: PublicKey?

    /// Reads a key; `nil` if the value is not a map with an algorithm.
    init?(_ value: CBOR) {
        guard let members = value.map, let number = members[3]?.integer.flatMap(Int32.init(exactly:)) else {
            return nil
        }
        algorithm = COSEAlgorithm(rawValue: number)
        publicKey = algorithm.jws.flatMap { algorithm in
            PublicKey(cose: members).flatMap { $0.fits(algorithm) ? $0 : nil }
        }
    }

    /// Makes a key.
    package init(_ publicKey: PublicKey, algorithm: COSEAlgorithm) {
        self.algorithm = algorithm
        self.publicKey = publicKey
    }
}

extension PublicKey {
    /// Reads the members of a COSE key (RFC 9053 section 7, RFC 8230 section 4); `nil` if they are not a key of a known kind in
    /// WebAuthn's form.
    fileprivate init?(cose members: [CBOR: CBOR]) {
        switch members[1]?.integer {
        case 1:
            guard members[-1] == 6, let point = members[-2]?.bytes, point.count == Self.ed25519ByteCount else {
                return nil
            }
            self = .ed25519(point)
        case 2:
            let curves: [CBOR: EllipticCurve] = [1: .p256, 2: .p384, 3: .p521]
            // A compressed point has a truth value in place of `y`.
            guard let curve = members[-1].flatMap({ curves[$0] }), let x = members[-2]?.bytes,
                let y = members[-3]?.bytes, x.count == curve.byteCount, y.count == curve.byteCount
            else { return nil }
            self = .elliptic(curve, x: x, y: y)
        case 3:
            guard let modulus = members[-1]?.bytes, let exponent = members[-2]?.bytes else { return nil }
            self = .rsa(modulus: modulus, exponent: exponent)
        default: return nil
        }
    }
}
