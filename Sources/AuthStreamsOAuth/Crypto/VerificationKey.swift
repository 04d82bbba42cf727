package import Foundation

/// A public key that the system's library has read, for any number of signatures.
///
/// Read once, because that takes libcrypto longer than verifying a signature.
package struct VerificationKey: Sendable {
    private let key: PublicKey
    private let read: any BackendKey

    /// Reads a key.
    ///
    /// - Throws: ``SignatureError`` if the key is weak or malformed, or this system has no library.
    package init(_ key: PublicKey) throws(SignatureError) {
        try key.validate()
        guard let backend = Signatures.backend else { throw .unavailable }
        self.key = key
        read = try backend.key(key)
    }

    /// Returns whether the signature was made over the message with the key's private half.
    ///
    /// - Parameter signature: In the form of a JWS: for ECDSA `r` and `s`, each of the curve's length.
    /// - Throws: ``SignatureError`` if the key cannot be used for that. A malformed signature is a wrong one.
    package func verify(
        _ signature: Data, of message: Data, algorithm: JWSAlgorithm
    ) throws(SignatureError) -> Bool {
        guard key.fits(algorithm) else { throw .keyDoesNotFit }
        guard case .elliptic(let curve, _, _) = key else {
            return try read.verify(signature, of: message, algorithm: algorithm)
        }
        // A signature of another length is never compared.
        guard let signature = ECDSASignature(raw: signature, on: curve) else { return false }
        return try read.verify(signature.der, of: message, algorithm: algorithm)
    }
}
