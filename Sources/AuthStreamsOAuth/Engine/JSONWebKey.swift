package import AuthStreams
package import Foundation

/// One public key of an issuer (RFC 7517), as it was published.
package struct JSONWebKey: Sendable {
    package let members: [String: JSONValue]

    package init(members: [String: JSONValue]) {
        self.members = members
    }

    /// The key's name.
    package var id: String? { members["kid"]?.string }

    /// Whether the key is meant to verify such signatures, as its type, `alg`, `use` and `key_ops` say.
    package func fits(_ algorithm: String) -> Bool {
        let type = algorithm.hasPrefix("ES") ? "EC" : "RSA"
        guard members["kty"]?.string == type else { return false }
        if let own = members["alg"], own.string != algorithm { return false }
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

    /// `nil` unless the data is a key set. Members of the set that are no objects are skipped, as section 5 has it.
    package init?(_ data: Data) {
        guard let keys = (try? JSONDecoder().decode(JSONValue.self, from: data))?["keys"]?.array else { return nil }
        self.keys = keys.compactMap(\.object).map(JSONWebKey.init)
    }

    /// The keys that may have made a signature: the one of that name, or without a name every one that fits.
    package func candidates(id: String?, algorithm: String) -> [JSONWebKey] {
        keys.filter { (id == nil || $0.id == id) && $0.fits(algorithm) }
    }
}
