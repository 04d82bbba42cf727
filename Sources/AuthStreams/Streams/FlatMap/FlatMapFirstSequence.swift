extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Starts an inner sequence for an element, and ignores further elements until that one has ended: the log-in button.
    ///
    /// ```swift
    /// for await result in taps.flatMapFirst({ auth.signIn(with: $0) }) { show(result) }
    /// ```
    ///
    /// ```
    /// taps      ●───●───●────────────●─────▶
    /// signIn    ╰─────────── ok      ╰──── ok
    /// result    ──────────── ok ────────── ok      the second and third tap are ignored
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-with-a-task-of-their-own> says. An ignored element of the base costs a look at one
    /// number.
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | how many elements? | all of each inner sequence that was started. An element of the base that comes while one runs starts none. An ``AuthStream`` has ended when its result is delivered: a reader that has seen the result can tap again |
    ///
    /// - Parameter transform: Makes the inner sequence of an element that is not ignored.
    public func flatMapFirst<Inner: AsyncSequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Inner
    ) -> FlatMapFirstSequence<Self, Inner> {
        FlatMapFirstSequence(base: self, transform: transform)
    }

    /// The same where neither the base nor the inner sequences can throw.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    public func flatMapFirst<Inner: AsyncSequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Inner
    ) -> NeverFailingSequence<FlatMapFirstSequence<Self, Inner>> where Failure == Never, Inner.Failure == Never {
        NeverFailingSequence(FlatMapFirstSequence(base: self, transform: transform))
    }
}

/// The sequence that `flatMapFirst` returns.
public struct FlatMapFirstSequence<Base: AsyncSequence & Sendable, Inner: AsyncSequence & Sendable>: AsyncSequence,
    Sendable
where Base.Element: Sendable, Inner.Element: Sendable {
    @usableFromInline let base: Base
    @usableFromInline let transform: @Sendable (Base.Element) -> Inner

    /// The elements of the inner sequences.
    public typealias Element = Inner.Element

    /// Begins an iteration. Nothing runs before its first `next()`.
    @inlinable public func makeAsyncIterator() -> FlatMapIterator<Base, Inner> {
        FlatMapIterator(run: .reading(base, .first, through: transform))
    }
}
