extension Sequence<UInt8> {
    /// The FNV-1a hash, 64 bits: the same on every device and in every version, which `hashValue` is not. It is no protection
    /// against someone who chooses the bytes.
    var stableHash: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
