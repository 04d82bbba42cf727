import Foundation

/// What a system's library does for ``Signatures``: keys and ECDSA signatures travel as DER.
///
/// Keys have been validated and fit the algorithm.
protocol SignatureBackend: Sendable {
    /// Whether the signature is right; false for whatever is no signature at all.
    ///
    /// - Throws: ``SignatureError/invalidKey`` when the library does not take the key.
    func verify(
        _ signature: Data, of message: Data, algorithm: JWSAlgorithm, subjectPublicKeyInfo: Data
    ) throws(SignatureError) -> Bool

    func sign(_ message: Data, algorithm: JWSAlgorithm, privateKey: Data) throws(SignatureError) -> Data

    /// The public half of a private key, as a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
    func subjectPublicKeyInfo(ofPrivateKey privateKey: Data) throws(SignatureError) -> Data
}
