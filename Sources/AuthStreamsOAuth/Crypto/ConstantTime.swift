/// Comparison of secrets without telling how much of them was right.
package enum ConstantTime {
    /// Whether two texts have the same UTF-8, in a time that depends on their lengths alone.
    ///
    /// For `state`, `nonce` and everything else that another party may try to guess. Canonically equivalent texts are
    /// not equal here: what came back must be what was sent.
    package static func equals(_ left: String, _ right: String) -> Bool {
        equals(Array(left.utf8), Array(right.utf8))
    }

    /// Whether two byte strings are the same, in a time that depends on their lengths alone.
    package static func equals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
