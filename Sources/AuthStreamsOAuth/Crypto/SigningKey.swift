package import Foundation

/// A private key that the system's library has read, for any number of signatures.
package struct SigningKey: Sendable {
    /// The public half.
    package let publicKey: PublicKey
    private let read: any BackendPrivateKey

    /// Reads a key.
    ///
    /// - Parameter privateKey: DER of PKCS #8, or of the older forms of RSA and of elliptic curves.
    /// - Throws: ``SignatureError/invalidKey`` if the bytes are not a key of a known kind, ``SignatureError/unavailable`` if
    ///   this system has no library.
    package init(_ privateKey: Data) throws(SignatureError) {
        guard let backend = Signatures.backend else { throw .unavailable }
        read = try backend.privateKey(privateKey)
        publicKey = try read.publicKey()
    }

    /// Returns the signature over a message, in the form of a JWS.
    ///
    /// - Parameter algorithm: The key must be of its kind: RSA, Ed25519, or the algorithm's curve.
    /// - Throws: ``SignatureError`` if the key cannot be used for that.
    package func sign(_ message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Data {
        guard publicKey.fits(algorithm) else { throw .keyDoesNotFit }
        try publicKey.validate()
        let signature = try read.sign(message, algorithm: algorithm)
        guard case .elliptic(let curve, _, _) = publicKey else { return signature }
        guard let parts = ECDSASignature(der: signature, on: curve) else { throw .failed }
        return parts.raw
    }
}
