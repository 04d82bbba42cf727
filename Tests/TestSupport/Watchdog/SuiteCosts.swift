package import Foundation

/// Tells the processor time of each test in a run whose tests do not overlap: `--no-parallel`.
package struct SuiteCosts: Sendable {
    /// The environment variable that has a test process print what each test cost.
    package static let variable = "AUTHSTREAMS_TEST_COSTS"

    private var lastEnd: Duration

    /// - Parameter processorTime: What this process and the processes that it waited for have used until now.
    package init(processorTime: Duration) {
        lastEnd = processorTime
    }

    /// Reads one line of the event stream.
    ///
    /// - Parameter processorTime: What this process and the processes that it waited for have used until now.
    /// - Returns: A line with the milliseconds since the end of the test before, and the suite, when a test has ended;
    ///   otherwise `nil`. The process may exit at any time after its last test, so there is no sum.
    package mutating func record(_ line: Data, processorTime: Duration) -> String? {
        guard let event = TestEvent(line), event.kind == "testEnded", let test = event.test else { return nil }
        defer { lastEnd = processorTime }
        return "costs: \((processorTime - lastEnd) / .milliseconds(1)) \(test.split(separator: "/").first ?? "")\n"
    }
}
