/// For people: a table that grows line by line.
struct TextReport: Report {
    let suite: Suite
    /// Whether figures and verdicts mean nothing.
    let isSmoke: Bool

    private static let quantityWidth = 55
    private static let unitWidth = 13
    private static let width = 13

    func begin(_ summary: Summary) {
        for line in head(summary) { Console.say(line) }
    }

    /// What is compared, how often it was measured, and the columns.
    func head(_ summary: Summary) -> [String] {
        let columns = ["ours"] + suite.rivals.map(\.title) + ["figure", "must", "aim"]
        return [
            "\(suite.introduction), in turns:",
            isSmoke
                ? "one round of next to nothing, whose figures say nothing.\n"
                : "medians of \(summary.rounds) rounds.\n",
            line("quantity", "unit", columns, "verdict"),
        ]
    }

    func add(_ row: Row) {
        Console.say(line(row))
        if let note = row.note { Console.say("    \(note)") }
    }

    /// The row, in the columns of the head.
    func line(_ row: Row) -> String {
        let samples = ([row.ours] + suite.rivals.map { row.rivals[$0] }).map { $0?.median?.short ?? "" }
        let figure = row.figure.map { "\($0.short)\(row.figureUnit == row.unit ? "" : " \(row.figureUnit)")" } ?? "–"
        let bounds = [row.bound.must, row.bound.aim].map { "\(row.bound.sign) \($0.plain)" }
        return line(
            row.quantity, row.unit, samples + [figure] + bounds,
            isSmoke && !row.hasFailed ? "smoke" : row.verdict.rawValue)
    }

    func end(_ summary: Summary) {
        guard !isSmoke else { return }
        let counts = [
            Verdict.aim: "reach the aim", .must: "hold the must", .missed: "miss it", .notMeasured: "are open",
            .failed: "failed",
        ]
        let parts = [Verdict.aim, .must, .missed, .notMeasured, .failed].map { verdict in
            "\(summary.count(verdict)) \(counts[verdict, default: ""])"
        }
        Console.say("\nOf \(summary.verdicts.values.reduce(0, +)) figures \(parts.joined(separator: ", ")).")
    }

    private func line(_ quantity: String, _ unit: String, _ columns: [String], _ verdict: String) -> String {
        let cells = columns.map { $0.aligned(to: Self.width) }.joined()
        return "\(quantity.padded(to: Self.quantityWidth))\(unit.padded(to: Self.unitWidth))\(cells)  \(verdict)"
    }
}
