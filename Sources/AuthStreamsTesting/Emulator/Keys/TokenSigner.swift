package import AuthStreams
import Foundation

/// Makes and checks the signed tokens of every emulated issuer, with the development keys.
///
/// If the system has no libcrypto, tokens have an empty third part and only their form is verified.
package struct TokenSigner: Sendable {
    /// Whether tokens have real signatures.
    package var isAvailable: Bool { EmulatorCrypto.isAvailable }

    package init() {}

    /// The name of an issuer's key, such as `kauth.kakao.com-1`.
    package static func keyID(host: String) -> String { "\(host)-1" }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - claims: Its claims, unchanged.
    ///   - host: The production host of the issuer, which names the key.
    ///   - type: The header's `typ`.
    package func token(_ claims: [String: AuthJSON], host: String, type: String = "JWT") -> String {
        signed(claims, header: ["alg": "RS256", "kid": .string(Self.keyID(host: host)), "typ": .string(type)])
    }

    /// Makes an ID token, with a test's fault if there is one.
    package func idToken(_ claims: [String: AuthJSON], host: String, fault: EmulatorFault.Token?) -> String {
        var claims = claims
        switch fault {
        case .wrongNonce: claims["nonce"] = "nonce-of-another-attempt"
        case .wrongAudience: claims["aud"] = "another-app"
        case .wrongIssuer: claims["iss"] = "https://issuer.invalid"
        case .expired: shift(&claims, by: -2 * (claims.lifetime + 3600))
        case .skewed(let skew): shift(&claims, by: skew.components.seconds)
        case .unsigned, .wrongSignature, nil: break
        }
        if fault == .unsigned {
            return signingInput(claims, header: ["alg": "none", "typ": "JWT"]) + "."
        }
        let token = token(claims, host: host)
        guard fault == .wrongSignature, let dot = token.lastIndex(of: ".") else { return token }
        // A signature of the right form and key, over other bytes.
        let other = self.token(["sub": "somebody else"], host: host)
        return token[..<dot] + (other.lastIndex(of: ".").map { String(other[$0...]) } ?? ".")
    }

    /// Returns whether an emulated issuer made this token; without signatures `true` for every well-formed one.
    package func verifies(_ token: String) -> Bool {
        guard let (input, signature) = Self.parts(token), let jwt = JSONWebToken(Secret(token)) else { return false }
        guard isAvailable else { return true }
        guard jwt.header["alg"] == "RS256" else { return false }
        return EmulatorCrypto.isRS256(signature, of: input)
    }

    /// The key set of an issuer (RFC 7517 section 5).
    package func keySet(host: String) -> AuthJSON {
        ["keys": [DevelopmentKeys.rsaPublicKey(id: Self.keyID(host: host))]]
    }

    private func shift(_ claims: inout [String: AuthJSON], by seconds: Int64) {
        for name in ["iat", "exp", "auth_time"] {
            if let time = claims[name]?.lenientInteger { claims[name] = .integer(time + seconds) }
        }
    }

    private func signed(_ claims: [String: AuthJSON], header: [String: AuthJSON]) -> String {
        let input = signingInput(claims, header: header)
        return input + "." + Base64URL.encode(EmulatorCrypto.rs256(Data(input.utf8)) ?? Data())
    }

    private func signingInput(_ claims: [String: AuthJSON], header: [String: AuthJSON]) -> String {
        Base64URL.encode(AuthJSON.object(header).data) + "." + Base64URL.encode(AuthJSON.object(claims).data)
    }

    static func parts(_ token: String) -> (input: Data, signature: Data)? {
        guard let dot = token.lastIndex(of: "."),
            let signature = Base64URL.decode(String(token[token.index(after: dot)...]))
        else { return nil }
        return (Data(token[..<dot].utf8), signature)
    }
}

extension [String: AuthJSON] {
    fileprivate var lifetime: Int64 {
        guard let issued = self["iat"]?.lenientInteger, let expiry = self["exp"]?.lenientInteger else { return 0 }
        return expiry - issued
    }
}

extension DevelopmentKeys {
    static func rsaPublicKey(id: String) -> AuthJSON {
        [
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(id), "n": .string(rsaModulus),
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
