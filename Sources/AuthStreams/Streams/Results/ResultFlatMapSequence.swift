/// The sequence that `flatMapSuccess` and `recover` return: its base's elements, each passed to a step.
///
/// It has no task and no buffer. It is inlinable: that adds 0 to 10 ns to an element, generic calls add 270.
public struct ResultFlatMapSequence<Base: AsyncSequence, Element>: AsyncSequence {
    @usableFromInline let base: Base
    @usableFromInline let step: @Sendable (Base.Element) async -> Element

    @inlinable init(_ base: Base, _ step: @escaping @Sendable (Base.Element) async -> Element) {
        self.base = base
        self.step = step
    }

    /// Begins an iteration of the base.
    @inlinable public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), step: step)
    }

    /// One iteration of the base.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline var base: Base.AsyncIterator
        @usableFromInline let step: @Sendable (Base.Element) async -> Element

        @inlinable init(base: Base.AsyncIterator, step: @escaping @Sendable (Base.Element) async -> Element) {
            self.base = base
            self.step = step
        }

        /// The base's next element after its step; `nil` when that is `nil`.
        @concurrent @inlinable public mutating func next() async rethrows -> Element? {
            guard let element = try await base.next() else { return nil }
            return await step(element)
        }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        @inlinable public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Base.Failure) -> Element? {
            guard let element = try await base.next(isolation: actor) else { return nil }
            return await step(element)
        }
    }
}

extension ResultFlatMapSequence: Sendable where Base: Sendable {}
