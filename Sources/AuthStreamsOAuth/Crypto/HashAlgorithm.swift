import AuthStreams

/// The hash functions of signatures (FIPS 180-4).
enum HashAlgorithm: Sendable {
    case sha256
    case sha384
    case sha512

    /// Returns the hash of the bytes; `nil` for SHA-384 and SHA-512 on a system without a library for signatures.
    func hash(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
        self == .sha256 ? SHA256.hash(bytes) : Signatures.backend?.hash(Array(bytes), by: self)
    }
}
