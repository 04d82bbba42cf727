import AuthStreams

/// Plays an input row: passes its elements to its reader, and records how the reading ended.
///
/// A reader receives the elements after its begin. Elements that it has not read yet are buffered.
final class TimelineFeed<Element: Sendable>: TimelinePart {
    typealias Waiter = CheckedContinuation<Event?, Never>

    static var fate: TimelineFate { .cancelled }

    enum Event: Sendable {
        case element(Element)
        case end
        case failure
    }

    private struct State {
        var isRead = false
        var isOver = false
        var unread: [Event] = []
        var waiter: Waiter?
    }
    private let state = Lock(State())
    private let stage: TimelineStage
    private let row: Int
    private let alphabet: TimelineAlphabet<Element>

    init(_ stage: TimelineStage, row: Int, alphabet: TimelineAlphabet<Element>) {
        self.stage = stage
        self.row = row
        self.alphabet = alphabet
    }

    func act(at instant: Int) {
        for mark in stage.script[row][instant].marks {
            switch mark {
            case .element(let character):
                if let element = alphabet.read(character) { send(.element(element), as: mark) }
            case .end: send(.end, as: mark)
            case .failure: send(.failure, as: mark)
            case .gap, .cancel, .leave, .busy: break
            }
        }
    }

    func stop() { quit(noting: nil) }

    /// Begins the reading.
    ///
    /// - Returns: Whether it is the first reader; there is no second.
    func begin() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isRead = true }
            return !state.isRead
        }
        if isFirst {
            stage.record { [row] in $0.begin(row) }
        } else {
            let name = stage.script[row].name
            stage.fail(
                TimelineError("Row \"\(name)\" is read a second time. Give each reader an input row of its own."))
        }
        return isFirst
    }

    /// Returns the next event; `nil` if the reading task is cancelled.
    func next() async -> Event? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                if Task.isCancelled { quit(noting: .cancel) }
                let event: Event?? = state.withLock { state in
                    if !state.unread.isEmpty { return state.unread.removeFirst() }
                    if state.isOver { return .some(nil) }
                    state.waiter = waiter
                    return nil
                }
                if let event { waiter.resume(returning: event) }
            }
        } onCancel: {
            quit(noting: .cancel)
        }
    }

    /// Ends the reading by a cancelled or released reader.
    func quit(noting mark: TimelineMark?) {
        if let mark { stage.record { [row] in $0.add([mark], to: row, ending: true) } }
        let waiter = state.withLock { state in
            state.isOver = true
            state.unread = []
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    private func send(_ event: Event, as mark: TimelineMark) {
        stage.record { [row] in $0.add([mark], to: row, ending: mark.isLast) }
        let waiter: Waiter? = state.withLock { state in
            guard state.isRead, !state.isOver else { return nil }
            if mark.isLast { state.isOver = true }
            guard let waiter = state.waiter else {
                state.unread.append(event)
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: event)
    }
}
