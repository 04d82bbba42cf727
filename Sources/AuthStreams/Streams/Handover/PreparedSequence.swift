/// A sequence whose iterator is made already, for the one task that reads it.
///
/// An operator makes the iterator of its base where its own iterator is made, and that of an inner sequence where the
/// sequence is made. Otherwise the elements that a broadcast sends before the operator's task starts would be lost. The
/// sequence itself is released, because a reader does not keep a broadcast alive.
///
/// `@unchecked Sendable`: only the one task that reads accesses the iterator, when it takes it. The iterator is not kept
/// after that, because it would hold its position in a broadcast.
@usableFromInline
final class PreparedSequence<Base: AsyncSequence & Sendable>: @unchecked Sendable {
    @usableFromInline var elements: Base.AsyncIterator?

    @inlinable
    init(_ base: Base) {
        elements = base.makeAsyncIterator()
    }

    /// The elements of the iterator of ``init(_:)`` at the first call; `nil` afterwards.
    @inlinable
    func take() -> TakenElements<Base>? {
        defer { elements = nil }
        return elements.map(TakenElements.init)
    }
}

/// The elements of an iterator that was made before, for one loop.
///
/// A loop calls `next(isolation:)` on its own executor; `next()` would move to another one and back for each element. The loop
/// gets the iterator itself, because a copy that stayed here would hold its first position in a broadcast while the loop runs.
@usableFromInline
final class TakenElements<Base: AsyncSequence>: AsyncSequence {
    @usableFromInline typealias Element = Base.Element
    @usableFromInline var elements: Base.AsyncIterator?

    @inlinable
    init(_ elements: Base.AsyncIterator) { self.elements = elements }

    @inlinable
    func makeAsyncIterator() -> Base.AsyncIterator {
        // Only operators make one, from `take()`, and each runs one `for await` over it, which makes one iterator.
        guard let elements else { preconditionFailure("The elements are read by a second loop.") }
        self.elements = nil
        return elements
    }
}
