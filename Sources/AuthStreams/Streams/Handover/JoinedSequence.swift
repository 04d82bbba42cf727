/// A sequence that has been joined: its iterator is made already, and waits for the one task that will read it.
///
/// An operator joins its base where its own iterator is made, as any sequence does, and an inner sequence where that is
/// made. What a broadcast sends between there and the start of the operator's task would be lost otherwise. The sequence
/// itself is let go of: whoever only reads a broadcast doesn't keep it alive.
///
/// `@unchecked Sendable`: nobody touches the iterator before it is taken, and it is taken by the one task that reads. It is
/// not kept here after that: it would hold its place in a broadcast for ever.
@usableFromInline
final class JoinedSequence<Base: AsyncSequence & Sendable>: @unchecked Sendable {
    @usableFromInline var elements: Base.AsyncIterator?

    @inlinable
    init(_ base: Base) {
        elements = base.makeAsyncIterator()
    }

    /// The iterator of ``init(_:)``, for the first who asks; `nil` for anybody after them.
    @inlinable
    func take() -> Base.AsyncIterator? {
        defer { elements = nil }
        return elements
    }
}
