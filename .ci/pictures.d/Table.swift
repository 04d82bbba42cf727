import Foundation

/// The table of a picture.
///
/// A line is a word, a colon, and fields between bars. Lines that begin with `#`, and empty ones, say nothing.
struct Table {
    struct Line {
        let word: String
        let fields: [String]
    }

    let lines: [Line]

    /// - Parameter words: How many fields a line has, by its word.
    init(reading text: String, words: [String: Int]) throws {
        lines = try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            guard let colon = line.firstIndex(of: ":") else { throw PictureError("A line has no colon: \(line)") }
            let word = String(line[..<colon])
            // A title and a description may have bars.
            let most = words[word] == 1 ? 0 : Int.max
            let fields = line[line.index(after: colon)...]
                .split(separator: "|", maxSplits: most, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard fields.count == words[word], !fields.contains("") else {
                throw PictureError("A line is not understood: \(line)")
            }
            return Line(word: word, fields: fields)
        }
    }

    func rows(_ word: String) -> [[String]] { lines.filter { $0.word == word }.map(\.fields) }

    func value(_ word: String) throws -> String {
        let values = rows(word)
        guard values.count == 1 else { throw PictureError("The table has \(values.count) lines '\(word)', not one.") }
        return values[0][0]
    }
}

struct PictureError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
