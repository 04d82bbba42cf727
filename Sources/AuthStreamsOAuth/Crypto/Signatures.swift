/// Verifies signatures with what the system offers.
package enum Signatures {
    /// Whether this system can verify at all. Not yet: until then TLS alone vouches for a token.
    package static var isAvailable: Bool { false }
}
