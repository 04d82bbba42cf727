/// What `bench` can measure under one name.
struct Suite: Sendable {
    let name: String
    /// For the help.
    let summary: String
    /// What is compared with what, for the head of the table.
    let introduction: String
    /// Whom ours stands beside: the columns of the table.
    let rivals: [Rival]
    let measures: @Sendable (Options) -> [Measure]

    /// All there are. A new one is added here.
    static let all: [Suite] = [.streams, .chain, .sessions, .instructions]
}

/// One experiment, and the rows that it fills.
struct Measure: Sendable {
    let ids: [String]
    let run: @Sendable (Rounds) async -> [Row]

    init(_ ids: String..., run: @escaping @Sendable (Rounds) async -> [Row]) {
        self.ids = ids
        self.run = run
    }
}
