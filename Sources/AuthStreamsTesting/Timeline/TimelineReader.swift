import AuthStreams

/// Plays an output row: a task that reads a sequence by the row's marks, and records the elements.
final class TimelineReader: TimelinePart {
    typealias Loop = @concurrent @Sendable (TimelineReader) async -> Void

    static let fate = TimelineFate.none

    private struct State {
        var task: Task<Void, Never>?
        /// The loop's body, if it is busy, and since when.
        var busy: (since: Int, continuation: CheckedContinuation<Void, Never>)?
        var isStopped = false
    }
    private let state = Lock(State())
    let stage: TimelineStage
    let row: Int
    private let read: Loop

    /// - Parameter read: The loop, which reports to the given reader.
    init(_ stage: TimelineStage, row: Int, read: @escaping Loop) {
        self.stage = stage
        self.row = row
        self.read = read
    }

    func begin() {
        stage.record { [row] in $0.begin(row) }
        let task = stage.start { await self.read(self) }
        state.withLock { $0.task = task }
    }

    func act(at instant: Int) {
        let marks = stage.script[row][instant].marks
        if marks.contains(.cancel) {
            // Recorded first: the effects of cancelling happen before `cancel()` returns.
            note([.cancel])
            state.withLock { $0.task }?.cancel()
        }
        if marks != [.busy] { goOn(before: instant) }
    }

    func settle(at instant: Int) {
        guard state.withLock({ $0.busy != nil }) else { return }
        stage.record { [row] in if $0.isQuiet(row) { $0.add([.busy], to: row) } }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            return state.task
        }?.cancel()
        goOn(before: .max)
    }

    /// Records an element of the loop; returns when the loop's body has handled it.
    ///
    /// - Returns: Whether the loop continues.
    func got(_ marks: [TimelineMark], note text: String? = nil) async -> Bool {
        note(marks, text: text)
        let instant = stage.instant
        let here = stage.script[row][instant].marks
        if let place = here.firstIndex(of: .leave) {
            let count = here[..<place].count(where: \.isElement)
            let isTheOne = stage.record { [row] in $0.elements(in: row) >= count }
            if isTheOne { return leave() }
        }
        let next = stage.script[row][instant + 1].marks
        if next.first == .busy || next == [.leave] {
            await beBusy(since: instant)
            if stage.script[row][stage.instant].marks.first == .leave { return leave() }
        }
        return state.withLock { !$0.isStopped }
    }

    /// Records that the sequence ended.
    func ended(_ marks: [TimelineMark], note text: String? = nil) {
        note(marks, text: text, ending: true)
    }

    private func leave() -> Bool {
        note([.leave], ending: true)
        return false
    }

    private func note(_ marks: [TimelineMark], text: String? = nil, ending: Bool = false) {
        stage.record { [row] in $0.add(marks, to: row, ending: ending, note: text) }
    }

    private func beBusy(since instant: Int) async {
        await withCheckedContinuation { continuation in
            let isStopped = state.withLock { state in
                if !state.isStopped { state.busy = (instant, continuation) }
                return state.isStopped
            }
            if isStopped { continuation.resume() }
        }
    }

    private func goOn(before instant: Int) {
        let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard let busy = state.busy, busy.since < instant else { return nil }
            state.busy = nil
            return busy.continuation
        }
        continuation?.resume()
    }
}
