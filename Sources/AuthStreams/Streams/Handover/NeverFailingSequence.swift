/// A sequence that says of its base what the compiler could not see: nothing in it throws.
///
/// The coordinated operators take what throws and what does not, and throw accordingly. Only where ``Failure`` is there to be asked can
/// the two be told apart by type.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
public struct NeverFailingSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
    @usableFromInline let base: Base

    /// What the base delivers.
    public typealias Element = Base.Element
    /// Nothing is thrown.
    public typealias Failure = Never

    @usableFromInline init(_ base: Base) { self.base = base }

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
