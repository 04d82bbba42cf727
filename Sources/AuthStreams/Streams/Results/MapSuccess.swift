extension AsyncSequence where Element: ResultElement {
    /// Changes each success; failures pass.
    ///
    /// ```
    /// base      ok(1) ─── failed ─── ok(2) ───|
    /// result    ok(10) ── failed ─── ok(20) ──|      mapSuccess { $0 * 10 }
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-on-sequences-of-results> says.
    ///
    /// - Parameter transform: Receives the value of each success.
    @inlinable public func mapSuccess<New>(
        _ transform: @escaping @Sendable (Element.Success) -> New
    ) -> ResultMapSequence<Self, Result<New, Element.Failure>> {
        ResultMapSequence(self) { $0.result.map(transform) }
    }
}

extension AsyncSequence where Element: ResultElement, Element.Failure == AuthError {
    /// Changes each success with a function that may throw; otherwise as without throwing.
    ///
    /// - Parameter transform: What it throws becomes the element's failure, as ``AuthError/init(wrapping:)`` says.
    @inlinable public func mapSuccess<New>(
        _ transform: @escaping @Sendable (Element.Success) throws -> New
    ) -> ResultMapSequence<Self, Result<New, AuthError>> {
        ResultMapSequence(self) { element in
            element.result.flatMap { value in
                do { return .success(try transform(value)) } catch { return .failure(AuthError(wrapping: error)) }
            }
        }
    }
}

extension AsyncSequence where Element: ResultElement {
    /// Changes each failure; successes pass.
    ///
    /// ```
    /// base      ok(1) ─── failed(timedOut) ─── ok(2) ──|
    /// result    ok(1) ─── failed(slow) ─────── ok(2) ──|      mapFailure { _ in .slow }
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-on-sequences-of-results> says.
    ///
    /// - Parameter transform: Receives the error of each failure. It may return another type.
    @inlinable public func mapFailure<New: Error>(
        _ transform: @escaping @Sendable (Element.Failure) -> New
    ) -> ResultMapSequence<Self, Result<Element.Success, New>> {
        ResultMapSequence(self) { $0.result.mapError(transform) }
    }
}

/// The sequence that `mapSuccess` and `mapFailure` return: its base's elements, each transformed.
///
/// It has no task and no buffer. It is inlinable, so that no generic call is made for an element.
public struct ResultMapSequence<Base: AsyncSequence, Element>: AsyncSequence {
    @usableFromInline let base: Base
    @usableFromInline let transform: @Sendable (Base.Element) -> Element

    @inlinable init(_ base: Base, _ transform: @escaping @Sendable (Base.Element) -> Element) {
        self.base = base
        self.transform = transform
    }

    /// Begins an iteration of the base.
    @inlinable public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), transform: transform)
    }

    /// One iteration of the base.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline var base: Base.AsyncIterator
        @usableFromInline let transform: @Sendable (Base.Element) -> Element

        @inlinable init(base: Base.AsyncIterator, transform: @escaping @Sendable (Base.Element) -> Element) {
            self.base = base
            self.transform = transform
        }

        /// The base's next element, changed; `nil` when that is `nil`.
        @concurrent @inlinable public mutating func next() async rethrows -> Element? {
            guard let element = try await base.next() else { return nil }
            return transform(element)
        }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        @inlinable public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Base.Failure) -> Element? {
            guard let element = try await base.next(isolation: actor) else { return nil }
            return transform(element)
        }
    }
}

extension ResultMapSequence: Sendable where Base: Sendable {}
