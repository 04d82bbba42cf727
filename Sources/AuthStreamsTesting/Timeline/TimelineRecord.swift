/// The events so far of a timeline that is being played.
struct TimelineRecord: Sendable {
    private struct Row {
        var beginning: Int?
        var end: Int?
        var marks: [Int: [TimelineMark]] = [:]
    }

    /// The current instant.
    var instant = 0
    /// Notes about events that one character cannot show.
    private(set) var notes: [String] = []
    private var rows: [Row]
    private var isClosed = false

    init(rows: Int) {
        self.rows = Array(repeating: Row(), count: rows)
    }

    /// Begins a row.
    mutating func begin(_ row: Int) {
        guard !isClosed, rows[row].beginning == nil else { return }
        rows[row].beginning = instant
    }

    /// Records events of this instant. Rows that have not begun or have ended show nothing.
    ///
    /// - Parameter ending: Whether the row ends with it.
    mutating func add(_ marks: [TimelineMark], to row: Int, ending: Bool = false, note: String? = nil) {
        guard !isClosed, rows[row].beginning != nil, rows[row].end == nil else { return }
        // The end in the instant of a cancellation is implied.
        let isToldAlready = marks == [.end] && rows[row].marks[instant, default: []].contains(.cancel)
        if !isToldAlready { rows[row].marks[instant, default: []] += marks }
        if ending { rows[row].end = instant }
        if let note { notes.append(note) }
    }

    /// Returns the number of elements that the row received in this instant.
    func elements(in row: Int) -> Int {
        rows[row].marks[instant, default: []].count(where: \.isElement)
    }

    func isQuiet(_ row: Int) -> Bool {
        rows[row].marks[instant, default: []].isEmpty
    }

    /// Ends the recording.
    mutating func close() { isClosed = true }

    func cells(of row: Int, width: Int) -> [TimelineCell] {
        let row = rows[row]
        guard let beginning = row.beginning else { return [] }
        var cells: [TimelineCell] = (0..<width).map { instant in
            guard instant >= beginning, instant <= row.end ?? width else { return .absent }
            return row.marks[instant].map { .marks($0) } ?? .quiet
        }
        // X at the last instant means that the row ended with it. If it did not, the row shows it.
        if row.end == nil, cells.last?.marks.contains(.cancel) ?? false { cells.append(.quiet) }
        return cells
    }
}
