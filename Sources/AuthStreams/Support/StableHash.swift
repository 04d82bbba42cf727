extension Sequence<UInt8> {
    /// The 64-bit FNV-1a hash: the same on every device and in every version, unlike `hashValue`. It does not protect
    /// against bytes that an attacker chooses.
    var stableHash: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
