/// The codes of a server that may be printed: a limited number of letters, digits, `_`, `.` and `-`.
///
/// Any other text could be a sentence that quotes a secret.
enum ServerCode {
    private static let maximumLength = 64

    /// Returns the code, or `nil` if the text is not one.
    static func sanitized(_ text: String) -> String? {
        guard (1...maximumLength).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else { return nil }
        return text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
