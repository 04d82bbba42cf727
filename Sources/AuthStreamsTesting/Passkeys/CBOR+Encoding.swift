package import AuthStreamsOAuth
package import Foundation

extension CBOR {
    /// The value as bytes, in the canonical form of CTAP2 (section 8): short numbers, and members in the order of their keys.
    package var encoded: Data {
        switch self {
        case .unsigned(let value): Self.head(0, value)
        case .negative(let distance): Self.head(1, distance)
        case .bytes(let bytes): Self.head(2, UInt64(bytes.count)) + bytes
        case .text(let text): Self.head(3, UInt64(text.utf8.count)) + Data(text.utf8)
        case .array(let elements): elements.reduce(Self.head(4, UInt64(elements.count))) { $0 + $1.encoded }
        case .map(let members):
            members.map { (key: $0.key.encoded, value: $0.value.encoded) }
                .sorted { Self.isOrdered($0.key, $1.key) }
                .reduce(Self.head(5, UInt64(members.count))) { $0 + $1.key + $1.value }
        case .simple(let number): number < 24 ? Data([0xE0 | number]) : Data([0xF8, number])
        case .float(let bytes): Data([0xF8 | UInt8(bytes.count.trailingZeroBitCount)]) + bytes
        }
    }

    /// The initial byte and the number that follows it (RFC 8949 section 3).
    private static func head(_ kind: UInt8, _ argument: UInt64) -> Data {
        guard argument >= 24 else { return Data([kind << 5 | UInt8(argument)]) }
        let byteCount = argument > UInt64(UInt32.max) ? 8 : argument > 0xFFFF ? 4 : argument > 0xFF ? 2 : 1
        let bytes = withUnsafeBytes(of: argument.bigEndian) { Data($0.suffix(byteCount)) }
        return Data([kind << 5 | UInt8(24 + byteCount.trailingZeroBitCount)]) + bytes
    }

    /// By the kind of the key, then by its length, then by its bytes.
    private static func isOrdered(_ left: Data, _ right: Data) -> Bool {
        guard let first = left.first, let other = right.first, first >> 5 == other >> 5 else {
            return left.lexicographicallyPrecedes(right)
        }
        return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
}

extension COSEKey {
    /// The key in the form of COSE, with the members that it must have and no other; `nil` for a key that is not read.
    package var cbor: CBOR? {
        let algorithm = CBOR(integerLiteral: Int64(algorithm.rawValue))
        switch publicKey {
        case .rsa(let modulus, let exponent):
            return .map([1: 3, 3: algorithm, -1: .bytes(modulus), -2: .bytes(exponent)])
        case .elliptic(let curve, let x, let y):
            let number: CBOR =
                switch curve {
                case .p256: 1
                case .p384: 2
                case .p521: 3
                }
            return .map([1: 2, 3: algorithm, -1: number, -2: .bytes(x), -3: .bytes(y)])
        case .ed25519(let point): return .map([1: 1, 3: algorithm, -1: 6, -2: .bytes(point)])
        case nil: return nil
        }
    }

    /// Returns whether a signature in the form of WebAuthn (section 6.5.5) was made over the message with the private half.
    ///
    /// - Returns: `nil` if the key cannot be used, or if this system verifies no signatures.
    package func isSignature(_ signature: Data, of message: Data) -> Bool? {
        guard let publicKey, let jws = algorithm.jws else { return nil }
        var form = signature
        if case .elliptic(let curve, _, _) = publicKey {
            guard let parts = ECDSASignature(der: signature, on: curve) else { return false }
            form = parts.raw
        }
        return try? Signatures.verify(form, of: message, algorithm: jws, key: publicKey)
    }
}
