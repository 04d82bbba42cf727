import Foundation

/// The operations of a system's library for ``Signatures``. Keys and ECDSA signatures are passed as DER.
///
/// The caller has validated the keys, and they fit the algorithm.
protocol SignatureBackend: Sendable {
    /// Reads a public key.
    ///
    /// - Throws: ``SignatureError/invalidKey`` if the library does not accept the key.
    func key(subjectPublicKeyInfo: Data) throws(SignatureError) -> any BackendKey

    func sign(_ message: Data, algorithm: JWSAlgorithm, privateKey: Data) throws(SignatureError) -> Data

    /// Returns the public half of a private key, as a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
    func subjectPublicKeyInfo(ofPrivateKey privateKey: Data) throws(SignatureError) -> Data
}

/// A public key that a library has read.
protocol BackendKey: Sendable {
    /// Returns whether the signature is valid; `false` for bytes that are not a signature.
    func verify(_ signature: Data, of message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Bool
}
