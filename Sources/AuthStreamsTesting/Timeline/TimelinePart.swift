/// Who plays a row.
protocol TimelinePart: Sendable {
    /// The first instant of the row has come.
    func begin()
    /// Does what the row says for this instant.
    func act(at instant: Int)
    /// Everybody stands still, and the instant is over.
    func settle(at instant: Int)
    /// The timeline is over: lets everyone go who waits.
    func stop()
    /// What becomes of the row when the cancellation of a reader cuts the timeline short.
    static var fate: TimelineFate { get }
}

extension TimelinePart {
    func begin() {}
    func act(at instant: Int) {}
    func settle(at instant: Int) {}
    func stop() {}
}

/// What becomes of a row when a reader is cancelled.
enum TimelineFate {
    /// It goes on as before.
    case none
    /// It is cancelled too.
    case cancelled
    /// Nothing more happens in it.
    case silenced
}
