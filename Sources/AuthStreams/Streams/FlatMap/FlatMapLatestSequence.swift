extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Starts an inner sequence for each element, and cancels the one before it: the provider picker, the search field.
    ///
    /// ```swift
    /// for await result in choices.flatMapLatest({ auth.signIn(with: $0) }) { show(result) }
    /// ```
    ///
    /// ```
    /// choices   kakao ─────── naver ──────────────────────▶
    /// kakao     ╰──────────── ✕                             cancelled; what it still delivers is dropped
    /// naver                   ╰───────────── ok
    /// result    ──────────────────────────── ok ──────────▶
    /// ```
    ///
    /// It behaves as <doc:Streams#Operators-with-a-task-of-their-own> says. An element costs an allocation, a lock and at most
    /// one wake-up.
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | how many elements? | all of an inner sequence until the next element of the base comes; from then on none of it, even if it ignores its cancellation |
    /// | lost, repeated, reordered? | what is unread of a replaced inner sequence is dropped: no reader is shown what is no longer wanted |
    ///
    /// - Parameter transform: Makes the inner sequence, when the one before it has been cancelled.
    public func flatMapLatest<Inner: AsyncSequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Inner
    ) -> FlatMapLatestSequence<Self, Inner> {
        FlatMapLatestSequence(base: self, transform: transform)
    }

    /// The same where neither the base nor the inner sequences can throw.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    public func flatMapLatest<Inner: AsyncSequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Inner
    ) -> NeverFailingSequence<FlatMapLatestSequence<Self, Inner>> where Failure == Never, Inner.Failure == Never {
        NeverFailingSequence(FlatMapLatestSequence(base: self, transform: transform))
    }
}

/// The sequence that `flatMapLatest` and `switchToLatest` return.
public struct FlatMapLatestSequence<Base: AsyncSequence & Sendable, Inner: AsyncSequence & Sendable>: AsyncSequence,
    Sendable
where Base.Element: Sendable, Inner.Element: Sendable {
    @usableFromInline let base: Base
    @usableFromInline let transform: @Sendable (Base.Element) -> Inner

    /// The elements of the inner sequences.
    public typealias Element = Inner.Element

    /// Begins an iteration. Nothing runs before its first `next()`.
    @inlinable public func makeAsyncIterator() -> FlatMapIterator<Base, Inner> {
        FlatMapIterator(run: .reading(base, .latest, through: transform))
    }
}

extension AsyncSequence where Self: Sendable, Element: AsyncSequence & Sendable, Element.Element: Sendable {
    /// Delivers what the newest of its sequences delivers: `flatMapLatest` for elements that are sequences already.
    ///
    /// ```
    /// base      a ─────────── b ──────────────────────────▶
    /// a         ╰── 1 ── 2 ── ✕                             cancelled; what it still delivers is dropped
    /// b                       ╰── 3 ──────── 4 ── |
    /// result    ─── 1 ── 2 ────── 3 ──────── 4 ───────────▶
    /// ```
    ///
    /// `choices.map(f).switchToLatest()` is `choices.flatMapLatest(f)`, and behaves alike.
    public func switchToLatest() -> FlatMapLatestSequence<Self, Element> { flatMapLatest { $0 } }

    /// The same where neither the base nor its elements can throw.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    public func switchToLatest() -> NeverFailingSequence<FlatMapLatestSequence<Self, Element>>
    where Failure == Never, Element.Failure == Never {
        flatMapLatest { $0 }
    }
}
