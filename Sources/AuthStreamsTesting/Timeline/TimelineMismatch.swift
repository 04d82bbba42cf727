/// The difference between a timeline and its result.
///
/// ```
/// Row "late" went another way at instant 4:
///
///     writer  a--b--c--d|
///     late        b-c--d|   expected
///     late        a-c--d|   actual
///                 ^
/// ```
public struct TimelineMismatch: Error, Hashable, CustomStringConvertible {
    /// The expected picture, all rows.
    package let expected: String
    /// The actual picture, all rows.
    package let actual: String
    /// Both, one under the other where they differ.
    public let description: String

    /// - Returns: `nil` if there is no difference.
    init?(expected: [TimelineRow], actual: [TimelineRow], notes: [String]) {
        let pairs = Array(zip(expected, actual))
        let differences = pairs.compactMap { pair in
            Self.firstDifference(pair.0, pair.1).map { (name: pair.0.name, instant: $0) }
        }
        guard let first = differences.min(by: { $0.instant < $1.instant }) else { return nil }

        var notes = notes
        let indent = (expected.map(\.name.count).max() ?? 0) + 2
        func line(_ row: TimelineRow) -> String {
            row.name + String(repeating: " ", count: indent - row.name.count) + row.text(notes: &notes)
        }
        var lines: [String] = []
        var expectedLines: [String] = []
        var actualLines: [String] = []
        for (wanted, got) in pairs {
            let wantedLine = line(wanted)
            expectedLines.append(wantedLine)
            guard let instant = Self.firstDifference(wanted, got) else {
                lines.append(wantedLine)
                actualLines.append(wantedLine)
                continue
            }
            let gotLine = line(got)
            actualLines.append(gotLine)
            let width = max(wantedLine.count, gotLine.count)
            func padded(_ line: String) -> String { line + String(repeating: " ", count: width - line.count) }
            lines.append(padded(wantedLine) + "   expected")
            lines.append(padded(gotLine) + "   actual")
            lines.append(String(repeating: " ", count: indent + instant) + "^")
        }
        self.expected = expectedLines.joined(separator: "\n")
        self.actual = actualLines.joined(separator: "\n")
        let picture = lines.map { "    " + $0 }.joined(separator: "\n")
        let remarks = notes.map { "\n    " + $0 }.joined()
        description = """
            Row "\(first.name)" went another way at instant \(first.instant):

            \(picture)\(remarks.isEmpty ? "" : "\n" + remarks)
            """
    }

    private static func firstDifference(_ expected: TimelineRow, _ actual: TimelineRow) -> Int? {
        (0..<max(expected.cells.count, actual.cells.count)).first { expected[$0] != actual[$0] }
    }
}
