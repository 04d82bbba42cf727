/// Why a signature could be neither made nor verified; a wrong signature is not an error.
package enum SignatureError: Error, Equatable, Sendable {
    /// The system has no library for signatures: see ``Signatures/isAvailable``.
    case unavailable
    /// The bytes are not a key of a known kind.
    case invalidKey
    /// An RSA key below 2048 bits.
    case weakKey
    /// The key's kind does not fit the algorithm.
    case keyDoesNotFit
    /// The library refused to sign.
    case failed
}
