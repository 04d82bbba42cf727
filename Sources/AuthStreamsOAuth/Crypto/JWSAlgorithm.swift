/// The supported signature algorithms of JSON Web Tokens (RFC 7518 section 3.1, RFC 8037 section 3.1).
///
/// `none` and the HMAC family are missing deliberately: without a case they cannot be accepted.
package enum JWSAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"
    /// RSASSA-PSS with SHA-256, MGF1 with SHA-256, and a salt of 32 bytes.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384, MGF1 with SHA-384, and a salt of 48 bytes.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512, MGF1 with SHA-512, and a salt of 64 bytes.
    case ps512 = "PS512"
    /// ECDSA on P-256 with SHA-256; a signature is `r` and `s`, 32 bytes each.
    case es256 = "ES256"
    /// ECDSA on P-384 with SHA-384; a signature is `r` and `s`, 48 bytes each.
    case es384 = "ES384"
    /// ECDSA on P-521 with SHA-512; a signature is `r` and `s`, 66 bytes each.
    case es512 = "ES512"
    /// Ed25519, which hashes with SHA-512; a signature has 64 bytes. Ed448 has the same name and is not supported.
    case edDSA = "EdDSA"

    /// The hash function.
    var hash: HashAlgorithm {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512, .es512, .edDSA: .sha512
        }
    }

    /// Whether a signature is one of RSASSA-PSS.
    var isPSS: Bool {
        switch self {
        case .ps256, .ps384, .ps512: true
        case .rs256, .rs384, .rs512, .es256, .es384, .es512, .edDSA: false
        }
    }

    /// The keys that it uses. Each algorithm of ECDSA has one curve (RFC 7518 section 3.4).
    var keyKind: PublicKey.Kind {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .elliptic(.p256)
        case .es384: .elliptic(.p384)
        case .es512: .elliptic(.p521)
        case .edDSA: .ed25519
        }
    }
}
