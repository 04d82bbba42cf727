import Foundation

/// A Markdown file of the package, as far as tests compare it with code: its fenced blocks and its tables.
///
/// The line before either may say what to compare it with: `<!-- compiled: name -->`.
struct MarkdownFile {
    /// What the comment before a block or a table says.
    struct Mark: Equatable {
        let verb: String
        let name: String
    }

    struct Block {
        let language: String
        let mark: Mark?
        /// Where it ends.
        let line: Int
        let text: String
    }

    /// A row of a table, its cells without what makes the table.
    struct Row {
        let mark: Mark
        let line: Int
        let cells: [String]
    }

    private(set) var blocks: [Block] = []
    /// The rows of the tables that have a mark, without heads.
    private(set) var rows: [Row] = []

    init(_ path: String) throws {
        try self.init(text: packageFile(path))
    }

    init(text: String) {
        var mark: Mark?
        var open: (language: String, lines: [String])?
        var rowsOfTable = 0
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if let block = open {
                guard line == "```" else {
                    open?.lines.append(line)
                    continue
                }
                blocks.append(
                    Block(
                        language: block.language, mark: mark, line: index + 1,
                        text: block.lines.joined(separator: "\n")))
                (open, mark) = (nil, nil)
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [])
            } else if let comment = line.wholeMatch(of: /<!-- (\w+): (.+) -->/) {
                mark = Mark(verb: String(comment.1), name: String(comment.2))
                rowsOfTable = 0
            } else if line.hasPrefix("| "), let mark {
                rowsOfTable += 1
                // The head, and the line under it.
                guard rowsOfTable > 2 else { continue }
                rows.append(Row(mark: mark, line: index + 1, cells: Self.cells(of: line)))
            } else {
                mark = nil
            }
        }
    }

    private static func cells(of line: String) -> [String] {
        line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

extension MarkdownFile.Row {
    /// What the row is called in compiled files: its first cell as it is read.
    var name: String { (cells.first ?? "").replacing("`", with: "") }

    /// The code spans of its last cell.
    var code: [String] { (cells.last ?? "").matches(of: /`([^`]+)`/).map { String($0.1) } }
}

/// The text of a file of the package.
func packageFile(_ path: String) throws -> String {
    try String(contentsOf: packageRoot.appending(path: path), encoding: .utf8)
}

/// Where the package is.
let packageRoot = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
