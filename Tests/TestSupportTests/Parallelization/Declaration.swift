/// A declaration at the top level of a Swift file that is formatted by `swift format`.
struct Declaration {
    /// What it declares or extends.
    let name: String
    /// Its lines, with its attributes and without comments.
    let text: String
    /// The identifiers in it, alone and together with the members that follow them.
    let words: Set<String>

    private init(_ part: SourcePart) {
        (name, text) = (part.name, part.text)
        words = Set(text.utf8.split { !$0.isPartOfIdentifier }.map { String(Substring($0)) })
            .union(text.utf8.split { !$0.isPartOfIdentifier && $0 != UInt8(ascii: ".") }.map { String(Substring($0)) })
    }

    var isTest: Bool { text.contains("@Suite") || text.contains("@Test") }

    static func all(in source: String) -> [Declaration] { SourcePart.all(in: source).map(Declaration.init) }
}

/// A function of a Swift file that is formatted by `swift format`, also of a type or an extension.
struct Function {
    let name: String
    /// Its lines, with its attributes and without comments.
    let text: String
    let isTest: Bool
    /// The names before a parenthesis, a generic argument or a trailing closure.
    let calls: Set<String>

    private init(_ part: SourcePart) {
        (name, text, isTest) = (part.name, part.text, part.text.contains("@Test"))
        var (calls, word) = (Set<String>(), [UInt8]())
        var isAfterSpace = false
        for byte in part.text.utf8 {
            if byte.isPartOfIdentifier {
                if isAfterSpace { word = [] }
                word.append(byte)
                isAfterSpace = false
            } else if byte == UInt8(ascii: " "), !isAfterSpace {
                isAfterSpace = true
            } else {
                let isCall = byte == UInt8(ascii: "{") || (!isAfterSpace && "(<".utf8.contains(byte))
                if isCall, !word.isEmpty { calls.insert(String(decoding: word, as: UTF8.self)) }
                (word, isAfterSpace) = ([], false)
            }
        }
        self.calls = calls
    }

    static func all(in source: String) -> [Function] {
        SourcePart.all(in: source).flatMap { part in
            part.keyword == "func" ? [Function(part)] : all(in: part.members)
        }
    }
}

/// The lines of a declaration and of its members.
private struct SourcePart {
    /// Such as `struct`, `extension` or `func`.
    let keyword: String
    let name: String
    let text: String

    /// The members of a type or an extension, indented as at the top level.
    var members: String {
        guard Self.types.contains(keyword) else { return "" }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        let depth = 4 + (lines.first?.utf8.prefix { $0 == UInt8(ascii: " ") }.count ?? 0)
        return lines.filter { $0.utf8.prefix(depth).allSatisfy { $0 == UInt8(ascii: " ") } }
            .map { $0.dropFirst(depth) }.joined(separator: "\n")
    }

    static func all(in source: String) -> [SourcePart] {
        var parts: [SourcePart] = []
        var (head, text) = ((keyword: String, name: String)?.none, "")
        func close() {
            if let head { parts.append(SourcePart(keyword: head.keyword, name: head.name, text: text)) }
            (head, text) = (nil, "")
        }
        // What stands within `#if` is indented by four spaces more.
        var indentation = 0
        for line in source.utf8.split(separator: UInt8(ascii: "\n")).map({ Substring($0) }) {
            let code = Substring(line.utf8.drop { $0 == UInt8(ascii: " ") })
            let spaces = line.utf8.count - code.utf8.count
            if spaces == indentation, code.hasPrefix("#if") {
                indentation += 4
            } else if spaces == indentation - 4, code.hasPrefix("#") {
                if code.hasPrefix("#endif") { indentation -= 4 }
            } else {
                if spaces == indentation, code.first?.isLetter == true || code.hasPrefix("@") {
                    // Its attributes may stand on lines of their own.
                    if head != nil { close() }
                    head = Self.head(in: code)
                }
                text += code.hasPrefix("//") ? "" : "\(line)\n"
            }
        }
        close()
        return parts
    }

    private static let types: Set<String> = ["actor", "class", "enum", "extension", "protocol", "struct"]
    private static let keywords = types.union(["case", "func", "import", "init", "let", "typealias", "var"])

    private static func head(in line: Substring) -> (keyword: String, name: String)? {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        guard let index = words.firstIndex(where: keywords.contains) else { return nil }
        return (words[index], words.dropFirst(index + 1).first ?? words[index])
    }
}

extension UInt8 {
    fileprivate var isPartOfIdentifier: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
