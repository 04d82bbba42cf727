/// Tells what was measured, as it is measured.
protocol Report: Sendable {
    func begin(_ summary: Summary)
    func add(_ row: Row)
    func end(_ summary: Summary)
}

/// A run as a whole.
struct Summary: Equatable, Sendable {
    let suite: String
    let rounds: Int
    let isSmoke: Bool
    private(set) var verdicts: [Verdict: Int] = [:]

    init(suite: String, rounds: Rounds) {
        self.suite = suite
        self.rounds = rounds.isSmoke ? 1 : rounds.count
        isSmoke = rounds.isSmoke
    }

    mutating func add(_ row: Row) { verdicts[row.verdict, default: 0] += 1 }

    func count(_ verdict: Verdict) -> Int { verdicts[verdict, default: 0] }

    /// Whether everything worked, and no figure missed what it must be. Smoke has no figures.
    var isOK: Bool { count(.failed) == 0 && (isSmoke || count(.missed) == 0) }
}
