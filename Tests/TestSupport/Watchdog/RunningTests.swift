package import Foundation

/// The tests that have started and not ended, according to Swift Testing's event stream.
package struct RunningTests: Sendable {
    /// The times at which they started, by identifier, such as `Module.Suite/test()/File.swift:12:6`.
    package private(set) var starts: [String: SuspendingClock.Instant] = [:]

    package init() {}

    /// Reads one line of the event stream.
    ///
    /// - Returns: Whether a test or a test case has ended.
    package mutating func record(_ line: Data, at now: SuspendingClock.Instant) -> Bool {
        guard let event = TestEvent(line), let test = event.test else { return false }
        switch event.kind {
        case "testStarted":
            starts[test] = now
            return false
        case "testEnded", "testSkipped", "testCancelled":
            starts[test] = nil
            return true
        default:
            return event.kind == "testCaseEnded"
        }
    }
}
