package import Foundation

/// A key that verifies signatures, in the numbers of a JWK (RFC 7518 section 6, RFC 8037 section 2).
package enum PublicKey: Sendable, Hashable {
    /// RSA: `n` and `e`, unsigned and big-endian; leading zeros are ignored.
    case rsa(modulus: Data, exponent: Data)
    /// A point on a curve: `x` and `y`, each of exactly the curve's length.
    case elliptic(EllipticCurve, x: Data, y: Data)
    /// A point for Ed25519, as RFC 8032 section 5.1.2 encodes it: exactly 32 bytes.
    case ed25519(Data)

    /// The kind of a key, with its curve: each algorithm uses one.
    enum Kind: Hashable, Sendable {
        case rsa
        case elliptic(EllipticCurve)
        case ed25519

        /// Reads the members `kty` and `crv` of a JWK; `nil` for another kind.
        init?(type: String?, curve: String?) {
            switch type {
            case "RSA": self = .rsa
            case "EC":
                guard let curve = curve.flatMap(EllipticCurve.init(rawValue:)) else { return nil }
                self = .elliptic(curve)
            case "OKP" where curve == "Ed25519": self = .ed25519
            default: return nil
            }
        }
    }

    /// RSA keys below this length are refused (RFC 7518 section 3.3).
    static let minRSABits = 2_048
    /// RSA keys above this length are refused: the verifier's work grows with it, at no cost to the sender of the key.
    static let maxRSABits = 8_192
    /// The length of a key of Ed25519, in bytes.
    static let ed25519ByteCount = 32

    /// Throws unless the key is valid and strong enough. The system's library checks that a point is on its curve.
    func validate() throws(SignatureError) {
        switch self {
        case .rsa(let modulus, let exponent):
            let bits = Self.bitCount(modulus)
            guard bits >= Self.minRSABits else { throw .weakKey }
            // With an exponent of 1 every message is its own signature; even ones have no inverse.
            guard bits <= Self.maxRSABits, (2...64).contains(Self.bitCount(exponent)),
                let last = exponent.last, last & 1 == 1
            else { throw .invalidKey }
        case .elliptic(let curve, let x, let y):
            guard x.count == curve.byteCount, y.count == curve.byteCount else { throw .invalidKey }
        case .ed25519(let point):
            guard point.count == Self.ed25519ByteCount else { throw .invalidKey }
        }
    }

    /// Returns whether signatures of this algorithm use keys of this kind, on this curve.
    func fits(_ algorithm: JWSAlgorithm) -> Bool {
        switch self {
        case .rsa: algorithm.keyKind == .rsa
        case .elliptic(let curve, _, _): algorithm.keyKind == .elliptic(curve)
        case .ed25519: algorithm.keyKind == .ed25519
        }
    }

    private static func bitCount(_ number: Data) -> Int {
        let significant = number.drop { $0 == 0 }
        guard let first = significant.first else { return 0 }
        return significant.count * 8 - first.leadingZeroBitCount
    }
}
