/// The rules of `flatMapFirst`: facts in, orders out.
struct FlatMapFirstStateMachine<Output: Sendable> {
    typealias Reader = CheckedContinuation<Output?, Never>

    private enum Phase {
        /// Nobody has asked for an element yet.
        case initial
        /// The base is being read.
        case running(Task<Void, Never>?)
        /// No more elements are made; those that wait are still delivered.
        case finished
    }

    private var phase = Phase.initial
    private var isInnerRunning = false
    private var isBaseRunning = true
    private var ready: [Output] = []
    private var reader: Reader?

    enum ReadAction {
        case startTask
        case wait
        case deliver(Output?)
    }

    /// The reader asks. It waits in the machine after `startTask` and `wait`.
    mutating func elementWanted(by reader: Reader, isCancelled: Bool) -> ReadAction {
        if isCancelled { return .deliver(nil) }
        if !ready.isEmpty { return .deliver(ready.removeFirst()) }
        switch phase {
        case .initial:
            phase = .running(nil)
            self.reader = reader
            return .startTask
        case .running:
            self.reader = reader
            return .wait
        case .finished:
            return .deliver(nil)
        }
    }

    /// The task is under way.
    ///
    /// - Returns: The task, to be cancelled, when everything was stopped before it could be noted.
    mutating func taskStarted(_ task: Task<Void, Never>) -> Task<Void, Never>? {
        guard case .running = phase else { return task }
        phase = .running(task)
        return nil
    }

    /// - Returns: Whether to start an inner sequence for this element.
    mutating func baseDelivered() -> Bool {
        guard case .running = phase, !isInnerRunning else { return false }
        isInnerRunning = true
        return true
    }

    /// - Returns: The reader to give the element to, if one waits.
    mutating func innerDelivered(_ output: Output) -> Reader? {
        guard case .running = phase else { return nil }
        guard let waiting = reader else {
            ready.append(output)
            return nil
        }
        reader = nil
        return waiting
    }

    /// - Returns: The reader to tell that this was the end, if it was and one waits.
    mutating func innerFinished() -> Reader? {
        isInnerRunning = false
        return finishIfDone()
    }

    /// - Returns: The reader to tell that this was the end, if it was and one waits.
    mutating func baseFinished() -> Reader? {
        isBaseRunning = false
        return finishIfDone()
    }

    private mutating func finishIfDone() -> Reader? {
        guard case .running = phase, !isBaseRunning, !isInnerRunning else { return nil }
        phase = .finished
        defer { reader = nil }
        return reader
    }

    /// The reader is gone or cancelled.
    ///
    /// - Returns: The task to cancel, and the reader to wake.
    mutating func stopped() -> (task: Task<Void, Never>?, reader: Reader?) {
        defer {
            phase = .finished
            ready = []
            reader = nil
        }
        if case .running(let task) = phase { return (task, reader) }
        return (nil, reader)
    }
}
