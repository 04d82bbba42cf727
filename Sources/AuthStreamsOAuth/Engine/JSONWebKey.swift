package import AuthStreams
import Foundation

/// One public key of an issuer (RFC 7517), as it was published.
package struct JSONWebKey: Sendable {
    package let members: [String: AuthJSON]
    /// The key as the system's library reads it; `nil` for an unknown kind, and for a weak or malformed key.
    package let verificationKey: VerificationKey?

    package init(members: [String: AuthJSON]) {
        self.members = members
        verificationKey = Self.publicKey(of: members).flatMap { try? VerificationKey($0) }
    }

    /// The key's name.
    package var id: String? { members["kid"]?.string }

    /// The key's numbers (RFC 7518 section 6); `nil` for an unknown kind.
    package var publicKey: PublicKey? { Self.publicKey(of: members) }

    private static func publicKey(of members: [String: AuthJSON]) -> PublicKey? {
        func number(_ name: String) -> Data? { members[name]?.string.flatMap(Base64URL.decode) }
        switch members["kty"] {
        case "RSA":
            guard let modulus = number("n"), let exponent = number("e") else { return nil }
            return .rsa(modulus: modulus, exponent: exponent)
        case "EC":
            guard members["crv"] == "P-256", let x = number("x"), let y = number("y") else { return nil }
            return .p256(x: x, y: y)
        default: return nil
        }
    }

    /// Returns whether the key is meant for such signatures, by its type, `alg`, `use` and `key_ops`.
    package func fits(_ algorithm: JWSAlgorithm) -> Bool {
        let type = algorithm == .es256 ? "EC" : "RSA"
        guard members["kty"]?.string == type else { return false }
        if let own = members["alg"], own.string != algorithm.rawValue { return false }
        if let use = members["use"], use.string != "sig" { return false }
        if let operations = members["key_ops"] {
            return operations.array?.contains(.string("verify")) ?? false
        }
        return true
    }
}

/// The keys an issuer publishes (RFC 7517 section 5).
package struct JSONWebKeySet: Sendable {
    package let keys: [JSONWebKey]

    /// `nil` unless the document is a key set. Members of the set that are not objects are skipped (section 5).
    package init?(_ document: AuthJSON) {
        guard let keys = document["keys"]?.array else { return nil }
        self.keys = keys.compactMap(\.object).map(JSONWebKey.init)
    }

    /// Returns the keys that may have made a signature: those that fit and have that name, or without a name all that
    /// fit.
    ///
    /// Names should be unique (RFC 7517 section 4.5). If an issuer uses one twice, each of its keys counts, because the
    /// issuer published both.
    package func candidates(id: String?, algorithm: JWSAlgorithm) -> [JSONWebKey] {
        keys.filter { (id == nil || $0.id == id) && $0.fits(algorithm) }
    }
}
