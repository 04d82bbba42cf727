/// The eight words between two blocks of a message, and the function that takes in one (FIPS 180-4 section 6.2).
///
/// Words stay in registers and the schedule is the caller's: nothing is allocated for a block.
struct SHA256State {
    /// The length of a block, in bytes.
    static let blockSize = 64
    /// The number of rounds, and of words in a schedule.
    static let rounds = 64

    // The first 32 bits of the fractional parts of the square roots of the first eight primes.
    private var h0: UInt32 = 0x6a09_e667
    private var h1: UInt32 = 0xbb67_ae85
    private var h2: UInt32 = 0x3c6e_f372
    private var h3: UInt32 = 0xa54f_f53a
    private var h4: UInt32 = 0x510e_527f
    private var h5: UInt32 = 0x9b05_688c
    private var h6: UInt32 = 0x1f83_d9ab
    private var h7: UInt32 = 0x5be0_cd19

    /// The hash, when all blocks are in.
    var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
            let output = UnsafeMutableRawBufferPointer(buffer)
            output.storeBytes(of: h0.bigEndian, toByteOffset: 0, as: UInt32.self)
            output.storeBytes(of: h1.bigEndian, toByteOffset: 4, as: UInt32.self)
            output.storeBytes(of: h2.bigEndian, toByteOffset: 8, as: UInt32.self)
            output.storeBytes(of: h3.bigEndian, toByteOffset: 12, as: UInt32.self)
            output.storeBytes(of: h4.bigEndian, toByteOffset: 16, as: UInt32.self)
            output.storeBytes(of: h5.bigEndian, toByteOffset: 20, as: UInt32.self)
            output.storeBytes(of: h6.bigEndian, toByteOffset: 24, as: UInt32.self)
            output.storeBytes(of: h7.bigEndian, toByteOffset: 28, as: UInt32.self)
            count = SHA256.byteCount
        }
    }

    /// Takes in the block that begins at `offset`.
    ///
    /// - Parameter w: Room for ``rounds`` words; what stands in it before and after means nothing.
    mutating func compress(
        _ message: UnsafeRawBufferPointer, at offset: Int, schedule w: UnsafeMutableBufferPointer<UInt32>
    ) {
        for t in 0..<16 {
            w[t] = UInt32(bigEndian: message.loadUnaligned(fromByteOffset: offset + 4 * t, as: UInt32.self))
        }
        for t in 16..<Self.rounds {
            let s0 = rotated(w[t &- 15], 7) ^ rotated(w[t &- 15], 18) ^ w[t &- 15] >> 3
            let s1 = rotated(w[t &- 2], 17) ^ rotated(w[t &- 2], 19) ^ w[t &- 2] >> 10
            w[t] = s1 &+ w[t &- 7] &+ s0 &+ w[t &- 16]
        }

        var (a, b, c, d, e, f, g, h) = (h0, h1, h2, h3, h4, h5, h6, h7)
        Self.constants.withUnsafeBufferPointer { k in
            // Eight rounds in a row: instead of moving every variable on by one, the roles move.
            for t in stride(from: 0, to: Self.rounds, by: 8) {
                round(a, b, c, &d, e, f, g, &h, k[t] &+ w[t])
                round(h, a, b, &c, d, e, f, &g, k[t &+ 1] &+ w[t &+ 1])
                round(g, h, a, &b, c, d, e, &f, k[t &+ 2] &+ w[t &+ 2])
                round(f, g, h, &a, b, c, d, &e, k[t &+ 3] &+ w[t &+ 3])
                round(e, f, g, &h, a, b, c, &d, k[t &+ 4] &+ w[t &+ 4])
                round(d, e, f, &g, h, a, b, &c, k[t &+ 5] &+ w[t &+ 5])
                round(c, d, e, &f, g, h, a, &b, k[t &+ 6] &+ w[t &+ 6])
                round(b, c, d, &e, f, g, h, &a, k[t &+ 7] &+ w[t &+ 7])
            }
        }
        h0 &+= a
        h1 &+= b
        h2 &+= c
        h3 &+= d
        h4 &+= e
        h5 &+= f
        h6 &+= g
        h7 &+= h
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

/// One round. Eight roles take turns, and only two of them change.
@inline(__always)
private func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
    _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32,
    _ input: UInt32
) {
    let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    let choice = g ^ (e & (f ^ g))
    let t1 = h &+ sum1 &+ choice &+ input
    let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    let majority = (a & b) | (c & (a | b))
    d &+= t1
    h = t1 &+ sum0 &+ majority
}

@inline(__always)
private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
}
