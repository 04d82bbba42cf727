/// Where what an operator makes meets those who read it: whichever comes first waits for the other, in order.
///
/// Part of a state machine. Elements wait or readers wait, never both.
struct DemandBuffer<Output: Sendable, Reader: Sendable>: Sendable {
    /// What a reader gets: an element, `nil` at the end, or what ended it.
    typealias Answer = Result<Output?, any Error>

    private var elements = FIFO<Output>()
    private var readers = FIFO<Reader>()
    private var isOver = false
    /// What ended it, until a reader has been told.
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

    /// Takes back what no reader has taken, to be let go of once the lock is released: that may run anything.
    mutating func elementsWithdrawn() -> [Output] { elements.popAll() }

    /// Takes back what ended it, if no reader has been told.
    mutating func failureWithdrawn() -> (any Error)? {
        defer { failure = nil }
        return failure
    }

    /// No more elements are made. Those that wait are still read; one reader is told the failure, then all get `nil`.
    ///
    /// - Returns: The readers that waited, and what they get.
    mutating func ended(by failure: (any Error)? = nil) -> [(reader: Reader, answer: Answer)] {
        isOver = true
        self.failure = failure
        return readers.popAll().map { ($0, terminalAnswer()) }
    }

    private mutating func terminalAnswer() -> Answer { failureWithdrawn().map(Answer.failure) ?? .success(nil) }
}
