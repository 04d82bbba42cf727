import AuthStreams

/// The state of a play: the rows, their players, the clock, and the record of events.
final class TimelineStage: Sendable {
    typealias Starter = @Sendable (@escaping TaskSpawner.Body) -> Task<Void, Never>

    private struct State {
        var record: TimelineRecord
        var parts: [Int: any TimelinePart] = [:]
        var error: TimelineError?
        var tasks: [Task<Void, Never>] = []
    }
    private let state: Lock<State>
    private let picture: TimelinePicture

    /// The script of each row, which is also its expectation.
    let script: [TimelineRow]
    let clock = ManualClock()
    let reading: TimelineReading
    /// Starts a task on the timeline's executor.
    let start: Starter

    init(
        _ picture: TimelinePicture, script: [TimelineRow], reading: TimelineReading, start: @escaping Starter
    ) {
        self.picture = picture
        self.script = script
        self.reading = reading
        self.start = start
        state = Lock(State(record: TimelineRecord(rows: script.count)))
    }

    /// Assigns a row to its player.
    ///
    /// - Parameters:
    ///   - allowed: Returns whether a mark is valid in such a row.
    ///   - make: Makes the part, given the row's index.
    func cast<Part: TimelinePart>(
        _ name: String, as role: String, allowing allowed: (TimelineMark) -> Bool, make: (Int) -> Part
    ) -> Part? {
        guard let row = script.firstIndex(where: { $0.name == name }) else {
            let names = script.map { "\"\($0.name)\"" }.joined(separator: ", ")
            fail(TimelineError("There is no row with the name \"\(name)\". There are \(names)."))
            return nil
        }
        for (instant, cell) in script[row].cells.enumerated() {
            guard let mark = cell.marks.first(where: { !allowed($0) }) else { continue }
            fail(picture.error("\(mark.text) means nothing in \(role).", row: row, instant: instant))
            return nil
        }
        let part = make(row)
        let isTaken = state.withLock { state in
            if state.parts[row] != nil { return true }
            state.parts[row] = part
            return false
        }
        if isTaken {
            fail(TimelineError("Row \"\(name)\" is used twice. Give each part and each reader a row of its own."))
        }
        return isTaken ? nil : part
    }

    /// Starts a task that is cancelled at the end of the timeline.
    func startGuest(_ body: @escaping TaskSpawner.Body) -> Task<Void, Never> {
        let task = start(body)
        state.withLock { $0.tasks.append(task) }
        return task
    }

    /// Ends the timeline: later events do not count, and all waiting tasks are resumed.
    func close() {
        let tasks = state.withLock { state in
            state.record.close()
            return state.tasks
        }
        for task in tasks { task.cancel() }
        for row in script.indices { part(of: row)?.stop() }
    }

    /// Keeps the first reason why the timeline cannot be played.
    func fail(_ error: TimelineError) {
        state.withLock { $0.error = $0.error ?? error }
    }

    /// Returns an error that points at a row's instant.
    func error(_ message: String, row: Int, instant: Int) -> TimelineError {
        picture.error(message, row: row, instant: instant)
    }

    func part(of row: Int) -> (any TimelinePart)? { state.withLock { $0.parts[row] } }

    var error: TimelineError? { state.withLock { $0.error } }

    /// The current instant.
    var instant: Int { state.withLock { $0.record.instant } }

    @discardableResult
    func record<Result: Sendable>(_ body: @Sendable (inout TimelineRecord) -> Result) -> Result {
        state.withLock { body(&$0.record) }
    }
}

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
