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

/// An event in a row of a timeline at one instant.
enum TimelineMark: Hashable, Sendable {
    case element(Character)
    /// That many elements were missed just before the next one.
    case gap(Int)
    case end
    case failure
    case cancel
    case leave
    case busy

    /// The characters of the marks in a picture, except elements and the number of a gap.
    private static let symbols: [Character: TimelineMark] = [
        "|": .end, "!": .failure, "X": .cancel, "<": .leave, "#": .busy,
    ]

    /// Returns whether the character may be an element.
    static func isElement(_ character: Character) -> Bool {
        symbols[character] == nil && (character.isLetter || character.isNumber)
    }

    /// Makes the mark of a character. A gap needs more than one.
    init?(_ character: Character) {
        if let mark = Self.symbols[character] {
            self = mark
        } else if Self.isElement(character) {
            self = .element(character)
        } else {
            return nil
        }
    }

    var text: String {
        switch self {
        case .element(let character): String(character)
        case .gap(let count): "~\(count)"
        case .end: "|"
        case .failure: "!"
        case .cancel: "X"
        case .leave: "<"
        case .busy: "#"
        }
    }

    var isElement: Bool { if case .element = self { true } else { false } }

    /// Whether no mark can follow in the row.
    var isLast: Bool { [.end, .failure, .leave].contains(self) }
}

/// The content of one row at one instant.
enum TimelineCell: Hashable, Sendable {
    /// Before the row begins and after it has ended.
    case absent
    /// Nothing happens.
    case quiet
    /// Marks, in this order.
    case marks([TimelineMark])

    var marks: [TimelineMark] { if case .marks(let marks) = self { marks } else { [] } }
}
