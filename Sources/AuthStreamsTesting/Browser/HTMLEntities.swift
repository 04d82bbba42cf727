/// Character references: the five that escaping needs, and every numeric one.
enum HTMLEntities {
    /// Replaces character references; an unknown one stays unchanged.
    static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = Substring(text)
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            let after = rest[rest.index(after: ampersand)...]
            if let end = after.prefix(10).firstIndex(of: ";"), let character = character(after[..<end]) {
                result.unicodeScalars.append(character)
                rest = after[after.index(after: end)...]
            } else {
                result += "&"
                rest = after
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return "\u{A0}"
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init)
        }
    }
}
