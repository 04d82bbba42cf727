package import Foundation

/// The processor seconds of each suite, in a run whose tests do not overlap: `--no-parallel`.
package struct SuiteCosts: Sendable {
    /// The environment variable that has a test process print its most expensive suites.
    package static let variable = "AUTHSTREAMS_TEST_COSTS"

    private var costs: [String: Duration] = [:]
    private var lastEnd: Duration

    /// - Parameter processorTime: What this process and the processes that it waited for have used until now.
    package init(processorTime: Duration) {
        lastEnd = processorTime
    }

    /// Reads one line of the event stream.
    ///
    /// - Parameter processorTime: What this process and the processes that it waited for have used until now.
    /// - Returns: The ten most expensive suites, each in a line of its own, when the tests have ended; otherwise `nil`.
    package mutating func record(_ line: Data, processorTime: Duration) -> String? {
        guard let event = TestEvent(line) else { return nil }
        switch (event.kind, event.test) {
        case ("testEnded", let test?):
            let suite = test.split(separator: "/").first ?? ""
            costs[String(suite), default: .zero] += processorTime - lastEnd
            lastEnd = processorTime
            return nil
        case ("runEnded", _):
            return costs.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(10)
                .map { "costs: \($0.value.components.seconds) s \($0.key)\n" }.joined()
        default:
            return nil
        }
    }
}
