import AuthStreams

/// What happened in a schedule, in order: one line each, written only if it is read.
///
/// ```
///   12.500  1  asks the server to refresh R3.1
/// ```
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Timeline: @unchecked Sendable {
    let isKept: Bool
    private(set) var lines: [String] = []

    /// - Parameter isKept: Whether lines are made at all: that takes longer than the schedule.
    init(isKept: Bool) {
        self.isKept = isKept
    }

    func note(at time: Milliseconds, _ process: ProcessID?, _ what: @autoclosure () -> String) {
        guard isKept else { return }
        lines.append("\(Self.seconds(time))  \(process.map { "\($0 + 1)" } ?? " ")  \(what())")
    }

    private static func seconds(_ time: Milliseconds) -> String {
        let (whole, rest) = (String(time / 1000), String(time % 1000))
        return String(repeating: " ", count: max(0, 6 - whole.count)) + whole + "."
            + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
