package import AuthStreams
import Foundation

extension PublicKey {
    /// The key as a JWK, with the members that it must have and no other (RFC 7518 section 6, RFC 8037 section 2).
    package var jwk: [String: AuthJSON] {
        func base64(_ bytes: Data) -> AuthJSON { .string(Base64URL.encode(bytes)) }
        switch self {
        case .rsa(let modulus, let exponent):
            // Without leading zeros (RFC 7518 section 2).
            return [
                "kty": "RSA", "n": base64(Data(modulus.drop { $0 == 0 })), "e": base64(Data(exponent.drop { $0 == 0 })),
            ]
        case .elliptic(let curve, let x, let y):
            return ["kty": "EC", "crv": .string(curve.rawValue), "x": base64(x), "y": base64(y)]
        case .ed25519(let point): return ["kty": "OKP", "crv": "Ed25519", "x": base64(point)]
        }
    }

    /// The thumbprint of the key: SHA-256 over its JWK, members in order and without white space, in Base64URL (RFC 7638
    /// section 3).
    package var thumbprint: String {
        // No value has a character that JSON escapes.
        let members = jwk.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value.string ?? "")""# }
        return Base64URL.encode(SHA256.hash("{\(members.joined(separator: ","))}".utf8))
    }
}
