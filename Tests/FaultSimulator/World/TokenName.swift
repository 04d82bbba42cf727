import Foundation

/// What a simulated token is called: `R3.1` is the second refresh token of the fourth session, `A3.1` its access token.
///
/// A token names its session, in a record or a request.
struct TokenName: Hashable, CustomStringConvertible {
    enum Kind: UInt8 {
        case refresh = 0x52
        case access = 0x41
    }

    let kind: Kind
    /// Counts the sessions that the server made.
    let family: Int
    /// Counts the refreshes of one session.
    let number: Int

    init(_ kind: Kind, family: Int, number: Int) {
        self.kind = kind
        self.family = family
        self.number = number
    }

    var description: String { "\(kind == .refresh ? "R" : "A")\(family).\(number)" }

    /// Finds the first of its kind that is quoted in a text, such as JSON.
    init?(_ kind: Kind, in text: Data) {
        let found = text.withUnsafeBytes { bytes in Self.find(kind, bytes) }
        guard let found else { return nil }
        self.init(kind, family: found.0, number: found.1)
    }

    /// Reads a whole text.
    init?(_ text: String) {
        var text = text
        let found = text.withUTF8 { bytes -> (Kind, Int, Int)? in
            guard let first = bytes.first, let kind = Kind(rawValue: first) else { return nil }
            return Self.numbers(UnsafeRawBufferPointer(bytes), from: 1).map { (kind, $0.0, $0.1) }
        }
        guard let found else { return nil }
        self.init(found.0, family: found.1, number: found.2)
    }

    private static func find(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) -> (Int, Int)? {
        let quote = UInt8(ascii: "\"")
        var index = 0
        while index + 2 < bytes.count {
            if bytes[index] == quote, bytes[index + 1] == kind.rawValue, let found = numbers(bytes, from: index + 2) {
                return found
            }
            index += 1
        }
        return nil
    }

    /// Two numbers with a dot between.
    private static func numbers(_ bytes: UnsafeRawBufferPointer, from start: Int) -> (Int, Int)? {
        var values = [0, 0]
        var (part, digits) = (0, 0)
        for byte in bytes[start...] {
            if (0x30...0x39).contains(byte) {
                values[part] = values[part] * 10 + Int(byte - 0x30)
                digits += 1
            } else if byte == UInt8(ascii: "."), part == 0, digits > 0 {
                (part, digits) = (1, 0)
            } else {
                break
            }
        }
        return part == 1 && digits > 0 ? (values[0], values[1]) : nil
    }
}
