package import Foundation

/// A line of Swift Testing's event stream.
package struct TestEvent {
    /// Such as `testStarted`.
    package let kind: String
    /// The identifier of a test function, such as `Module.Suite/test()/File.swift:12:6`. That of a suite has no source location
    /// and is `nil` here.
    package let test: String?

    /// - Returns: `nil` for a line that describes something else, such as a test.
    package init?(_ line: Data) {
        guard let event = try? JSONDecoder().decode(Record.self, from: line).payload else { return nil }
        kind = event.kind
        test = event.testID.flatMap { $0.contains(".swift:") ? $0 : nil }
    }

    private struct Record: Decodable {
        struct Event: Decodable {
            let kind: String
            let testID: String?
        }
        let payload: Event
    }
}
