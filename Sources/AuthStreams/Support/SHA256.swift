#if AUTH_CRYPTOKIT
    import CryptoKit
#endif

/// SHA-256 (FIPS 180-4) for PKCE, hashed nonces and identifiers: by CryptoKit, or libcrypto, or ``PlainSHA256`` where the system
/// has neither.
package enum SHA256 {
    /// The length of a hash, in bytes.
    package static let byteCount = 32
    /// The length of a block, in bytes.
    package static let blockSize = 64

    /// Returns the hash of the bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        #if AUTH_CRYPTOKIT
            Array(CryptoKit.SHA256.hash(data: Array(bytes)))
        #else
            systemHash.flatMap { hash(Array(bytes), by: $0) } ?? PlainSHA256.hash(Array(bytes))
        #endif
    }

    /// Returns the hash of the text's UTF-8, in lowercase hexadecimal: the form of a nonce in Apple's native request.
    package static func hex(_ text: String) -> String {
        hex(hash(text.utf8))
    }

    /// Returns the bytes in lowercase hexadecimal.
    package static func hex(_ bytes: some Collection<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    #if !AUTH_CRYPTOKIT
        typealias SystemHash =
            @Sendable @convention(c) (
                _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ hash: UnsafeMutablePointer<UInt8>?
            ) -> UnsafeMutablePointer<UInt8>?

        /// The function of libcrypto; `nil` if the system has none.
        static let systemHash: SystemHash? = LibCryptoLibrary.shared?.function("SHA256")

        /// - Returns: `nil` where the system's configuration does not allow the function.
        static func hash(_ bytes: [UInt8], by systemHash: SystemHash) -> [UInt8]? {
            var hash = [UInt8](repeating: 0, count: byteCount)
            return systemHash(bytes, bytes.count, &hash) == nil ? nil : hash
        }
    #endif
}
