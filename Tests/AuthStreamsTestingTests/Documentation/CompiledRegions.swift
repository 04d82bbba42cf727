import Foundation

/// The parts of compiled files that a document shows: what is between `// Article: name` and `// Article end`, in code that
/// supplies what they leave out.
struct CompiledRegions {
    private(set) var texts: [String: String] = [:]
    /// Names that stand over more than one region.
    private(set) var repeated: [String] = []

    /// - Parameters:
    ///   - document: The word that the markers begin with.
    ///   - folders: Where the compiled files are, from the package's root.
    init(of document: String, in folders: [String]) throws {
        for folder in folders {
            let files = FileManager.default.enumerator(
                at: packageRoot.appending(path: folder), includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                read(try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n"), document)
            }
        }
    }

    private mutating func read(_ lines: [String], _ document: String) {
        var open: (name: String, lines: [String])?
        for line in lines {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if let region = open {
                guard trimmed == "// \(document) end" else {
                    open?.lines.append(line)
                    continue
                }
                if texts.updateValue(Self.withoutCommonIndentation(region.lines), forKey: region.name) != nil {
                    repeated.append(region.name)
                }
                open = nil
            } else if trimmed.hasPrefix("// \(document): ") {
                open = (String(trimmed.dropFirst("// \(document): ".count)), [])
            }
        }
    }

    private static func withoutCommonIndentation(_ lines: [String]) -> String {
        let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
    }
}

extension CompiledRegions {
    /// A region as a table shows it: each statement on one line.
    func statements(of name: String) -> [String]? {
        texts[name]?.components(separatedBy: "\n").reduce(into: []) { statements, line in
            let code = line.trimmingCharacters(in: .whitespaces)
            guard let open = statements.last, line.hasPrefix(" ") || line.hasPrefix("}") else {
                statements.append(code)
                return
            }
            let needsNoSemicolon = open.hasSuffix("{") || open.hasSuffix(" in") || code.hasPrefix("}")
            statements[statements.count - 1] += (needsNoSemicolon ? " " : "; ") + code
        }
    }
}
