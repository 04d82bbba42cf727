package import AuthStreams

/// An ID token before it is signed.
package struct IDTokenDraft: Sendable {
    /// The header, whose `alg` chooses the key: `RS256`, `ES256`, `HS256`, or `none` for no signature.
    package var header: [String: AuthJSON]
    /// The claims.
    package var claims: [String: AuthJSON]
    /// The number of the RSA key.
    let key: Int
    /// Whether the signature is that of other bytes.
    package var isForged = false
    /// The key of `HS256`.
    package var sharedSecret: Secret?

    init(header: [String: AuthJSON], claims: [String: AuthJSON], key: Int) {
        self.header = header
        self.claims = claims
        self.key = key
    }

    /// The time from issue to expiry, in seconds.
    var lifetime: Int64 {
        guard let issued = claims["iat"]?.lenientInteger, let expiry = claims["exp"]?.lenientInteger else { return 0 }
        return expiry - issued
    }

    /// Moves every time of the token.
    mutating func shift(by seconds: Int64) {
        for name in ["iat", "exp", "auth_time"] {
            if let time = claims[name]?.lenientInteger { claims[name] = .integer(time + seconds) }
        }
    }
}
