/// A sequence of which nothing throws, and whose type says so.
///
/// A coordinated operator throws what the sequences under it can throw. The compiler sees that for itself in a loop, but
/// what is put on top asks the type's ``Failure``, and that would be `any Error`. Where the sequences underneath say that
/// they never fail, this says it of the operator.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
public struct NeverFailingSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
    @usableFromInline let base: Base

    /// What the base delivers.
    public typealias Element = Base.Element
    /// Nothing is thrown.
    public typealias Failure = Never

    init(_ base: Base) { self.base = base }

    /// Begins an iteration of the base.
    @inlinable public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    /// One iteration of the base.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline var base: Base.AsyncIterator

        @inlinable init(base: Base.AsyncIterator) { self.base = base }

        /// The next element of the base.
        @inlinable public mutating func next(isolation actor: isolated (any Actor)?) async -> Base.Element? {
            try? await base.next(isolation: actor)
        }
    }
}
