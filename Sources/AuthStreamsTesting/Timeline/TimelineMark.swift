/// Something that happens in a row of a timeline at one instant.
enum TimelineMark: Hashable, Sendable {
    case element(Character)
    /// So many elements were missed just before the one that follows.
    case gap(Int)
    case end
    case failure
    case cancel
    case leave
    case busy

    /// What stands for it in a picture, apart from elements and the number of a gap.
    private static let symbols: [Character: TimelineMark] = [
        "|": .end, "!": .failure, "X": .cancel, "<": .leave, "#": .busy,
    ]

    /// Whether the character may stand for an element.
    static func isElement(_ character: Character) -> Bool {
        symbols[character] == nil && (character.isLetter || character.isNumber)
    }

    /// The mark that the character stands for. A gap needs more than one.
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

    /// Whether nothing can happen in the row at later instants.
    var isLast: Bool { [.end, .failure, .leave].contains(self) }
}

/// What one row shows at one instant.
enum TimelineCell: Hashable, Sendable {
    /// Before the row begins and after it has ended.
    case absent
    /// Nothing happens.
    case quiet
    /// In this order.
    case marks([TimelineMark])

    var marks: [TimelineMark] { if case .marks(let marks) = self { marks } else { [] } }
}
