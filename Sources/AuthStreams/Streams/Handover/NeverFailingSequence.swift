/// A sequence that never throws, with a ``Failure`` of `Never`.
///
/// An operator with a task of its own throws what its base and inner sequences can throw. The compiler sees that in a loop,
/// but other operators read ``Failure``, which would be `any Error`. This sequence is returned where the base and the inner
/// sequences never fail.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
public struct NeverFailingSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
    @usableFromInline let base: Base

    /// The elements of the base.
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
