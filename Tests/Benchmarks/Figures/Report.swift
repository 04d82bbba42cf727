import Foundation

/// The table for people, line by line.
struct Table {
    let columns: [Contender]
    /// Whether figures and verdicts have no meaning.
    let isSmoke: Bool

    func head(_ summary: String, _ rounds: Rounds) -> String {
        let amount =
            isSmoke ? "one round of tiny amounts, whose figures have no meaning" : "medians of \(rounds.count) rounds"
        let cells = columns.map(\.rawValue) + ["figure", "must", "aim"]
        return "\(summary), in turns:\n\(amount).\n\n\(line("quantity", "unit", cells, "verdict"))"
    }

    /// The row, and below it why it has no figure.
    func line(_ row: Row) -> String {
        let samples = columns.map { row.samples[$0]?.median?.threeDigits ?? "" }
        let figure = row.figure.map { row.unit == "x" ? "\($0.threeDigits) x" : $0.threeDigits } ?? "–"
        let line = line(
            row.measure.title, row.measure.unit, samples + [figure] + row.measure.bound.columns,
            isSmoke && row.error == nil ? "smoke" : row.verdict.rawValue)
        return row.error.map { "\(line)\n    \($0)" } ?? line
    }

    private func line(_ title: String, _ unit: String, _ cells: [String], _ verdict: String) -> String {
        let cells = cells.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }
        let label = "\(title) ".padding(toLength: 56, withPad: " ", startingAt: 0)
        return "\(label)\(unit.padding(toLength: 13, withPad: " ", startingAt: 0))\(cells.joined())  \(verdict)"
    }
}

/// A row for programs, with every sample.
struct JSONLine: Encodable {
    private let id: String
    private let title: String
    private let unit: String
    private let figure: Double?
    private let figureUnit: String
    private let bound: Bound
    private let verdict: String
    private let error: String?
    private let samples: [String: [Double]]

    init(_ row: Row) {
        (id, title, unit) = (row.measure.id, row.measure.title, row.measure.unit)
        (figure, figureUnit, bound, verdict) = (row.figure, row.unit, row.measure.bound, row.verdict.rawValue)
        error = row.error.map { "\($0)" }
        samples = row.samples.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
    }
}

/// A run as a whole.
struct Summary: Encodable {
    let suite: String
    let rounds: Int
    let isSmoke: Bool
    /// Whether everything worked and no figure misses its bound. A smoke run has no figures.
    let isOK: Bool
    let verdicts: [String: Int]

    init(suite: String, _ rounds: Rounds, _ verdicts: [Verdict]) {
        self.suite = suite
        (self.rounds, isSmoke) = (rounds.isSmoke ? 1 : rounds.count, rounds.isSmoke)
        isOK = !verdicts.contains(.failed) && (isSmoke || !verdicts.contains(.missed))
        self.verdicts = verdicts.reduce(into: [:]) { $0[$1.rawValue, default: 0] += 1 }
    }

    var text: String {
        if isSmoke { return isOK ? "\nEverything runs." : "\nSomething does not run." }
        let parts = Verdict.allCases.compactMap { verdict in
            verdicts[verdict.rawValue].map { "\($0) \(verdict.rawValue)" }
        }
        return "\nFigures: \(parts.joined(separator: ", "))."
    }
}

extension Encodable {
    /// The value in one line.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension Double {
    /// The number without more than three significant digits, unless they stand before the point.
    var threeDigits: String { String(format: magnitude < 9.995 ? "%.2f" : magnitude < 99.95 ? "%.1f" : "%.0f", self) }
}
