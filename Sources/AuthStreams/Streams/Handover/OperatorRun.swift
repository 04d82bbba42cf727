/// One iteration of an operator that has work of its own to do: what its iterator needs to know of it.
protocol OperatorRun: AnyObject, Sendable {
    associatedtype Output: Sendable

    /// The next element; `nil` at the end, or when the task is cancelled.
    func next() async -> Result<Output?, any Error>

    /// Cancels the work and ends the readers. Idempotent.
    func stop()
}

/// What all copies of an iterator share: the run ends when the last of them is gone.
final class OperatorRunOwner<Run: OperatorRun>: Sendable {
    let run: Run

    init(_ run: Run) { self.run = run }

    deinit { run.stop() }
}
