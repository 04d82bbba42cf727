package import AuthStreams
import AuthStreamsOAuth
import Foundation

/// Makes and checks the signed tokens of every emulated issuer, with the development keys.
///
/// If the system has no libcrypto, tokens have an empty third part and only their form is verified.
package struct TokenSigner: Sendable {
    /// Whether tokens have real signatures.
    package var isAvailable: Bool { EmulatorCrypto.isAvailable }

    package init() {}

    /// The name of an issuer's key, such as `kauth.kakao.com-1`.
    package static func keyID(host: String, key: Int = 1) -> String { "\(host)-\(key)" }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - claims: Its claims, unchanged.
    ///   - host: The production host of the issuer, which names the key.
    ///   - type: The header's `typ`.
    package func token(_ claims: [String: AuthJSON], host: String, type: String = "JWT") -> String {
        signed(draft(claims, host: host, key: 1, algorithm: "RS256", type: type))
    }

    /// Makes an ID token, with a test's fault if there is one.
    ///
    /// - Parameters:
    ///   - key: The number of the issuer's key.
    ///   - algorithm: The header's `alg`: `RS256`, or `none` for no signature.
    package func idToken(
        _ claims: [String: AuthJSON], host: String, key: Int = 1, algorithm: String = "RS256",
        fault: EmulatorFault.Token?
    ) -> String {
        var draft = draft(claims, host: host, key: key, algorithm: algorithm, type: "JWT")
        fault?.change(&draft)
        return signed(draft)
    }

    /// Returns whether an emulated issuer made a token. Without libcrypto, only its form and the key's name are checked.
    ///
    /// - Parameters:
    ///   - jwt: The same token, parsed.
    ///   - host: The production host of the issuer; `nil` for any.
    func verifies(_ jwt: JSONWebToken, _ token: String, byKeyOf host: String? = nil) -> Bool {
        guard let (input, signature) = Self.parts(token) else { return false }
        if let host, jwt.header["kid"]?.string != Self.keyID(host: host) { return false }
        return !isAvailable || jwt.header["alg"] == "RS256" && EmulatorCrypto.isRS256(signature, of: input)
    }

    /// The key set of an issuer (RFC 7517 section 5).
    package func keySet(host: String, keys: [Int] = [1]) -> AuthJSON {
        ["keys": .array(keys.map { DevelopmentKeys.rsaPublicKey(id: Self.keyID(host: host, key: $0), key: $0) })]
    }

    /// The certificate of an issuer's key, by the key's name.
    func certificates(host: String) -> AuthJSON {
        .object([Self.keyID(host: host): .string(DevelopmentKeys.rsaCertificate)])
    }

    private func draft(
        _ claims: [String: AuthJSON], host: String, key: Int, algorithm: String, type: String
    ) -> IDTokenDraft {
        IDTokenDraft(
            header: [
                "alg": .string(algorithm), "kid": .string(Self.keyID(host: host, key: key)), "typ": .string(type),
            ],
            claims: claims, key: key)
    }

    private func signed(_ draft: IDTokenDraft) -> String {
        let input = [draft.header, draft.claims].map { Base64URL.encode(AuthJSON.object($0).data) }
            .joined(separator: ".")
        // A forged signature is of the right form and key, over other bytes.
        let bytes = Data((draft.isForged ? "other bytes" : input).utf8)
        let signature =
            switch draft.header["alg"] {
            case "none": Data()
            case "ES256": EmulatorCrypto.es256(bytes)
            case "HS256": Data(HMAC.code(of: bytes, key: Array((draft.sharedSecret?.reveal() ?? "").utf8)))
            default: EmulatorCrypto.rs256(bytes, key: draft.key)
            }
        return input + "." + Base64URL.encode(signature ?? Data())
    }

    static func parts(_ token: String) -> (input: Data, signature: Data)? {
        guard let dot = token.lastIndex(of: "."),
            let signature = Base64URL.decode(String(token[token.index(after: dot)...]))
        else { return nil }
        return (Data(token[..<dot].utf8), signature)
    }
}

extension DevelopmentKeys {
    /// Returns an RSA key by its number: odd ones are the first key, even ones the second.
    static func rsaPublicKey(id: String, key: Int = 1) -> AuthJSON {
        let modulus = key.isMultiple(of: 2) ? secondRSAModulus : rsaModulus
        return [
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(id), "n": .string(modulus),
            "e": .string(rsaExponent),
        ]
    }

    static func ellipticPublicKey(id: String) -> AuthJSON {
        [
            "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": .string(id), "x": .string(ellipticX),
            "y": .string(ellipticY),
        ]
    }
}

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

/// The emulator's cryptography: the package's own, with the development keys.
enum EmulatorCrypto {
    static var isAvailable: Bool { Signatures.isAvailable }

    // Read once: reading a key takes several times as long as a signature takes to be verified.
    private static let rsaKeys = [DevelopmentKeys.rsaPrivateKey, DevelopmentKeys.secondRSAPrivateKey].map(signingKey)
    private static let ellipticKey = signingKey(DevelopmentKeys.ellipticPrivateKey)
    private static let rsaPublicKeys = rsaKeys.compactMap(verificationKey)
    private static let ellipticPublicKey = verificationKey(ellipticKey)

    private static func signingKey(_ base64: String) -> SigningKey? { try? SigningKey(DevelopmentKeys.bytes(base64)) }

    private static func verificationKey(_ key: SigningKey?) -> VerificationKey? {
        key.flatMap { try? VerificationKey($0.publicKey) }
    }

    /// - Parameter key: The number of the key: odd ones are the first key, even ones the second.
    static func rs256(_ input: Data, key: Int = 1) -> Data? {
        try? rsaKeys[key.isMultiple(of: 2) ? 1 : 0]?.sign(input, algorithm: .rs256)
    }

    static func isRS256(_ signature: Data, of input: Data) -> Bool {
        rsaPublicKeys.contains { (try? $0.verify(signature, of: input, algorithm: .rs256)) ?? false }
    }

    static func es256(_ input: Data) -> Data? { try? ellipticKey?.sign(input, algorithm: .es256) }

    static func isES256(_ signature: Data, of input: Data) -> Bool {
        (try? ellipticPublicKey?.verify(signature, of: input, algorithm: .es256)) ?? false
    }

    static func sha256(_ text: String) -> Data { Data(SHA256.hash(text.utf8)) }

    /// Returns the left half of a token's hash, for `at_hash` and `c_hash` (OpenID Connect Core 3.1.3.6).
    static func halfHash(_ token: String) -> String { Base64URL.encode(sha256(token).prefix(16)) }

    /// Reports, once per process, that tokens are unsigned because the system has no library for signatures.
    static let notice: Void = {
        guard !isAvailable else { return }
        let text = "The emulator found no libcrypto on this system, so its tokens are unsigned.\n"
        FileHandle.standardError.write(Data(text.utf8))
    }()
}
