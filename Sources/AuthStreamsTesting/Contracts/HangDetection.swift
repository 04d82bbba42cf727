package import AuthStreams

/// Decides when a check hangs, independently of the speed of the machine.
///
/// A probe takes turns beside the check: it pauses, and then passes through the global executor and the main actor, behind
/// the work that waits there. On a busy machine its turns come as late as those of the check. A check hangs if
///
/// - the probe has had many turns in a row, and in none of them a task of the check ran or waited for a processor; or
/// - the check itself used a lot of processor time, as an endless loop does.
///
/// The tasks of a check are its own and their child tasks. Others that an implementation starts, its servers and its
/// processes, are not visible: they have until the last turn to answer. Before iOS 18, macOS 15, tvOS 18, watchOS 11 and
/// visionOS 2 tasks cannot be observed: there, the turns count from the last step that the check reports.
public struct HangDetection: Sendable {
    /// Starts to watch a check. The result waits until it hangs, and says how that was seen.
    let watch: @Sendable (CheckActivity) -> @Sendable () async throws -> String

    /// Makes a detection.
    ///
    /// - Parameters:
    ///   - turns: The number of turns in a row without activity of the check.
    ///   - interval: The pause before each turn. With the defaults, a check that hangs is reported after a minute or later.
    ///   - processorTime: The processor time that one check may use. It needs a small part of the default.
    package init(
        turns: Int = 600, interval: Duration = .milliseconds(100), processorTime: Duration = .seconds(60)
    ) {
        watch = { activity in
            {
                var count = IdleTurns(limit: turns, processorTime: processorTime, interval: interval)
                while true {
                    try await Task.sleep(for: interval)
                    await Task { @MainActor in }.value
                    if let words = count.take(activity.reading) { return words }
                }
            }
        }
    }

    /// Makes a detection that reports a check at an event. A value that is no use any more is dropped.
    ///
    /// - Parameter event: Called when a check begins.
    package init(at event: @escaping @Sendable () -> Promise<Void>) {
        watch = { _ in
            let event = event()
            return {
                guard await event.value() != nil else { throw CancellationError() }
                return "when it was said to hang"
            }
        }
    }
}

/// Counts the turns of a probe in which a check did nothing.
struct IdleTurns {
    private let limit: Int
    private let processorTime: Duration
    private let interval: Duration
    private var count = 0
    private var last = CheckActivity.Reading()

    init(limit: Int, processorTime: Duration, interval: Duration) {
        (self.limit, self.processorTime, self.interval) = (limit, processorTime, interval)
    }

    /// Takes the reading of one turn.
    ///
    /// - Returns: How it was seen that the check hangs, or `nil`.
    mutating func take(_ reading: CheckActivity.Reading) -> String? {
        // A job that runs and uses no processor is blocked.
        let isComputing = reading.running > 0 && reading.processorTime - last.processorTime > interval / 20
        let isActive = reading.waiting > 0 || reading.steps != last.steps || isComputing
        count = isActive ? 0 : count + 1
        last = reading
        if reading.processorTime >= processorTime { return "after \(processorTime) of processor time" }
        return count < limit ? nil : "after \(limit) turns without activity"
    }
}
