/// Why a signature could be neither made nor judged; a wrong signature is no error.
package enum SignatureError: Error, Equatable, Sendable {
    /// The system has no library for signatures: see ``Signatures/isAvailable``.
    case unavailable
    /// The bytes are not a key of a kind that is understood.
    case invalidKey
    /// An RSA key below 2048 bits.
    case weakKey
    /// A key of one kind, an algorithm of another.
    case keyDoesNotFit
    /// The library refused to sign.
    case failed
}
