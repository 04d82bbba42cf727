/// A timeline that cannot be played as it is written, or that was played outside of its rules.
///
/// The description says what is wrong and what to write instead, and points at the place.
public struct TimelineError: Error, Hashable, CustomStringConvertible {
    /// For the person who writes the test.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// - Parameter column: Where in the line the caret goes, counted from 0.
    init(_ message: String, line: String, column: Int) {
        description = "\(message)\n\n    \(line)\n    \(String(repeating: " ", count: column))^"
    }
}
