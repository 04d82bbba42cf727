/// A row of a timeline: a name, and its content at each instant.
struct TimelineRow: Hashable, Sendable {
    let name: String
    /// One per instant, without trailing absent ones.
    let cells: [TimelineCell]

    init(name: String, cells: [TimelineCell]) {
        self.name = name
        let kept = cells.lastIndex { $0 != .absent }.map { $0 + 1 } ?? 0
        self.cells = Array(cells.prefix(kept))
    }

    subscript(instant: Int) -> TimelineCell {
        cells.indices.contains(instant) ? cells[instant] : .absent
    }

    /// The first instant of the row.
    var beginning: Int? { cells.firstIndex { $0 != .absent } }

    /// Returns the row as a picture shows it, one character per instant.
    ///
    /// - Parameter notes: Receives events that do not fit: a group covers the instants after it, so they must be quiet.
    func text(notes: inout [String]) -> String {
        var text = ""
        var instant = 0
        while instant < cells.count {
            let marks = cells[instant].marks
            let group = "(" + marks.map(\.text).joined() + ")"
            let covered = instant + 1..<instant + group.count
            if marks.isEmpty {
                text += cells[instant] == .quiet ? "-" : " "
            } else if marks.count == 1, let mark = marks.first?.text, mark.count == 1 {
                text += mark
            } else if covered.allSatisfy({ self[$0].marks.isEmpty }) {
                text += group
                instant += group.count - 1
            } else {
                text += "*"
                notes.append("* in \(name) at instant \(instant) is \(group)")
            }
            instant += 1
        }
        return text
    }
}
