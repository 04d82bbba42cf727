public import AuthStreams
import AuthStreamsOAuth
import Foundation

/// Signs ID tokens for the fake server of a provider under test.
///
/// ```swift
/// let signer = IDTokenSigner.hs256(channelSecret)
/// let token = signer.token(["iss": "https://access.line.me", "aud": "1234567890", "sub": "U4af4980629", …])
/// ```
///
/// Its keys are public, like those of the ``Emulator``: never let a real service trust them.
public struct IDTokenSigner: Sendable {
    private let header: AuthJSON
    private let sign: @Sendable (Data) -> Data?
    /// The key set to publish at `jwks_uri` (RFC 7517 section 5); without keys for a shared secret.
    public let keySet: AuthJSON

    /// Signs with RSA and SHA-256, as most issuers do. Unsigned where the system has no libcrypto.
    public static let rs256 = Self(
        ["alg": "RS256", "kid": "rsa-1", "typ": "JWT"], keys: [DevelopmentKeys.rsaPublicKey(id: "rsa-1")],
        sign: { EmulatorCrypto.rs256($0) })

    /// Signs with ECDSA, P-256 and SHA-256. Unsigned where the system has no libcrypto.
    public static let es256 = Self(
        ["alg": "ES256", "kid": "ec-1", "typ": "JWT"], keys: [DevelopmentKeys.ellipticPublicKey(id: "ec-1")],
        sign: EmulatorCrypto.es256)

    /// Signs with HMAC and SHA-256, for an issuer that uses the client's secret.
    public static func hs256(_ secret: Secret) -> Self {
        Self(["alg": "HS256", "typ": "JWT"], keys: []) { Data(HMAC.code(of: $0, key: Array(secret.reveal().utf8))) }
    }

    private init(_ header: AuthJSON, keys: [AuthJSON], sign: @escaping @Sendable (Data) -> Data?) {
        self.header = header
        self.sign = sign
        keySet = ["keys": .array(keys)]
    }

    /// Returns a signed token with these claims, unchanged.
    public func token(_ claims: [String: AuthJSON]) -> Secret {
        let input = [header, .object(claims)].map { Base64URL.encode($0.data) }.joined(separator: ".")
        return Secret("\(input).\(Base64URL.encode(sign(Data(input.utf8)) ?? Data()))")
    }
}
