/// Parses the marks of one row.
struct TimelineScanner {
    private let line: String
    private let characters: [Character]
    private let width: Int
    private var position: Int
    private let start: Int
    private var cells: [TimelineCell] = []
    private var end: TimelineMark?

    init(line: String, start: Int, width: Int) {
        self.line = line
        self.start = start
        self.width = width
        characters = Array(line)
        position = start
    }

    mutating func scan() throws(TimelineError) -> [TimelineCell] {
        while position < characters.count {
            let character = characters[position]
            if character == " " {
                try scanBlank()
                continue
            }
            if let end {
                throw error("After \(end.text) nothing more happens in a row. Leave the rest of it blank.")
            }
            switch character {
            case "-":
                cells.append(.quiet)
                position += 1
            case "(": try scanGroup()
            case ")": throw error("This ) has no ( before it.")
            case "~": throw error("A gap comes with the element after it, as a group: (~3d) for 3 missed before d.")
            default: try append([scanMark()], covering: 1)
            }
        }
        guard end != nil || cells.count == width else {
            throw error(
                "The row stops here, but the picture continues. Write - for every instant, or its end: | ! < or X.")
        }
        return cells
    }

    private mutating func scanBlank() throws(TimelineError) {
        guard end != nil || cells.allSatisfy({ $0 == .absent }) else {
            throw error("A blank in the middle of a row. Write - for an instant in which nothing happens.")
        }
        cells.append(.absent)
        position += 1
    }

    private mutating func scanGroup() throws(TimelineError) {
        let opening = position
        var marks: [TimelineMark] = []
        position += 1
        while position < characters.count, characters[position] != ")" {
            if characters[position] == "~" {
                marks.append(try scanGap())
            } else {
                marks.append(try scanMark())
            }
            guard marks.last != .busy else {
                throw error("A reader is busy for whole instants: # stands alone.", at: position - 1)
            }
        }
        guard position < characters.count else { throw error("This ( has no ) after it.", at: opening) }
        guard !marks.isEmpty else { throw error("An empty group. Write - when nothing happens.", at: opening) }
        position += 1
        // The end is implied by the cancellation.
        if marks.contains(.cancel) { marks.removeAll { $0 == .end } }
        try append(marks, covering: position - opening)
    }

    private mutating func scanMark() throws(TimelineError) -> TimelineMark {
        guard let mark = TimelineMark(characters[position]) else {
            throw error(
                "\"\(characters[position])\" is no mark. Elements are letters and digits; see Timeline for the rest.")
        }
        position += 1
        return mark
    }

    private mutating func scanGap() throws(TimelineError) -> TimelineMark {
        let sign = position
        position += 1
        let digits = characters[position...].prefix { $0.isASCII && $0.isNumber }
        position += digits.count
        guard let count = Int(String(digits)), count > 0 else {
            throw error("How many were missed? Write the number after ~, as in (~3d).", at: sign)
        }
        guard position < characters.count, TimelineMark.isElement(characters[position]) else {
            throw error("A gap comes with the element after it: (~3d) for 3 missed before d.", at: sign)
        }
        return .gap(count)
    }

    /// A group covers as many instants as it has characters; all of its marks happen at the first.
    private mutating func append(_ marks: [TimelineMark], covering count: Int) throws(TimelineError) {
        if let place = marks.firstIndex(where: \.isLast) {
            // Only the letter of an error may follow, and only after !.
            let isOver = place == marks.count - 1 || marks[place] == .failure && place == marks.count - 2
            guard isOver else {
                throw error("After \(marks[place].text) nothing more happens in a row.", at: position - 1)
            }
            end = marks[place]
        } else if marks.contains(.cancel), position >= characters.count || characters[position] == " " {
            end = .cancel
        }
        cells.append(.marks(marks))
        cells += Array(repeating: end == nil ? .quiet : .absent, count: count - 1)
    }

    private func error(_ message: String, at place: Int? = nil) -> TimelineError {
        TimelineError(message, line: line, column: place ?? position)
    }
}
