/// The supported signature algorithms of ID tokens (RFC 7518 section 3.1).
///
/// `none` and the HMAC family are missing deliberately: without a case they cannot be accepted.
package enum JWSAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256, MGF1 with SHA-256, and a salt of 32 bytes.
    case ps256 = "PS256"
    /// ECDSA on P-256 with SHA-256; a signature is `r` and `s`, 32 bytes each.
    case es256 = "ES256"
}
