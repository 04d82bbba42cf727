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
        signed(draft(claims, host: host, key: 1, type: type))
    }

    /// Makes an ID token, with a test's fault if there is one.
    ///
    /// - Parameter key: The number of the issuer's key.
    package func idToken(
        _ claims: [String: AuthJSON], host: String, key: Int = 1, fault: EmulatorFault.Token?
    ) -> String {
        var draft = draft(claims, host: host, key: key, type: "JWT")
        fault?.change(&draft)
        return signed(draft)
    }

    /// Returns whether an emulated issuer made this token; without signatures `true` for every well-formed one.
    package func verifies(_ token: String) -> Bool {
        guard let (input, signature) = Self.parts(token), let jwt = JSONWebToken(Secret(token)) else { return false }
        guard isAvailable else { return true }
        guard jwt.header["alg"] == "RS256" else { return false }
        return EmulatorCrypto.isRS256(signature, of: input)
    }

    /// The key set of an issuer (RFC 7517 section 5).
    package func keySet(host: String, keys: [Int] = [1]) -> AuthJSON {
        ["keys": .array(keys.map { DevelopmentKeys.rsaPublicKey(id: Self.keyID(host: host, key: $0), key: $0) })]
    }

    private func draft(_ claims: [String: AuthJSON], host: String, key: Int, type: String) -> IDTokenDraft {
        IDTokenDraft(
            header: ["alg": "RS256", "kid": .string(Self.keyID(host: host, key: key)), "typ": .string(type)],
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
