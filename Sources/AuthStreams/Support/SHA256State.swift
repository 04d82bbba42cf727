/// The eight words between two blocks of a message, and the compression function (FIPS 180-4 section 6.2).
///
/// Nothing is allocated for a block.
package struct SHA256State {
    /// The length of a block, in bytes.
    package static let blockSize = 64
    private static let rounds = 64

    // The first 32 bits of the fractional parts of the square roots of the first eight primes.
    private var h0: UInt32 = 0x6a09_e667
    private var h1: UInt32 = 0xbb67_ae85
    private var h2: UInt32 = 0x3c6e_f372
    private var h3: UInt32 = 0xa54f_f53a
    private var h4: UInt32 = 0x510e_527f
    private var h5: UInt32 = 0x9b05_688c
    private var h6: UInt32 = 0x1f83_d9ab
    private var h7: UInt32 = 0x5be0_cd19

    /// The hash, after all blocks.
    var bytes: [UInt8] {
        func byte(_ word: UInt32, _ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: word &>> shift) }
        // Written out: making an array costs half as much if the compiler knows its size.
        return [
            byte(h0, 24), byte(h0, 16), byte(h0, 8), byte(h0, 0),
            byte(h1, 24), byte(h1, 16), byte(h1, 8), byte(h1, 0),
            byte(h2, 24), byte(h2, 16), byte(h2, 8), byte(h2, 0),
            byte(h3, 24), byte(h3, 16), byte(h3, 8), byte(h3, 0),
            byte(h4, 24), byte(h4, 16), byte(h4, 8), byte(h4, 0),
            byte(h5, 24), byte(h5, 16), byte(h5, 8), byte(h5, 0),
            byte(h6, 24), byte(h6, 16), byte(h6, 8), byte(h6, 0),
            byte(h7, 24), byte(h7, 16), byte(h7, 8), byte(h7, 0),
        ]
    }

    /// Compresses the block that begins at `offset`.
    mutating func compress(_ message: UnsafeRawBufferPointer, at offset: Int) {
        func word(_ t: Int) -> UInt32 {
            UInt32(bigEndian: message.loadUnaligned(fromByteOffset: offset &+ 4 &* t, as: UInt32.self))
        }
        // Sixteen words of the schedule at a time, as variables, because an array takes a tenth longer.
        var (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
        var (w4, w5, w6, w7) = (word(4), word(5), word(6), word(7))
        var (w8, w9, w10, w11) = (word(8), word(9), word(10), word(11))
        var (w12, w13, w14, w15) = (word(12), word(13), word(14), word(15))
        var (a, b, c, d, e, f, g, h) = (h0, h1, h2, h3, h4, h5, h6, h7)
        Self.constants.withUnsafeBufferPointer { k in
            for t in stride(from: 0, to: Self.rounds, by: 16) {
                // The roles rotate instead of the variables.
                round(a, b, c, &d, e, f, g, &h, k[t] &+ w0)
                round(h, a, b, &c, d, e, f, &g, k[t &+ 1] &+ w1)
                round(g, h, a, &b, c, d, e, &f, k[t &+ 2] &+ w2)
                round(f, g, h, &a, b, c, d, &e, k[t &+ 3] &+ w3)
                round(e, f, g, &h, a, b, c, &d, k[t &+ 4] &+ w4)
                round(d, e, f, &g, h, a, b, &c, k[t &+ 5] &+ w5)
                round(c, d, e, &f, g, h, a, &b, k[t &+ 6] &+ w6)
                round(b, c, d, &e, f, g, h, &a, k[t &+ 7] &+ w7)
                round(a, b, c, &d, e, f, g, &h, k[t &+ 8] &+ w8)
                round(h, a, b, &c, d, e, f, &g, k[t &+ 9] &+ w9)
                round(g, h, a, &b, c, d, e, &f, k[t &+ 10] &+ w10)
                round(f, g, h, &a, b, c, d, &e, k[t &+ 11] &+ w11)
                round(e, f, g, &h, a, b, c, &d, k[t &+ 12] &+ w12)
                round(d, e, f, &g, h, a, b, &c, k[t &+ 13] &+ w13)
                round(c, d, e, &f, g, h, a, &b, k[t &+ 14] &+ w14)
                round(b, c, d, &e, f, g, h, &a, k[t &+ 15] &+ w15)
                guard t < Self.rounds - 16 else { break }
                renew(&w0, w1, w9, w14)
                renew(&w1, w2, w10, w15)
                renew(&w2, w3, w11, w0)
                renew(&w3, w4, w12, w1)
                renew(&w4, w5, w13, w2)
                renew(&w5, w6, w14, w3)
                renew(&w6, w7, w15, w4)
                renew(&w7, w8, w0, w5)
                renew(&w8, w9, w1, w6)
                renew(&w9, w10, w2, w7)
                renew(&w10, w11, w3, w8)
                renew(&w11, w12, w4, w9)
                renew(&w12, w13, w5, w10)
                renew(&w13, w14, w6, w11)
                renew(&w14, w15, w7, w12)
                renew(&w15, w0, w8, w13)
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

/// One round. The eight roles rotate, and only two of them change.
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

/// Returns the word of the schedule sixteen rounds later.
@inline(__always)
private func renew(_ word: inout UInt32, _ next: UInt32, _ ninth: UInt32, _ fourteenth: UInt32) {
    let s0 = rotated(next, 7) ^ rotated(next, 18) ^ next &>> 3
    let s1 = rotated(fourteenth, 17) ^ rotated(fourteenth, 19) ^ fourteenth &>> 10
    word = s1 &+ ninth &+ s0 &+ word
}

@inline(__always)
private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
}
