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
