/// SHA-256 (FIPS 180-4), so that PKCE, hashed nonces and identifiers need no library.
package enum SHA256 {
    /// The length of a hash, in bytes.
    package static let byteCount = 32

    /// Returns the hash of the bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.withContiguousStorageIfAvailable { hash($0) } ?? Array(bytes).withUnsafeBufferPointer { hash($0) }
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

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let message = UnsafeRawBufferPointer(bytes)
        let wholeBlocks = message.count / SHA256State.blockSize
        var state = SHA256State()
        for block in 0..<wholeBlocks { state.compress(message, at: block * SHA256State.blockSize) }
        compressTail(of: message, from: wholeBlocks * SHA256State.blockSize, into: &state)
        return state.bytes
    }

    /// Pads the last bytes with a one bit, zeros, and the message's length in bits (section 5.1.1).
    private static func compressTail(
        of message: UnsafeRawBufferPointer, from start: Int, into state: inout SHA256State
    ) {
        let rest = message.count - start
        // One bit and a length of eight bytes must fit after the rest, otherwise they take another block.
        let size = rest + 1 + 8 <= SHA256State.blockSize ? SHA256State.blockSize : 2 * SHA256State.blockSize
        // Always two blocks: a temporary allocation of a constant size costs nothing.
        withUnsafeTemporaryAllocation(byteCount: 2 * SHA256State.blockSize, alignment: 8) { tail in
            tail.initializeMemory(as: UInt8.self, repeating: 0)
            tail.copyMemory(from: UnsafeRawBufferPointer(rebasing: message[start...]))
            tail[rest] = 0x80
            let bitCount = UInt64(message.count) << 3
            tail.storeBytes(of: bitCount.bigEndian, toByteOffset: size - 8, as: UInt64.self)
            for block in stride(from: 0, to: size, by: SHA256State.blockSize) {
                state.compress(UnsafeRawBufferPointer(tail), at: block)
            }
        }
    }
}
