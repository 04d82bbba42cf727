extension AsyncSequence where Element: ResultElement {
    /// The values of the successes, without the failures.
    ///
    /// ```
    /// base      ok(1) ─── failed ─── ok(2) ───|
    /// result    1 ────────────────── 2 ───────|
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-on-sequences-of-results> says.
    @inlinable public var successes: SuccessesSequence<Self> { SuccessesSequence(self) }
}

/// The sequence that `successes` returns.
public struct SuccessesSequence<Base: AsyncSequence>: AsyncSequence where Base.Element: ResultElement {
    @usableFromInline let base: Base

    /// The value of a success of the base.
    public typealias Element = Base.Element.Success

    @inlinable init(_ base: Base) { self.base = base }

    /// Begins an iteration of the base.
    @inlinable public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    /// One iteration of the base.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline var base: Base.AsyncIterator

        @inlinable init(base: Base.AsyncIterator) { self.base = base }

        /// The value of the base's next success; `nil` at its end.
        @concurrent @inlinable public mutating func next() async rethrows -> Element? {
            while let element = try await base.next() {
                if case .success(let value) = element.result { return value }
            }
            return nil
        }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        @inlinable public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Base.Failure) -> Element? {
            while let element = try await base.next(isolation: actor) {
                if case .success(let value) = element.result { return value }
            }
            return nil
        }
    }
}

extension SuccessesSequence: Sendable where Base: Sendable {}
