/// The domain that a passkey belongs to.
enum RelyingPartyID {
    /// Returns whether a text is a domain in ASCII, such as `example.com` or `localhost`, and not an address.
    ///
    /// Whether the app may use the domain is the system's decision, by the file of associated domains.
    static func isDomain(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        // A name whose last label is a number is an address of IPv4 (URL Standard, 'ends in a number').
        guard text.utf8.count <= 253, let last = labels.last, !last.utf8.allSatisfy(isDigit) else { return false }
        return labels.allSatisfy(isLabel)
    }

    /// RFC 1123 section 2.1.
    private static func isLabel(_ label: Substring) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.utf8.count) && label.utf8.first != hyphen && label.utf8.last != hyphen
            && label.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == hyphen }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
