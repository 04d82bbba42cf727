/// The parsed text of a timeline: its rows, and the content of each at each instant.
struct TimelinePicture: Sendable {
    let rows: [TimelineRow]
    /// The number of instants.
    let width: Int
    private let lines: [String]
    private let start: Int

    /// - Throws: ``TimelineError``, pointing at the position.
    init(_ text: String) throws(TimelineError) {
        let lines = text.split(separator: "\n").map(String.init).filter { !$0.allSatisfy { $0 == " " } }
        guard !lines.isEmpty else {
            throw TimelineError("The timeline is empty. Write one line per row: name, blanks, marks.")
        }
        start = try Self.startColumn(of: lines)
        width = (lines.map(\.count).max() ?? 0) - start
        self.lines = lines
        var rows: [TimelineRow] = []
        for line in lines {
            let name = String(line.prefix { $0 != " " })
            guard !rows.contains(where: { $0.name == name }) else {
                throw TimelineError("There are two rows with the name \"\(name)\".", line: line, column: 0)
            }
            var scanner = TimelineScanner(line: line, start: start, width: width)
            rows.append(TimelineRow(name: name, cells: try scanner.scan()))
        }
        self.rows = rows
    }

    /// Returns an error that points at a row's instant.
    func error(_ message: String, row: Int, instant: Int) -> TimelineError {
        TimelineError(message, line: lines[row], column: start + instant)
    }

    /// Returns the column at which all rows begin: that of the earliest.
    private static func startColumn(of lines: [String]) throws(TimelineError) -> Int {
        var start = Int.max
        for line in lines {
            if let tab = line.firstIndex(of: "\t") {
                throw TimelineError(
                    "A tab has no width that all agree on. Write blanks.", line: line,
                    column: line.distance(from: line.startIndex, to: tab))
            }
            guard line.first != " " else {
                throw TimelineError("A line begins with the name of its row.", line: line, column: 0)
            }
            let name = line.prefix { $0 != " " }
            guard let mark = line.dropFirst(name.count).firstIndex(where: { $0 != " " }) else {
                throw TimelineError(
                    "The row is empty. Write its marks after the name, or leave it out.", line: line, column: name.count
                )
            }
            start = min(start, line.distance(from: line.startIndex, to: mark))
        }
        for line in lines where line.prefix(while: { $0 != " " }).count >= start {
            throw TimelineError(
                "The name reaches into the timelines, which begin here. Move the marks of all rows to the right.",
                line: line, column: start)
        }
        return start
    }
}
