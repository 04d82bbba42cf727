/// The queue between an operator and its readers: elements wait for readers, or readers for elements, in order.
///
/// Part of a state machine. Elements wait or readers wait, never both.
struct DemandBuffer<Output: Sendable, Reader: Sendable>: Sendable {
    /// What a reader gets: an element, `nil` at the end, or the error that ended the operator.
    typealias Answer = Result<Output?, any Error>

    private var elements = FIFO<Output>()
    private var readers = FIFO<Reader>()
    private var isOver = false
    /// The error that ended the operator, until a reader gets it.
    private var failure: (any Error)?

    /// - Returns: What the reader gets; `nil` when it waits.
    mutating func elementWanted(by reader: Reader) -> Answer? {
        if let element = elements.popFirst() { return .success(element) }
        if isOver { return terminalAnswer() }
        readers.append(reader)
        return nil
    }

    /// - Returns: The reader that gets the element; `nil` when the element waits.
    mutating func elementMade(_ element: Output) -> Reader? {
        if let reader = readers.popFirst() { return reader }
        elements.append(element)
        return nil
    }

    /// Removes the unread elements, to be released after the lock: their `deinit` may run any code.
    mutating func elementsWithdrawn() -> [Output] { elements.popAll() }

    /// Removes the error that ended the operator, if no reader has got it.
    mutating func failureWithdrawn() -> (any Error)? {
        defer { failure = nil }
        return failure
    }

    /// Ends the queue. Elements that wait are still read; one reader gets the failure, then all get `nil`.
    ///
    /// - Returns: The readers that waited, and what they get.
    mutating func ended(by failure: (any Error)? = nil) -> [(reader: Reader, answer: Answer)] {
        isOver = true
        self.failure = failure
        return readers.popAll().map { ($0, terminalAnswer()) }
    }

    private mutating func terminalAnswer() -> Answer { failureWithdrawn().map(Answer.failure) ?? .success(nil) }
}

/// A queue: what goes in first comes out first, both in constant time on average.
struct FIFO<Element: Sendable>: Sendable {
    private var incoming: [Element] = []
    /// Those that came first, the very first at the end.
    private var outgoing: [Element] = []

    mutating func append(_ element: Element) { incoming.append(element) }

    mutating func popFirst() -> Element? {
        if outgoing.isEmpty {
            // Mostly there is one at the most, and nothing to turn around.
            guard incoming.count > 1 else { return incoming.popLast() }
            swap(&incoming, &outgoing)
            outgoing.reverse()
        }
        return outgoing.popLast()
    }

    /// Removes and returns all elements, in order.
    mutating func popAll() -> [Element] {
        defer { self = FIFO() }
        return outgoing.isEmpty ? incoming : outgoing.reversed() + incoming
    }
}

/// The work that an end leaves for the time after the lock is released.
///
/// Generic so that state machines can be tested without a task: `Worker` is one, `Reader` is a continuation.
struct TerminationActions<Output: Sendable, Reader: Sendable, Worker: Sendable>: Sendable {
    /// The tasks to cancel.
    var workers: [Worker] = []
    /// The readers that waited, and what they get.
    var answers: [(reader: Reader, answer: DemandBuffer<Output, Reader>.Answer)] = []
    /// The elements that are not read. They are kept until here because releasing an element may run any code.
    var dropped: [Output] = []
    /// The error that no reader gets, for the same reason.
    var untold: (any Error)?
}

/// One call of `next()` that waits.
///
/// Unsafe, that is unchecked: a state machine returns each reader exactly once and removes it from its queue.
typealias OperatorReader<Output: Sendable> = UnsafeContinuation<Result<Output?, any Error>, Never>

extension TerminationActions where Reader == OperatorReader<Output>, Worker == Task<Void, Never> {
    func perform() {
        for worker in workers { worker.cancel() }
        for (reader, answer) in answers { reader.resume(returning: answer) }
    }
}
