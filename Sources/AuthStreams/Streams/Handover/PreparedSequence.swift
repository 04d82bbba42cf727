/// A sequence that has been joined: its iterator is made already, and waits for the one task that will read it.
///
/// An operator joins its base where its own iterator is made, as any sequence does, and an inner sequence where that is
/// made. What a broadcast sends between there and the start of the operator's task would be lost otherwise. The sequence
/// itself is let go of: whoever only reads a broadcast doesn't keep it alive.
///
/// `@unchecked Sendable`: nobody touches the iterator before it is taken, and it is taken by the one task that reads. It is
/// not kept here after that: it would hold its place in a broadcast for ever.
@usableFromInline
final class PreparedSequence<Base: AsyncSequence & Sendable>: @unchecked Sendable {
    @usableFromInline var elements: Base.AsyncIterator?

    @inlinable
    init(_ base: Base) {
        elements = base.makeAsyncIterator()
    }

    /// What the iterator of ``init(_:)`` delivers, for the first who asks; `nil` for anybody after them.
    @inlinable
    func take() -> TakenElements<Base>? {
        defer { elements = nil }
        return elements.map(TakenElements.init)
    }
}

/// What is left of a sequence whose iterator was made before, for one loop.
///
/// A loop asks for the next element where it stands; `next()` would move to another executor and back for each. The loop gets
/// the iterator itself: a copy that stayed here would hold its first place in a broadcast for as long as the loop runs.
@usableFromInline
final class TakenElements<Base: AsyncSequence>: AsyncSequence {
    @usableFromInline typealias Element = Base.Element
    @usableFromInline var elements: Base.AsyncIterator?

    @inlinable
    init(_ elements: Base.AsyncIterator) { self.elements = elements }

    @inlinable
    func makeAsyncIterator() -> Base.AsyncIterator {
        guard let elements else { preconditionFailure("The elements are read by a second loop.") }
        self.elements = nil
        return elements
    }
}
