import AuthStreams
import Foundation
import Testing

/// The table that a picture is drawn from: a file of `.ci/pictures.d`.
///
/// A line is a word, a colon, and fields between bars. The program that draws the pictures reads the same file.
struct PictureTable {
    private let lines: [(word: String, fields: [String])]

    init(_ name: String) throws {
        lines = try packageFile(".ci/pictures.d/\(name).picture").split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("#"), let colon = line.firstRange(of: ":") else { return nil }
            let fields = line[colon.upperBound...].split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return (String(line[..<colon.lowerBound]), fields)
        }
    }

    /// The fields of each line with that word, in the order of the file.
    func rows(_ word: String) -> [[String]] { lines.filter { $0.word == word }.map(\.fields) }

    /// A sequence: what everyone sees who comes to an ending, and what follows there. Without endings it is one sequence.
    var sequences: [(ending: String, rows: [[String]])] {
        var common: [[String]] = []
        var endings: [(ending: String, rows: [[String]])] = []
        for (word, fields) in lines {
            switch word {
            case "step", "result": common.append(fields)
            case "ending": endings.append((fields[0], common))
            case "ending step", "ending result": endings[endings.count - 1].rows.append(fields)
            default: break
            }
        }
        return endings.isEmpty ? [("", common)] : endings
    }
}

/// Writes down rows from anywhere.
final class RowLog: Sendable {
    private let log = Lock<[[String]]>([])

    var rows: [[String]] { log.withLock { $0 } }

    func note(_ fields: String...) { log.withLock { $0.append(fields) } }

    func clear() { log.withLock { $0 = [] } }
}

extension AuthState {
    /// As pictures write it: without the provider, and without the user.
    var drawn: String {
        switch self {
        case .restoring: "restoring"
        case .signedOut(let reason): reason.map { "signedOut(.\($0))" } ?? "signedOut"
        case .signingIn(_, let step): "signingIn(.\(step))"
        case .signedIn(_, .verified): "signedIn(.verified)"
        case .signedIn(_, .cached): "signedIn(.cached)"
        case .signedIn(_, .offline): "signedIn(.offline)"
        }
    }
}
