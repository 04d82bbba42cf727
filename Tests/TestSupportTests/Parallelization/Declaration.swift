/// A declaration at the top level of a Swift file that is formatted by `swift format`.
struct Declaration {
    /// What it declares or extends.
    let name: String
    /// Its lines, with its attributes and without comments.
    let text: String
    /// The identifiers in it, alone and together with the members that follow them.
    let words: Set<String>

    private init(name: String, text: String) {
        (self.name, self.text) = (name, text)
        words = Set(text.utf8.split { !$0.isPartOfIdentifier }.map { String(Substring($0)) })
            .union(text.utf8.split { !$0.isPartOfIdentifier && $0 != UInt8(ascii: ".") }.map { String(Substring($0)) })
    }

    var isTest: Bool { text.contains("@Suite") || text.contains("@Test") }

    static func all(in source: String) -> [Declaration] {
        var declarations: [Declaration] = []
        var (name, text) = (String?.none, "")
        func close() {
            if let name { declarations.append(Declaration(name: name, text: text)) }
            (name, text) = (nil, "")
        }
        // What stands within `#if` is indented by four spaces more.
        var indentation = 0
        for line in source.split(separator: "\n") {
            let code = line.drop { $0 == " " }
            let spaces = line.utf8.count - code.utf8.count
            if spaces == indentation, code.hasPrefix("#if") {
                indentation += 4
            } else if spaces == indentation - 4, code.hasPrefix("#") {
                if code.hasPrefix("#endif") { indentation -= 4 }
            } else {
                if spaces == indentation, code.first?.isLetter == true || code.hasPrefix("@") {
                    // Its attributes may stand on lines of their own.
                    if name != nil { close() }
                    name = Self.name(in: code)
                }
                text += code.hasPrefix("//") ? "" : "\(line)\n"
            }
        }
        close()
        return declarations
    }

    private static let keywords: Set<Substring> = [
        "actor", "class", "enum", "extension", "func", "import", "let", "protocol", "struct", "typealias", "var",
    ]

    private static func name(in line: Substring) -> String? {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        return words.firstIndex { keywords.contains($0) }.flatMap { words.dropFirst($0 + 1).first }.map(String.init)
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
