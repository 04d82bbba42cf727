/// A timeline that cannot be played as it is written, or whose rules were broken.
///
/// The description has the problem and its remedy, and points at the position.
public struct TimelineError: Error, Hashable, CustomStringConvertible {
    /// For the person who writes the test.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// - Parameter column: The column of the caret, counted from 0.
    init(_ message: String, line: String, column: Int) {
        description = "\(message)\n\n    \(line)\n    \(String(repeating: " ", count: column))^"
    }
}
