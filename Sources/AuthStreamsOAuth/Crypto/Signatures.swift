package import Foundation

/// Signatures of JSON Web Tokens, by the system's library.
package enum Signatures {
    /// Whether signatures can be verified and made on this system.
    ///
    /// If they can't, an ID token that came directly from the token endpoint over TLS may be accepted without
    /// verification (OpenID Connect Core 3.1.3.7 rule 6); no other may.
    package static var isAvailable: Bool { backend != nil }

    /// Returns whether the signature was made over the message with the key's private half.
    ///
    /// - Parameter signature: In the form of a JWS: for ECDSA `r` and `s`, each of the curve's length.
    /// - Throws: ``SignatureError`` if the key cannot be used for that. A malformed signature is a wrong one.
    package static func verify(
        _ signature: Data, of message: Data, algorithm: JWSAlgorithm, key: PublicKey
    ) throws(SignatureError) -> Bool {
        guard key.fits(algorithm) else { throw .keyDoesNotFit }
        return try VerificationKey(key).verify(signature, of: message, algorithm: algorithm)
    }

    /// Returns the signature over a message, in the form of a JWS.
    ///
    /// - Parameters:
    ///   - algorithm: The key must be of its kind: RSA, Ed25519, or the algorithm's curve.
    ///   - privateKey: DER of PKCS #8, or of the older forms of RSA and of elliptic curves.
    /// - Throws: ``SignatureError`` if the key cannot be used for that.
    package static func sign(
        _ message: Data, algorithm: JWSAlgorithm, privateKey: Data
    ) throws(SignatureError) -> Data {
        try SigningKey(privateKey).sign(message, algorithm: algorithm)
    }

    /// Returns the public half of a private key.
    ///
    /// - Throws: ``SignatureError/invalidKey`` if the bytes are not a key of a known kind.
    package static func publicKey(ofPrivateKey privateKey: Data) throws(SignatureError) -> PublicKey {
        try SigningKey(privateKey).publicKey
    }

    /// Returns a new private key on P-256, as DER.
    ///
    /// - Throws: ``SignatureError`` if the library refuses, or this system has none.
    package static func makePrivateKey() throws(SignatureError) -> Data {
        guard let backend else { throw .unavailable }
        return try backend.makePrivateKey()
    }

    #if AUTH_DARWIN
        static let backend: (any SignatureBackend)? = AppleSignatures()
        /// What to do where there is no backend, as on no system of Apple.
        static let advice = "Use the code flow, whose ID token comes from the token endpoint."
        /// What to do where no key is made.
        static let keyAdvice = "Set `usesDPoP` to `false`."
    #else
        static let backend: (any SignatureBackend)? = LibCrypto.shared
        /// What to do where there is no backend.
        static let advice = "Install OpenSSL 3 or 1.1, whose libcrypto does it."
        /// What to do where no key is made.
        static let keyAdvice = "Install OpenSSL 3 or 1.1, whose libcrypto does it, or set `usesDPoP` to `false`."
    #endif
}
