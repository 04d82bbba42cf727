/// What the command line asks for.
enum Command: Sendable {
    case help
    case run(Suite, Options)

    /// - Throws: What is wrong with the words.
    init(_ words: some Sequence<String>) throws(UsageError) {
        var words = Array(words)[...]
        if words.contains("--help") || words.contains("-h") {
            self = .help
            return
        }
        guard let name = words.popFirst() else { throw UsageError("Say what to measure.") }
        guard let suite = Suite.all.first(where: { $0.name == name }) else {
            throw UsageError("There is nothing called '\(name)' to measure.")
        }
        self = .run(suite, try Options(words, for: suite))
    }

    static let synopsis = "usage: bench SUITE [--json] [--rounds R] [--only ROW…] [--smoke]"

    static var usage: String {
        """
        \(synopsis)

        Build it with optimization: swift run -c release bench streams. A suite takes some minutes on a quiet machine.

        \(Suite.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))

          --rounds R    how often each contender has its turn, at least \(Rounds.minimum); 7 unless given
          --only ROW…   only these rows, and the rows whose names begin with one of these and a dash
          --json        one JSON object per line instead of a table
          --smoke       tiny amounts, once: checks that everything runs. Its figures mean nothing
          --help        this text

        The exit status is 0 when no figure misses what it must be, 1 when one does, and 2 for bad arguments.
        A row that this machine cannot measure is reported and not counted as missed.
        """
    }
}

/// How a suite is run.
struct Options: Equatable, Sendable {
    var rounds = Rounds()
    var isJSON = false
    /// Names of rows, or their beginnings up to a dash; empty for all.
    var only: [String] = []

    /// Whether the row is to be measured.
    func selects(_ id: String) -> Bool { only.isEmpty || only.contains { Self.matches(id, $0) } }

    private static func matches(_ id: String, _ name: String) -> Bool { id == name || id.hasPrefix("\(name)-") }
}

extension Options {
    /// - Throws: What is wrong with the words.
    init(_ words: ArraySlice<String>, for suite: Suite) throws(UsageError) {
        var rest = words
        while let word = rest.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--smoke": rounds.isSmoke = true
            case "--rounds":
                guard let count = rest.popFirst().flatMap(Int.init), count >= Rounds.minimum else {
                    throw UsageError("--rounds needs a number of at least \(Rounds.minimum).")
                }
                rounds.count = count
            case "--only":
                only += rest.prefix { !$0.hasPrefix("-") }
                rest = rest.drop { !$0.hasPrefix("-") }
                guard !only.isEmpty else { throw UsageError("--only needs the name of a row.") }
            default: throw UsageError("'\(word)' is not an option.")
            }
        }
        let ids = suite.measures.map(\.id)
        for row in only where !ids.contains(where: { Self.matches($0, row) }) {
            throw UsageError("There is no row '\(row)'. The rows are: \(ids.joined(separator: ", ")).")
        }
    }
}

/// Why the command line cannot be understood.
struct UsageError: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
