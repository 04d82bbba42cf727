/// Splits a page into tags and text, as far as pages with forms need it.
///
/// Tolerant like a browser: attributes may be quoted either way or not at all, names are in any case, open elements end
/// with the page. Comments and declarations are skipped; the content of scripts and styles is text, not tags.
struct HTMLTokenizer: Sequence, IteratorProtocol {
    enum Token: Equatable {
        case start(name: String, attributes: [String: String])
        case end(name: String)
        case text(String)
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The element whose content is text up to its own end tag.
    private var rawElement: String?

    init(_ html: String) {
        bytes = Array(html.utf8)
    }

    mutating func next() -> Token? {
        while position < bytes.count {
            if let name = rawElement {
                rawElement = nil
                let text = rawText(until: name)
                if !text.isEmpty { return .text(text) }
                continue
            }
            guard bytes[position] == UInt8(ascii: "<") else { return .text(HTMLEntities.decode(textRun())) }
            if starts(with: "<!--") {
                skip(past: "-->")
            } else if starts(with: "<!") || starts(with: "<?") {
                skip(past: ">")
            } else if let tag = tag() {
                return tag
            } else {
                position += 1
                return .text("<")
            }
        }
        return nil
    }

    private mutating func tag() -> Token? {
        let start = position
        position += 1
        let isEnd = take(UInt8(ascii: "/"))
        let name = word { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }.lowercased()
        guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
            position = start
            return nil
        }
        let attributes = attributes()
        if isEnd { return .end(name: name) }
        if ["script", "style", "title", "textarea"].contains(name) { rawElement = name }
        return .start(name: name, attributes: attributes)
    }

    /// Reads up to and including the tag's `>`. Of a repeated attribute the first counts.
    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while position < bytes.count {
            _ = word { Self.isSpace($0) || $0 == UInt8(ascii: "/") }
            if position >= bytes.count || take(UInt8(ascii: ">")) { break }
            let name = word {
                !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
            }.lowercased()
            _ = word(while: Self.isSpace)
            var value = ""
            if take(UInt8(ascii: "=")) {
                _ = word(while: Self.isSpace)
                value = HTMLEntities.decode(attributeValue())
            }
            if attributes[name] == nil { attributes[name] = value }
        }
        return attributes
    }

    private mutating func attributeValue() -> String {
        for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")] where take(quote) {
            let value = word { $0 != quote }
            _ = take(quote)
            return value
        }
        return word { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
    }

    private mutating func textRun() -> String { word { $0 != UInt8(ascii: "<") } }

    private mutating func rawText(until name: String) -> String {
        let start = position
        let end = "</\(name)"
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") || !starts(with: end) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return name == "title" || name == "textarea" ? HTMLEntities.decode(text) : text
    }

    private mutating func word(while isPart: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, isPart(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skip(past end: String) {
        while position < bytes.count, !starts(with: end) { position += 1 }
        position = Swift.min(position + end.utf8.count, bytes.count)
    }

    /// Compares without ASCII case, as for tag names.
    private func starts(with text: String) -> Bool {
        guard bytes.count - position >= text.utf8.count else { return false }
        return zip(bytes[position...], text.utf8).allSatisfy { Self.lowercase($0) == Self.lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }
}

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
