/// For people: a table that grows line by line.
struct TextReport: Report {
    /// Whether figures and verdicts mean nothing.
    let isSmoke: Bool

    private static let columns = ["ours", "newest 1", "unbounded", "figure", "must", "aim"]
    private static let quantityWidth = 55
    private static let unitWidth = 13
    private static let width = 11

    func begin(_ summary: Summary) {
        Console.say("Ours beside one AsyncStream per reader behind a lock, bufferingNewest(1) and unbounded, in turns:")
        Console.say(
            isSmoke
                ? "one round of next to nothing, whose figures say nothing.\n"
                : "medians of \(summary.rounds) rounds.\n")
        Console.say(line("quantity", "unit", Self.columns, "verdict"))
    }

    func add(_ row: Row) {
        let samples = [row.ours, row.newest, row.unbounded].map { $0?.median?.short ?? "" }
        let figure = row.figure.map { "\($0.short)\(row.figureUnit == row.unit ? "" : " \(row.figureUnit)")" } ?? "–"
        let bounds = [row.bound.must, row.bound.aim].map { "\(row.bound.sign) \($0.plain)" }
        Console.say(line(row.quantity, row.unit, samples + [figure] + bounds, isSmoke ? "smoke" : row.verdict.rawValue))
        if let note = row.note { Console.say("    \(note)") }
    }

    func end(_ summary: Summary) {
        guard !isSmoke else { return }
        let counts = [
            Verdict.aim: "reach the aim", .must: "hold the must", .missed: "miss it", .notMeasured: "are open",
        ]
        let parts = [Verdict.aim, .must, .missed, .notMeasured].map { verdict in
            "\(summary.count(verdict)) \(counts[verdict, default: ""])"
        }
        Console.say("\nOf \(summary.verdicts.values.reduce(0, +)) figures \(parts.joined(separator: ", ")).")
    }

    private func line(_ quantity: String, _ unit: String, _ columns: [String], _ verdict: String) -> String {
        let cells = columns.map { $0.aligned(to: Self.width) }.joined()
        return "\(quantity.padded(to: Self.quantityWidth))\(unit.padded(to: Self.unitWidth))\(cells)  \(verdict)"
    }
}
