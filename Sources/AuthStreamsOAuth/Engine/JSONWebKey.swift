package import AuthStreams
import Foundation

/// One public key of an issuer (RFC 7517), as it was published.
package struct JSONWebKey: Sendable {
    private enum Reading {
        case pending
        case done(VerificationKey?)
    }

    package let members: [String: AuthJSON]
    private let reading = Lock(Reading.pending)

    package init(members: [String: AuthJSON]) {
        self.members = members
    }

    /// The key's name.
    package var id: String? { members["kid"]?.string }

    /// The key as the system's library reads it; `nil` for an unknown kind, and for a weak or malformed key.
    ///
    /// The first use reads it, which takes longer than verifying a signature. So of a large set, only the keys that may
    /// have signed a token are read.
    package var verificationKey: VerificationKey? {
        reading.withLock { reading in
            if case .done(let key) = reading { return key }
            let key = publicKey.flatMap { try? VerificationKey($0) }
            reading = .done(key)
            return key
        }
    }

    /// Whether the system's library was asked to read the key.
    var isRead: Bool {
        reading.withLock { reading in
            if case .done = reading { true } else { false }
        }
    }

    /// The key's numbers (RFC 7518 section 6, RFC 8037 section 2); `nil` for an unknown kind.
    package var publicKey: PublicKey? {
        switch kind {
        case .rsa:
            guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
            return .rsa(modulus: modulus, exponent: exponent)
        case .elliptic(let curve):
            guard let x = coordinate("x", on: curve), let y = coordinate("y", on: curve) else { return nil }
            return .elliptic(curve, x: x, y: y)
        case .ed25519: return bytes("x").map(PublicKey.ed25519)
        case nil: return nil
        }
    }

    /// Returns whether the key is meant for such signatures, by its type, curve, `alg`, `use` and `key_ops`.
    package func fits(_ algorithm: JWSAlgorithm) -> Bool {
        guard kind == algorithm.keyKind else { return false }
        if let own = members["alg"], own.string != algorithm.rawValue { return false }
        if let use = members["use"], use.string != "sig" { return false }
        if let operations = members["key_ops"] {
            return operations.array?.contains(.string("verify")) ?? false
        }
        return true
    }

    private var kind: PublicKey.Kind? {
        PublicKey.Kind(type: members["kty"]?.string, curve: members["crv"]?.string)
    }

    /// Reads a member in Base64url. Some issuers add the padding that RFC 7515 section 2 leaves out.
    private func bytes(_ name: String) -> Data? {
        guard let text = members[name]?.string else { return nil }
        let padding = text.utf8.count % 4 != 0 ? 0 : text.hasSuffix("==") ? 2 : text.hasSuffix("=") ? 1 : 0
        return Base64URL.decode(String(text.dropLast(padding)))
    }

    /// Reads a coordinate. RFC 7518 section 6.2.1.2 fixes its length, and some issuers put the zero byte of a signed
    /// number before it.
    private func coordinate(_ name: String, on curve: EllipticCurve) -> Data? {
        guard let bytes = bytes(name) else { return nil }
        let hasSign = bytes.count == curve.byteCount + 1 && bytes.first == 0
        return hasSign ? Data(bytes.dropFirst()) : bytes
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
