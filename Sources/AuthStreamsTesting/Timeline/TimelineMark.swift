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
