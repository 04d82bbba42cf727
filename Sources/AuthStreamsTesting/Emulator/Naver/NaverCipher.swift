import Foundation

/// MD5 (RFC 1321), by which Naver derives a key from the client secret.
enum MD5 {
    static func hash(_ message: some Collection<UInt8>) -> [UInt8] {
        let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
        let padding = [0x80] + [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
        let bytes = message + padding + withUnsafeBytes(of: UInt64(message.count * 8).littleEndian, Array.init)
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for block in stride(from: 0, to: bytes.count, by: 64) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let mixed = [b & c | ~b & d, d & b | ~d & c, b ^ c ^ d, c ^ (b | ~d)][step / 16]
                let word = block + [step, 5 * step + 1, 3 * step + 5, 7 * step][step / 16] % 16 * 4
                let part = bytes[word...].prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
                let sum = a &+ mixed &+ part &+ UInt32(abs(sin(Double(step + 1))) * 0x1p32)
                let shift = shifts[step / 16][step % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
            }
            state = zip(state, [a, b, c, d]).map(&+)
        }
        return state.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
    }
}

/// Encryption with AES and a key of 128 bits (FIPS 197).
struct AES128 {
    /// The S-box, from the powers of 3 and of its inverse.
    private static let box = {
        var box = [UInt8](repeating: 0x63, count: 256)
        var (value, inverse): (UInt8, UInt8) = (1, 1)
        repeat {
            value ^= doubled(value)
            for shift in [1, 2, 4] { inverse ^= inverse << shift }
            inverse ^= inverse >> 7 * 0x09
            box[Int(value)] = (1...4).reduce(0x63 ^ inverse) { $0 ^ (inverse << $1 | inverse >> (8 - $1)) }
        } while value != 1
        return box
    }()
    private var keys: [UInt8]

    private static func doubled(_ byte: UInt8) -> UInt8 { byte << 1 ^ byte >> 7 * 0x1B }

    init(key: [UInt8]) {
        keys = key
        var constant: UInt8 = 1
        for index in 16..<176 {
            let place = index % 16
            // The first word of a round is the last one before it, turned by a byte.
            let byte = place < 4 ? Self.box[Int(keys[index - 4 - place + (place + 1) % 4])] : keys[index - 4]
            keys.append(keys[index - 16] ^ byte ^ (place == 0 ? constant : 0))
            if place == 0 { constant = Self.doubled(constant) }
        }
    }

    func encrypt(_ block: [UInt8]) -> [UInt8] {
        (1...10).reduce(zip(block, keys).map(^)) { state, round in
            let shifted = (0..<16).map { Self.box[Int(state[($0 + 4 * ($0 % 4)) % 16])] }
            let mixed = (0..<16).map { index in
                let column = (0..<4).map { shifted[index / 4 * 4 + (index + $0) % 4] }
                return Self.doubled(column[0] ^ column[1]) ^ column[1] ^ column[2] ^ column[3]
            }
            return zip(round == 10 ? shifted : mixed, keys[(16 * round)...]).map(^)
        }
    }

    /// Returns the initialization vector and the ciphertext, in the mode CBC (SP 800-38A section 6.2) with the padding of PKCS #7.
    func encrypt(_ message: some Collection<UInt8>, vector: [UInt8]) -> [UInt8] {
        let count = 16 - message.count % 16
        let padded = message + [UInt8](repeating: UInt8(count), count: count)
        return stride(from: 0, to: padded.count, by: 16).reduce(vector) { result, start in
            result + encrypt(zip(padded[start...], result.suffix(16)).map(^))
        }
    }
}
