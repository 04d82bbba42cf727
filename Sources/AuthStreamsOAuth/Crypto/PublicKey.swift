package import Foundation

/// A key that verifies signatures, in the numbers of a JWK (RFC 7518 section 6).
package enum PublicKey: Sendable, Hashable {
    /// RSA: `n` and `e`, unsigned and big-endian; leading zeros are ignored.
    case rsa(modulus: Data, exponent: Data)
    /// A point on P-256: `x` and `y`, exactly 32 bytes each.
    case p256(x: Data, y: Data)

    /// RSA keys below this length are refused (RFC 7518 section 3.3).
    static let minRSABits = 2_048
    /// RSA keys above this length are refused: the verifier's work grows with it, at no cost to the sender of the key.
    static let maxRSABits = 8_192

    /// Throws unless the key is valid and strong enough.
    func validate() throws(SignatureError) {
        switch self {
        case .rsa(let modulus, let exponent):
            let bits = Self.bitCount(modulus)
            guard bits >= Self.minRSABits else { throw .weakKey }
            // With an exponent of 1 every message is its own signature; even ones have no inverse.
            guard bits <= Self.maxRSABits, (2...64).contains(Self.bitCount(exponent)),
                let last = exponent.last, last & 1 == 1
            else { throw .invalidKey }
        case .p256(let x, let y):
            guard x.count == 32, y.count == 32 else { throw .invalidKey }
        }
    }

    /// Returns whether signatures of this algorithm use keys of this kind.
    func fits(_ algorithm: JWSAlgorithm) -> Bool {
        switch (self, algorithm) {
        case (.rsa, .rs256), (.rsa, .ps256), (.p256, .es256): true
        case (.rsa, .es256), (.p256, .rs256), (.p256, .ps256): false
        }
    }

    private static func bitCount(_ number: Data) -> Int {
        let significant = number.drop { $0 == 0 }
        guard let first = significant.first else { return 0 }
        return significant.count * 8 - first.leadingZeroBitCount
    }
}
