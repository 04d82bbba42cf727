/// The player of a row.
protocol TimelinePart: Sendable {
    /// Called at the first instant of the row.
    func begin()
    /// Performs the row's marks of this instant.
    func act(at instant: Int)
    /// Called at the end of the instant, when all tasks are suspended.
    func settle(at instant: Int)
    /// Called at the end of the timeline: resumes all waiting tasks.
    func stop()
    /// What happens to the row when the cancellation of a reader cuts the timeline short.
    static var fate: TimelineFate { get }
}

extension TimelinePart {
    func begin() {}
    func act(at instant: Int) {}
    func settle(at instant: Int) {}
    func stop() {}
}

/// What happens to a row when a reader is cancelled.
enum TimelineFate {
    /// It continues as before.
    case none
    /// It is cancelled too.
    case cancelled
    /// Nothing more happens in it.
    case silenced
}
