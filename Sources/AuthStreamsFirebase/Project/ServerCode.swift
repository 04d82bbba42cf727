/// What may be repeated of a code that a server sent: letters, digits, `_`, `.` and `-`, and not many.
///
/// Whatever else stands there is a sentence or worse, and could quote what it is about.
enum ServerCode {
    private static let maximumLength = 64

    /// The code, or `nil` when the text is none.
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
