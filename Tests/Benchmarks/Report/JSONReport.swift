import Foundation

/// For programs: one object per line, a row or at the end the summary.
struct JSONReport: Report {
    struct Contender: Encodable {
        let median: Double
        let smallest: Double
        let largest: Double

        init?(_ samples: Samples?) {
            guard let samples, let median = samples.median, let smallest = samples.smallest,
                let largest = samples.largest, smallest.isFinite, largest.isFinite
            else { return nil }
            (self.median, self.smallest, self.largest) = (median, smallest, largest)
        }
    }

    /// A row. Each rival is a member under its own key, beside those that every row has.
    struct Line: Encodable {
        private let members: Members
        private let rivals: [(key: Key, contender: Contender)]

        init(_ row: Row) {
            members = Members(row)
            rivals = row.rivals.compactMap { rival, samples in
                Contender(samples).map { (Key(stringValue: rival.key), $0) }
            }
        }

        func encode(to encoder: any Encoder) throws {
            try members.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            for (key, contender) in rivals { try container.encode(contender, forKey: key) }
        }
    }

    private struct Members: Encodable {
        var type = "row"
        let id: String
        let quantity: String
        let unit: String
        let ours: Contender?
        let figure: Double?
        let figureUnit: String
        let comparison: String
        let must: Double
        let aim: Double
        let verdict: String
        let note: String?

        init(_ row: Row) {
            (id, quantity, unit) = (row.id, row.quantity, row.unit)
            ours = Contender(row.ours)
            (figure, figureUnit) = (row.figure.flatMap { $0.isFinite ? $0 : nil }, row.figureUnit)
            comparison = if case .atLeast = row.bound { "atLeast" } else { "atMost" }
            (must, aim, verdict, note) = (row.bound.must, row.bound.aim, row.verdict.name, row.note)
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    struct End: Encodable {
        var type = "summary"
        let suite: String
        let rounds: Int
        let smoke: Bool
        let ok: Bool
        let aim: Int
        let must: Int
        let missed: Int
        let notMeasured: Int
        let failed: Int
    }

    func begin(_ summary: Summary) {}

    func add(_ row: Row) { write(Line(row)) }

    func end(_ summary: Summary) {
        write(
            End(
                suite: summary.suite, rounds: summary.rounds, smoke: summary.isSmoke, ok: summary.isOK,
                aim: summary.count(.aim), must: summary.count(.must), missed: summary.count(.missed),
                notMeasured: summary.count(.notMeasured), failed: summary.count(.failed)))
    }

    private func write(_ line: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(line) else { return }
        Console.say(String(decoding: data, as: UTF8.self))
    }
}
