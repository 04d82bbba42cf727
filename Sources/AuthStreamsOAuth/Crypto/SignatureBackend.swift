import Foundation

/// The operations of a system's library for ``Signatures``. Private keys and ECDSA signatures are passed as DER.
///
/// The caller has validated the keys, and they fit the algorithm.
protocol SignatureBackend: Sendable {
    /// Reads a public key.
    ///
    /// - Throws: ``SignatureError/invalidKey`` if the library refuses the key: its point may not be on the curve.
    func key(_ key: PublicKey) throws(SignatureError) -> any BackendKey

    /// Reads a private key.
    ///
    /// - Throws: ``SignatureError/invalidKey`` if the bytes are not a key of a known kind.
    func privateKey(_ der: Data) throws(SignatureError) -> any BackendPrivateKey

    /// Returns a new private key on P-256.
    func makePrivateKey() throws(SignatureError) -> Data

    /// Returns the hash of the bytes; `nil` if the library does not offer the function.
    func hash(_ bytes: [UInt8], by algorithm: HashAlgorithm) -> [UInt8]?
}

/// A public key that a library has read.
protocol BackendKey: Sendable {
    /// Returns whether the signature is valid; `false` for bytes that are not a signature.
    func verify(_ signature: Data, of message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Bool
}

/// A private key that a library has read.
protocol BackendPrivateKey: Sendable {
    /// Returns the public half.
    func publicKey() throws(SignatureError) -> PublicKey

    func sign(_ message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Data
}
