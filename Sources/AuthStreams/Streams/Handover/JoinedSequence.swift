/// A sequence that has been joined: its iterator is made already, and waits for the one task that will read it.
///
/// An operator joins its base where its own iterator is made, as any sequence does. What a broadcast sends between there
/// and the start of the operator's task would be lost otherwise.
///
/// `@unchecked Sendable`: nobody touches the iterator before it is taken, and it is taken by the one task that reads. It is
/// not kept here after that: it would hold its place in a broadcast for ever.
@usableFromInline
final class JoinedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, @unchecked Sendable {
    @usableFromInline let base: Base
    @usableFromInline var elements: Base.AsyncIterator?

    @inlinable
    init(_ base: Base) {
        self.base = base
        elements = base.makeAsyncIterator()
    }

    /// The iterator of ``init(_:)``; to be called once.
    @inlinable
    func makeAsyncIterator() -> Base.AsyncIterator {
        defer { elements = nil }
        return elements ?? base.makeAsyncIterator()
    }
}
