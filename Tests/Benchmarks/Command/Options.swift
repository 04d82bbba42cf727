/// What the command line says about a run.
struct Options: Equatable, Sendable {
    static let mostReaders = 100_000

    /// How many readers the lockstep rows have.
    var readers = [1, 10, 100, 1000, 10_000]
    var rounds = Rounds()
    var isJSON = false
    /// Identifiers of rows, or their beginnings up to a dash; empty for all.
    var only: [String] = []

    /// Whether rows of that identifier are wanted.
    func wants(_ id: String) -> Bool {
        only.isEmpty || only.contains { Self.begins(id, with: $0) }
    }

    static func begins(_ id: String, with name: String) -> Bool { id == name || id.hasPrefix("\(name)-") }
}
