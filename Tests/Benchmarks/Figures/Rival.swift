/// Whom ours stands beside: a column of a table.
struct Rival: Hashable, Sendable {
    /// For people, above the column.
    let title: String
    /// For programs, as a member of each row.
    let key: String
}

extension Rival {
    /// One `AsyncStream` per reader that keeps the newest element.
    static let newest = Rival(title: "newest 1", key: "newest1")
    /// One `AsyncStream` per reader that keeps all.
    static let unbounded = Rival(title: "unbounded", key: "unbounded")
}
